//! What lies on the squares. It knows nothing of plays, premiums or whose tiles those were.

use crate::crossword::alphabet::{Laid, NoLetter};
use crate::crossword::edition::Edition;
use crate::crossword::place::{Direction, Place, SIDE, SQUARES};
use crate::crossword::tiles::Tiles;

/// A board with some tiles on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    codes: [u8; SQUARES],
    count: u8,
}

/// The codes of what lies on a board, line by line; 0 where nothing does.
pub(super) type Grid = [[u8; SIDE]; SIDE];

/// Why text is no board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBoard {
    /// Too many rows or too few.
    #[error("a board has {SIDE} rows")]
    Rows,
    /// A row has too many squares or too few.
    #[error("row {0} has not {SIDE} squares")]
    Squares(usize),
    /// A character is neither a letter nor an empty square.
    #[error("row {row}: {why}")]
    NoLetter {
        /// The row, from 1.
        row: usize,
        /// What is wrong with the character.
        why: NoLetter,
    },
}

impl Board {
    /// Without a tile.
    pub const EMPTY: Self = Self { codes: [0; SQUARES], count: 0 };

    /// True if no tile was laid yet.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What lies on a square.
    pub const fn at(&self, place: Place) -> Option<Laid> {
        Laid::of_code(self.codes[place.index()])
    }

    /// True if something lies there.
    pub const fn is_filled(&self, place: Place) -> bool {
        self.codes[place.index()] != 0
    }

    /// Lays a tile, or takes away what lies there.
    pub fn set(&mut self, place: Place, laid: Option<Laid>) {
        self.count -= u8::from(self.is_filled(place));
        self.codes[place.index()] = laid.map_or(0, Laid::code);
        self.count += u8::from(self.is_filled(place));
    }

    /// Its rows as lines, or its columns.
    pub(super) fn grid(&self, direction: Direction) -> Grid {
        std::array::from_fn(|line| {
            std::array::from_fn(|offset| match direction {
                Direction::Across => self.codes[line * SIDE + offset],
                Direction::Down => self.codes[offset * SIDE + line],
            })
        })
    }

    /// The tiles that lie on it.
    pub fn tiles(&self) -> Tiles {
        let mut tiles = Tiles::EMPTY;
        for laid in Place::all().filter_map(|place| self.at(place)) {
            tiles.put(laid.tile());
        }
        tiles
    }

    /// Rows of text: `.` is an empty square, a small letter a blank.
    pub fn rows(&self, edition: &Edition) -> [String; SIDE] {
        std::array::from_fn(|row| {
            let codes = &self.codes[row * SIDE..][..SIDE];
            let character =
                |code: &u8| Laid::of_code(*code).map_or('.', |laid| edition.alphabet.character(laid));
            codes.iter().map(character).collect()
        })
    }

    /// Reads the rows of a board.
    pub fn read<T: AsRef<str>>(rows: &[T], edition: &Edition) -> Result<Self, NoBoard> {
        let mut board = Self::EMPTY;
        if rows.len() != SIDE {
            return Err(NoBoard::Rows);
        }
        for (row, text) in rows.iter().enumerate() {
            let mut columns = 0;
            for character in text.as_ref().chars() {
                let place = Place::at(row, columns).ok_or(NoBoard::Squares(row + 1))?;
                if character != '.' {
                    let laid = edition.alphabet.laid(character);
                    let why = || NoBoard::NoLetter { row: row + 1, why: NoLetter::of(character, edition) };
                    board.set(place, Some(laid.ok_or_else(why)?));
                }
                columns += 1;
            }
            if columns != SIDE {
                return Err(NoBoard::Squares(row + 1));
            }
        }
        Ok(board)
    }
}
