//! A row or a column as the finder of plays sees it: what lies there, which letters fit the words
//! that cross it, where a play can touch the board.

use crate::crossword::alphabet::Laid;
use crate::crossword::board::Board;
use crate::crossword::dictionary::automaton::{Automaton, Faces, Step};
use crate::crossword::edition::Edition;
use crate::crossword::place::{Direction, Place, SIDE};
use crate::crossword::premium::Premium;

/// Every letter.
pub(super) const ANY: Faces = Faces::MAX;

/// A square of a line.
#[derive(Clone, Copy)]
pub(super) struct Square {
    /// What lies there.
    pub(super) laid: Option<Laid>,
    /// Which letters form a word across the line.
    pub(super) fits: Faces,
    /// The points of what lies across the line beside it; none without a crossing word.
    pub(super) crossing: Option<i32>,
    /// What it multiplies by.
    pub(super) premium: Premium,
    /// True if a tile that is laid there touches the board.
    pub(super) anchor: bool,
}

/// A row or a column.
pub(super) struct Line {
    pub(super) direction: Direction,
    pub(super) first: Place,
    pub(super) squares: [Square; SIDE],
}

impl Line {
    /// Every row and every column on which a play can touch the board.
    pub(super) fn all(board: &Board, edition: &Edition, words: &Automaton) -> impl Iterator<Item = Self> {
        let numbered = |direction| (0..SIDE).map(move |number| (direction, number));
        let lines = numbered(Direction::Across).chain(numbered(Direction::Down));
        lines.filter_map(|(direction, number)| Self::of(board, edition, words, direction, number))
    }

    fn of(
        board: &Board,
        edition: &Edition,
        words: &Automaton,
        direction: Direction,
        number: usize,
    ) -> Option<Self> {
        let place = |offset: usize| match direction {
            Direction::Across => Place::at(number, offset),
            Direction::Down => Place::at(offset, number),
        };
        let first = place(0)?;
        let mut squares = [Square::NONE; SIDE];
        let mut reachable = false;
        for (offset, square) in squares.iter_mut().enumerate() {
            *square = Square::of(board, edition, words, place(offset)?, direction);
            reachable |= square.anchor;
        }
        reachable.then_some(Self { direction, first, squares })
    }

    /// The place of a square of the line.
    pub(super) fn place(&self, offset: usize) -> Place {
        let place = match self.direction {
            Direction::Across => Place::at(self.first.row(), offset),
            Direction::Down => Place::at(offset, self.first.column()),
        };
        place.unwrap_or(self.first)
    }
}

impl Square {
    const NONE: Self = Self {
        laid: None,
        fits: ANY,
        crossing: None,
        premium: Premium { letter: 1, word: 1 },
        anchor: false,
    };

    fn of(board: &Board, edition: &Edition, words: &Automaton, place: Place, direction: Direction) -> Self {
        let premium = edition.premiums.at(place);
        if let Some(laid) = board.at(place) {
            return Self { laid: Some(laid), premium, ..Self::NONE };
        }
        if board.is_empty() {
            return Self { premium, anchor: place == Place::CENTRE, ..Self::NONE };
        }
        let filled = |beside: Option<Place>| beside.is_some_and(|beside| board.is_filled(beside));
        let along = filled(place.previous(direction)) || filled(place.next(direction));
        let crossing = direction.crossing();
        if !filled(place.previous(crossing)) && !filled(place.next(crossing)) {
            return Self { premium, anchor: along, ..Self::NONE };
        }
        let (fits, points) = crossing_word(board, edition, words, place, crossing);
        Self { laid: None, fits, crossing: Some(points), premium, anchor: true }
    }
}

/// Which letters on an empty square form a word with what lies before and after it, and the points
/// of that.
fn crossing_word(
    board: &Board,
    edition: &Edition,
    words: &Automaton,
    place: Place,
    direction: Direction,
) -> (Faces, i32) {
    let mut first = place;
    while let Some(before) = first.previous(direction).filter(|before| board.is_filled(*before)) {
        first = before;
    }
    let next = |place: Place| place.next(direction).filter(|next| board.is_filled(*next));
    let laid = |place: &Place| board.at(*place);
    let before = std::iter::successors(Some(first), |place| place.next(direction));
    let before = before.take_while(|before| *before != place).filter_map(|place| laid(&place));
    let after = std::iter::successors(next(place), |place| next(*place));
    let points = before.clone().chain(after.clone().filter_map(|place| laid(&place)));
    let points = points.map(|laid| i32::from(edition.value(laid.tile()))).sum();
    let mut node = words.root();
    for laid in before {
        match words.step(node, laid.face()) {
            Some(step) => node = step.node(),
            None => return (0, points),
        }
    }
    let mut fits = 0;
    for step in words.steps(node, ANY) {
        let mut end = Some(step);
        for laid in after.clone().filter_map(|place| laid(&place)) {
            end = end.and_then(|step| words.step(step.node(), laid.face()));
        }
        if end.is_some_and(Step::ends) {
            fits |= 1 << step.face();
        }
    }
    (fits, points)
}
