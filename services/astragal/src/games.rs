//! The games that this binary ships, in every version that tables were played by.

use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;

/// All of them, with the words that new moves are judged by; whoever only replays needs none.
pub(crate) fn registry(dictionaries: Dictionaries) -> Registry {
    Registry::new().with(Kalah).with(Crossword::new(dictionaries))
}
