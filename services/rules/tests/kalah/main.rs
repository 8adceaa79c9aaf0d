//! Kalah against what others know of it, counts, games and solutions of independent engines; and
//! its robots against each other.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail so")]

mod content;
#[path = "../data/mod.rs"]
mod data;
mod perft;
mod play_outs;
mod playthrough;
mod ring;
mod robots;
mod tables;
mod traces;

use astragal_rules::kalah::board::Board;
use astragal_rules::kalah::view::View;

/// The board of a beginning.
fn beginning(seeds: u8) -> Board {
    View { pits: [[seeds; 6]; 2], stores: [0; 2] }.try_into().expect("3 to 6 seeds")
}
