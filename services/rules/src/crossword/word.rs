//! A word on a board: where it stands, what it says, what it scores when tiles were just laid.
//! It knows nothing of dictionaries.

use crate::crossword::board::Board;
use crate::crossword::edition::Edition;
use crate::crossword::place::{Direction, Place, Start};

/// Filled squares in a line, two or more, with nothing before or after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// Where it begins and which way it runs.
    pub start: Start,
    /// How many letters it has.
    pub length: usize,
}

impl Word {
    /// The word that runs through a filled square; none if that is a single letter.
    pub(crate) fn through(board: &Board, place: Place, direction: Direction) -> Option<Self> {
        let mut first = place;
        while let Some(before) = first.previous(direction).filter(|before| board.is_filled(*before)) {
            first = before;
        }
        let start = Start { place: first, direction };
        let length = squares(start).take_while(|place| board.is_filled(*place)).count();
        (length > 1).then_some(Self { start, length })
    }

    /// Its squares, from the first to the last.
    pub fn squares(&self) -> impl Iterator<Item = Place> + use<> {
        squares(self.start).take(self.length)
    }

    /// Its letters as capitals, whatever tiles stand for them: how judges are asked.
    pub fn letters(&self, board: &Board, edition: &Edition) -> String {
        let laid = self.squares().filter_map(|place| board.at(place));
        laid.map(|laid| edition.alphabet.face_character(laid.face())).collect()
    }

    /// Its letters as they lie, with small ones for blanks.
    pub fn text(&self, board: &Board, edition: &Edition) -> String {
        let laid = self.squares().filter_map(|place| board.at(place));
        laid.map(|laid| edition.alphabet.character(laid)).collect()
    }

    /// Its points when the tiles on some squares have just been laid: their premiums count.
    pub(crate) fn score(&self, board: &Board, edition: &Edition, is_new: impl Fn(Place) -> bool) -> i32 {
        let (mut sum, mut times) = (0, 1);
        for place in self.squares() {
            let value = board.at(place).map_or(0, |laid| i32::from(edition.value(laid.tile())));
            if is_new(place) {
                let premium = edition.premiums.at(place);
                sum += value * i32::from(premium.letter);
                times *= i32::from(premium.word);
            } else {
                sum += value;
            }
        }
        sum * times
    }
}

fn squares(start: Start) -> impl Iterator<Item = Place> + use<> {
    std::iter::successors(Some(start.place), move |place| place.next(start.direction))
}
