//! The games that this binary ships, in every version that tables were played by.

use astragal_rules::crossword::game::Crossword;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;

/// All of them. Crossword has no dictionary yet, so it is offered with `words: any` only.
pub(crate) fn registry() -> Registry {
    Registry::new().with(Kalah).with(Crossword::default())
}
