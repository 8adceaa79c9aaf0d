//! A row or a column as the finder of plays sees it: what lies there, which letters fit the words
//! that cross it, where a play can touch the board.

use crate::crossword::alphabet::Laid;
use crate::crossword::board::{Board, Grid};
use crate::crossword::dictionary::automaton::{Automaton, Faces, Step};
use crate::crossword::edition::Edition;
use crate::crossword::place::{Direction, Place, SIDE};
use crate::crossword::premium::Premium;
use arrayvec::ArrayVec;

/// Every letter.
pub(super) const ANY: Faces = Faces::MAX;

/// What lies next to each other.
type Letters = ArrayVec<Laid, SIDE>;

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
        let grids = Direction::BOTH.map(|direction| board.grid(direction));
        let numbered = |direction| (0..SIDE).map(move |number| (direction, number));
        let lines = Direction::BOTH.into_iter().flat_map(numbered);
        lines.filter_map(move |(direction, number)| {
            let [along, across] = match direction {
                Direction::Across => [&grids[0], &grids[1]],
                Direction::Down => [&grids[1], &grids[0]],
            };
            let cut = Cut { along, across, direction, number };
            cut.reaches().then(|| cut.line(edition, words)).flatten()
        })
    }

    /// The place of a square of the line.
    pub(super) fn place(&self, offset: usize) -> Place {
        place(self.direction, self.first, offset).unwrap_or(self.first)
    }
}

/// The place of a square of the line that a place is on.
const fn place(direction: Direction, on: Place, offset: usize) -> Option<Place> {
    match direction {
        Direction::Across => Place::at(on.row(), offset),
        Direction::Down => Place::at(offset, on.column()),
    }
}

/// A line of a board, with all that lie beside it and across it.
struct Cut<'g> {
    along: &'g Grid,
    across: &'g Grid,
    direction: Direction,
    number: usize,
}

impl Cut<'_> {
    /// True if a tile lies on the line or next to it, or if it is the one where all begins.
    fn reaches(&self) -> bool {
        let near = self.number.saturating_sub(1)..(self.number + 2).min(SIDE);
        self.along[near].as_flattened().iter().any(|code| *code != 0) || self.number == SIDE / 2
    }

    fn line(&self, edition: &Edition, words: &Automaton) -> Option<Line> {
        let on = Place::at(self.number, self.number)?;
        let first = place(self.direction, on, 0)?;
        let is_empty = self.along.as_flattened().iter().all(|code| *code == 0);
        let mut squares = [Square::NONE; SIDE];
        for (offset, square) in squares.iter_mut().enumerate() {
            let here = place(self.direction, on, offset)?;
            *square = Square { premium: edition.premiums.at(here), ..self.square(offset, edition, words) };
            square.anchor |= is_empty && here == Place::CENTRE;
        }
        let reachable = squares.iter().any(|square| square.anchor);
        reachable.then_some(Line { direction: self.direction, first, squares })
    }

    /// A square of the line, but for its premium.
    fn square(&self, offset: usize, edition: &Edition, words: &Automaton) -> Square {
        let (along, across) = (&self.along[self.number], &self.across[offset]);
        let laid = Laid::of_code(along[offset]);
        if laid.is_some() {
            return Square { laid, ..Square::NONE };
        }
        if !is_beside(across, self.number) {
            return Square { anchor: is_beside(along, offset), ..Square::NONE };
        }
        let (fits, points) = crossing_word(across, self.number, edition, words);
        Square { fits, crossing: Some(points), anchor: true, ..Square::NONE }
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
}

/// True if something lies before or after a square of a line.
fn is_beside(line: &[u8; SIDE], offset: usize) -> bool {
    let before = offset.checked_sub(1).and_then(|before| line.get(before));
    [before, line.get(offset + 1)].into_iter().flatten().any(|code| *code != 0)
}

/// Which letters on an empty square form a word with what lies before and after it, and the points
/// of that.
fn crossing_word(line: &[u8; SIDE], offset: usize, edition: &Edition, words: &Automaton) -> (Faces, i32) {
    let (before, after) = (&line[..offset], &line[offset + 1..]);
    let first = before.iter().rposition(|code| *code == 0).map_or(0, |empty| empty + 1);
    let end = after.iter().position(|code| *code == 0).unwrap_or(after.len());
    let laid = |codes: &'_ [u8]| codes.iter().filter_map(|code| Laid::of_code(*code)).collect::<Letters>();
    let (before, after) = (laid(&before[first..]), laid(&after[..end]));
    let points = before.iter().chain(&after).map(|laid| i32::from(edition.value(laid.tile()))).sum();
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
        for laid in &after {
            end = end.and_then(|step| words.step(step.node(), laid.face()));
        }
        if end.is_some_and(Step::ends) {
            fits |= 1 << step.face();
        }
    }
    (fits, points)
}
