//! Tiles in hand: a bag or a rack, as counts by face. It knows nothing of boards or turns.
//!
//! A bag has no order that could be seen: each draw picks among what is left, in the order of the
//! alphabet, blanks first.

use crate::chance::Chance;
use crate::crossword::alphabet::{FACES, NoLetter, SLOTS, slot};
use crate::crossword::edition::Edition;

/// How many tiles a rack holds.
pub const RACK: usize = 7;

/// Tiles of one set, of which those with the same face are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tiles {
    counts: [u8; SLOTS],
    total: u8,
}

/// The tile is not among those in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing(pub u8);

impl Tiles {
    /// None.
    pub const EMPTY: Self = Self { counts: [0; SLOTS], total: 0 };

    /// A whole set.
    pub fn all(edition: &Edition) -> Self {
        let mut all = Self::EMPTY;
        for (face, count) in (0..).zip(edition.counts()) {
            for _ in 0..*count {
                all.put(face);
            }
        }
        all
    }

    /// How many there are.
    pub const fn count(&self) -> usize {
        self.total as usize
    }

    /// True if there are none.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// How many of a face there are.
    pub const fn of(&self, face: u8) -> u8 {
        self.counts[slot(face)]
    }

    /// Every tile, in the order of the alphabet, blanks first.
    pub fn faces(&self) -> impl Iterator<Item = u8> {
        (0..FACES as u8).zip(self.counts).flat_map(|(face, count)| std::iter::repeat_n(face, count.into()))
    }

    /// Adds one tile.
    pub fn put(&mut self, face: u8) {
        self.counts[slot(face)] += 1;
        self.total += 1;
    }

    /// Adds all of these.
    pub fn put_all(&mut self, tiles: &Self) {
        for (count, more) in self.counts.iter_mut().zip(tiles.counts) {
            *count = count.saturating_add(more);
        }
        self.total = self.total.saturating_add(tiles.total);
    }

    /// Takes one tile out.
    pub fn take(&mut self, face: u8) -> Result<(), Missing> {
        let count = &mut self.counts[slot(face)];
        *count = count.checked_sub(1).ok_or(Missing(face))?;
        self.total -= 1;
        Ok(())
    }

    /// Takes all of these out, or none of them.
    pub fn take_all(&mut self, tiles: &Self) -> Result<(), Missing> {
        let short = (0..).zip(self.counts.iter().zip(&tiles.counts)).find(|(_, (own, taken))| own < taken);
        if let Some((face, _)) = short {
            return Err(Missing(face));
        }
        for (count, fewer) in self.counts.iter_mut().zip(tiles.counts) {
            *count -= fewer;
        }
        self.total -= tiles.total;
        Ok(())
    }

    /// Draws as many as are wanted, or all that are left. Asks chance for nothing if none are.
    #[must_use]
    pub fn draw(&mut self, wanted: usize, chance: &mut Chance<'_>) -> Self {
        let mut drawn = Self::EMPTY;
        for _ in 0..wanted.min(self.count()) {
            let mut before = chance.index(self.count());
            for (face, count) in (0..).zip(self.counts) {
                if before < usize::from(count) {
                    // The face was just counted, so there is one to take.
                    if self.take(face).is_ok() {
                        drawn.put(face);
                    }
                    break;
                }
                before -= usize::from(count);
            }
        }
        drawn
    }

    /// The points of all.
    pub fn value(&self, edition: &Edition) -> i32 {
        self.faces().map(|face| i32::from(edition.value(face))).sum()
    }

    /// Reads capital letters, and `?` for a blank.
    pub fn read(text: &str, edition: &Edition) -> Result<Self, NoLetter> {
        let mut tiles = Self::EMPTY;
        for character in text.chars().take(usize::from(u8::MAX)) {
            let face = edition.alphabet.face(character);
            tiles.put(face.ok_or_else(|| NoLetter::of(character, edition))?);
        }
        Ok(tiles)
    }

    /// As it is read, letters in the order of the alphabet after the blanks.
    pub fn text(&self, edition: &Edition) -> String {
        self.faces().map(|face| edition.alphabet.face_character(face)).collect()
    }
}
