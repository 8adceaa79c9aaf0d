//! Tiles laid in a line: where they may lie, which words they form, what those score. It knows
//! nothing of turns, bags or dictionaries.

use crate::crossword::alphabet::{Laid, NoLetter};
use crate::crossword::board::Board;
use crate::crossword::edition::Edition;
use crate::crossword::place::{Place, Start};
use crate::crossword::tiles::{Missing, RACK, Tiles};
use crate::crossword::word::Word;
use arrayvec::ArrayVec;

/// Tiles on empty squares of one line, without a gap. Whether they touch what lies on the board
/// is checked apart, by [`Laying::check_contact`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Laying {
    start: Start,
    squares: ArrayVec<(Place, Laid), RACK>,
}

/// Why tiles can't be laid so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayingError {
    /// A character is no letter of the alphabet.
    #[error("{place}: {why}")]
    NoLetter {
        /// The square.
        place: Place,
        /// What is wrong with the character.
        why: NoLetter,
    },
    /// The line ends before the tiles do.
    #[error("the tiles go over the edge of the board")]
    OffBoard,
    /// A tile on a tile.
    #[error("{0} is filled, write . for it")]
    Filled(Place),
    /// The play skips an empty square.
    #[error("{0} is empty, lay a tile there or begin after it")]
    Gap(Place),
    /// Only filled squares are named.
    #[error("lay at least one tile, or pass")]
    NoTile,
    /// More tiles than a rack holds.
    #[error("a play has at most {RACK} tiles")]
    TooMany,
    /// The rack does not hold the tile.
    #[error("{place}: {} is not on your rack", named(*.tile))]
    NotOnRack {
        /// The square.
        place: Place,
        /// The tile, `?` for a blank.
        tile: char,
    },
    /// The first play is elsewhere.
    #[error("the first play covers the centre, {}", Place::CENTRE)]
    OffCentre,
    /// The first play forms no word.
    #[error("the first play has two tiles or more")]
    SingleTile,
    /// The tiles touch nothing.
    #[error("the tiles touch none of those on the board")]
    Apart,
}

fn named(tile: char) -> String {
    if tile == '?' { "a blank".to_owned() } else { tile.to_string() }
}

/// What a laying is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The words that are formed, the one along the line first, each with its points.
    pub words: ArrayVec<(Word, i32), { RACK + 1 }>,
    /// The points for a whole rack, if it was one.
    pub bonus: i32,
}

impl Scored {
    /// The points of the play.
    pub fn total(&self) -> i32 {
        self.bonus + self.words.iter().map(|(_, points)| points).sum::<i32>()
    }
}

impl Laying {
    /// Reads a play onto a board: `.` is a filled square, a small letter a blank.
    pub fn read(edition: &Edition, board: &Board, start: Start, tiles: &str) -> Result<Self, LayingError> {
        let mut squares = ArrayVec::new();
        let mut next = Some(start.place);
        for character in tiles.chars() {
            let place = next.ok_or(LayingError::OffBoard)?;
            next = place.next(start.direction);
            if character == '.' {
                if !board.is_filled(place) {
                    return Err(LayingError::Gap(place));
                }
                continue;
            }
            let laid = edition.alphabet.laid(character);
            let why = || LayingError::NoLetter { place, why: NoLetter::of(character, edition) };
            let laid = laid.ok_or_else(why)?;
            if board.is_filled(place) {
                return Err(LayingError::Filled(place));
            }
            squares.try_push((place, laid)).map_err(|_| LayingError::TooMany)?;
        }
        if squares.is_empty() {
            return Err(LayingError::NoTile);
        }
        Ok(Self { start, squares })
    }

    /// Each tile with its square.
    pub fn squares(&self) -> &[(Place, Laid)] {
        &self.squares
    }

    /// Takes the tiles from a rack, or none of them.
    pub fn take_from(&self, rack: &mut Tiles, edition: &Edition) -> Result<(), LayingError> {
        let mut left = *rack;
        for (place, laid) in &self.squares {
            left.take(laid.tile()).map_err(|Missing(face)| LayingError::NotOnRack {
                place: *place,
                tile: edition.alphabet.face_character(face),
            })?;
        }
        *rack = left;
        Ok(())
    }

    /// The first play covers the centre with a word; each later one touches what lies there.
    pub fn check_contact(&self, before: &Board) -> Result<(), LayingError> {
        if before.is_empty() {
            if !self.squares.iter().any(|(place, _)| *place == Place::CENTRE) {
                return Err(LayingError::OffCentre);
            }
            return if self.squares.len() > 1 { Ok(()) } else { Err(LayingError::SingleTile) };
        }
        let direction = self.start.direction;
        let touches = |(place, _): &(Place, Laid)| {
            [direction, direction.crossing()].into_iter().any(|direction| {
                let beside = [place.previous(direction), place.next(direction)];
                beside.into_iter().flatten().any(|beside| before.is_filled(beside))
            })
        };
        if self.squares.iter().any(touches) { Ok(()) } else { Err(LayingError::Apart) }
    }

    /// Puts the tiles on the board.
    pub fn lay(&self, board: &mut Board) {
        for (place, laid) in &self.squares {
            board.set(*place, Some(*laid));
        }
    }

    /// Takes the tiles from the board again.
    pub fn lift(&self, board: &mut Board) {
        for (place, _) in &self.squares {
            board.set(*place, None);
        }
    }

    /// The words that the tiles form on the board after they were laid.
    pub fn score(&self, edition: &Edition, after: &Board) -> Scored {
        let direction = self.start.direction;
        let along = self.squares.first().and_then(|(place, _)| Word::through(after, *place, direction));
        let across =
            self.squares.iter().filter_map(|(place, _)| Word::through(after, *place, direction.crossing()));
        let is_new = |place| self.squares.iter().any(|(laid, _)| *laid == place);
        let words = along.into_iter().chain(across).map(|word| (word, word.score(after, edition, is_new)));
        let bonus = if self.squares.len() == RACK { edition.bonus } else { 0 };
        Scored { words: words.collect(), bonus }
    }

    /// Where the word along the line begins, and the play as it is written with every square of it.
    pub fn written(&self, edition: &Edition, after: &Board) -> (Start, String) {
        let Some((first, _)) = self.squares.first() else { return (self.start, String::new()) };
        let Some(word) = Word::through(after, *first, self.start.direction) else {
            let text = self.squares.iter().map(|(_, laid)| edition.alphabet.character(*laid));
            return (Start { place: *first, ..self.start }, text.collect());
        };
        let character = |place| {
            let laid = self.squares.iter().find(|(laid, _)| *laid == place);
            laid.map_or('.', |(_, laid)| edition.alphabet.character(*laid))
        };
        (word.start, word.squares().map(character).collect())
    }
}
