//! Three small games that hold the trait to its word, each hard in its own way: secret choices
//! at once, hidden racks with a judge, and two versions with long logs.

pub mod counter;
pub mod dare;
pub mod letters;
pub mod played;
pub mod random;

use astragal_rules::game::Judge;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;

/// Every toy, and the one game that ships.
pub fn registry() -> Registry {
    Registry::new()
        .with(Kalah)
        .with(dare::Dare)
        .with(letters::Letters)
        .with(counter::Counter { version: 1 })
        .with(counter::Counter { version: 2 })
}

/// A dictionary by rule: no word has the same letter twice in a row.
pub struct NoTwins;

impl Judge for NoTwins {
    fn accepts(&self, word: &str) -> bool {
        !word.as_bytes().windows(2).any(|pair| pair[0] == pair[1])
    }
}
