//! A game is somebody else's code: when it panics, its table ends and the process lives.

use astragal_rules::error::InvalidGame;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of a game. What it was given is thrown away by the caller if it fails, so nothing half
/// changed is seen again.
pub(crate) fn catch<T, E: From<InvalidGame>>(code: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(code))
        .unwrap_or_else(|_| Err(InvalidGame::new("the game's code", "it panicked").into()))
}
