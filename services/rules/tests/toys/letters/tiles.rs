//! A multiset of tiles in the order of the alphabet, written as a word. It knows nothing of whose
//! they are.

use astragal_rules::chance::Chance;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Tiles(Vec<u8>);

impl Tiles {
    /// These letters; anything that is not a small letter is left out.
    pub fn all(letters: &str) -> Self {
        let mut tiles: Vec<u8> = letters.bytes().filter(u8::is_ascii_lowercase).collect();
        tiles.sort_unstable();
        Self(tiles)
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn put(&mut self, tiles: &Self) {
        self.0.extend(&tiles.0);
        self.0.sort_unstable();
    }

    /// Takes these letters out; false, and nothing is taken, if some are not there.
    pub fn take(&mut self, letters: &str) -> bool {
        let mut left = self.0.clone();
        for letter in letters.bytes() {
            let Some(place) = left.iter().position(|tile| *tile == letter) else { return false };
            left.remove(place);
        }
        self.0 = left;
        true
    }

    /// Draws as many as are wanted, or all that are left. Asks chance for nothing if none are.
    pub fn draw(&mut self, wanted: usize, chance: &mut Chance<'_>) -> Self {
        let drawn = (0..wanted.min(self.0.len())).map(|_| self.0.remove(chance.index(self.0.len())));
        let mut drawn: Vec<u8> = drawn.collect();
        drawn.sort_unstable();
        Self(drawn)
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|tile| write!(formatter, "{}", char::from(*tile)))
    }
}

impl From<Tiles> for String {
    fn from(tiles: Tiles) -> Self {
        tiles.to_string()
    }
}

impl TryFrom<String> for Tiles {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let tiles = Self::all(&text);
        if tiles.to_string() == text { Ok(tiles) } else { Err("tiles are small letters in order") }
    }
}
