//! Finds every legal play of a rack on a board, blanks too. It knows nothing of which one is good.
//!
//! Each line is searched from the squares where a play can touch the board: first what may stand
//! before such a square, then onward from it, always along the arcs of the dictionary, so that
//! only beginnings of words are ever tried.

use crate::crossword::alphabet::Laid;
use crate::crossword::board::Board;
use crate::crossword::content::Play;
use crate::crossword::dictionary::Dictionary;
use crate::crossword::dictionary::automaton::{Automaton, Faces, Step};
use crate::crossword::edition::Edition;
use crate::crossword::line::{ANY, Line};
use crate::crossword::place::{Direction, SIDE, Start};
use crate::crossword::tiles::{RACK, Tiles};

/// A legal play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Where its word begins.
    pub start: Start,
    /// What it scores.
    pub score: i32,
    /// The whole word, with what lay there before.
    word: [u8; SIDE],
    length: u8,
    /// A bit for each letter that is laid.
    laid: u16,
}

impl Found {
    /// The play as it is written.
    pub fn play(&self, edition: &Edition) -> Play {
        let character = |(place, code): (usize, &u8)| match Laid::of_code(*code) {
            Some(laid) if self.laid >> place & 1 == 1 => edition.alphabet.character(laid),
            _ => '.',
        };
        let word = self.word.iter().take(self.length.into());
        Play { at: self.start, tiles: word.enumerate().map(character).collect() }
    }
}

/// Tells of every play of a rack, once each, and of the tiles that would be left on the rack. A
/// play of one tile that forms words both ways is told across.
pub fn plays(dictionary: &Dictionary, board: &Board, rack: &Tiles, told: &mut impl FnMut(&Found, &Tiles)) {
    let edition = dictionary.variant().edition();
    let words = dictionary.automaton();
    for line in Line::all(board, edition, words) {
        let held = rack.faces().fold(0, |held, face| held | 1 << face);
        let mut search = Search {
            words,
            edition,
            line: &line,
            rack: *rack,
            held,
            anchor: 0,
            before: [0; SIDE],
            codes: [0; SIDE],
            told,
        };
        search.line();
    }
}

/// The blank among the faces on a rack.
const BLANK: Faces = 1;

struct Search<'s, F> {
    words: &'s Automaton,
    edition: &'s Edition,
    line: &'s Line,
    rack: Tiles,
    /// The faces on the rack, the blank too.
    held: Faces,
    /// The square where the play touches the board; those before it are settled when it is chosen.
    anchor: usize,
    /// Faces that are laid before the anchor, from the first one on.
    before: [u8; SIDE],
    /// Faces from the anchor on, by square.
    codes: [u8; SIDE],
    told: &'s mut F,
}

impl<F: FnMut(&Found, &Tiles)> Search<'_, F> {
    fn line(&mut self) {
        // The squares before an anchor up to the last thing that stands in the way.
        let mut room = 0;
        let squares = &self.line.squares;
        for (offset, square) in squares.iter().enumerate() {
            if square.anchor && self.usable(square.fits) != 0 {
                self.anchor = offset;
                let filled = offset > 0 && squares[offset - 1].laid.is_some();
                if filled { self.after_filled() } else { self.beginnings(self.words.root(), 0, room) }
            }
            room = if square.anchor || square.laid.is_some() { 0 } else { room + 1 };
        }
    }

    /// Those of some letters that the rack can lay.
    const fn usable(&self, fits: Faces) -> Faces {
        if self.held & BLANK == 0 { fits & self.held } else { fits }
    }

    /// What lies before the anchor begins the word.
    fn after_filled(&mut self) {
        let squares = &self.line.squares;
        let first = squares[..self.anchor].iter().rposition(|square| square.laid.is_none());
        let first = first.map_or(0, |empty| empty + 1);
        let mut node = self.words.root();
        for square in &squares[first..self.anchor] {
            let step = square.laid.and_then(|laid| self.words.step(node, laid.face()));
            let Some(step) = step else { return };
            node = step.node();
        }
        self.lay(node, self.anchor, first);
    }

    /// Tries every beginning of a word that has room before the anchor.
    fn beginnings(&mut self, node: u32, length: usize, room: usize) {
        self.lay(node, self.anchor, self.anchor - length);
        if room == 0 || self.rack.count() < 2 {
            return;
        }
        for step in self.words.steps(node, self.usable(ANY)) {
            // A word that ends here does not reach the anchor.
            if step.node() == 0 {
                continue;
            }
            self.with_tile(step, |search, laid| {
                search.before[length] = laid.code();
                search.beginnings(step.node(), length + 1, room - 1);
            });
        }
    }

    /// Lays a tile on an empty square, at or after the anchor, in a word that begins at `first`.
    fn lay(&mut self, node: u32, offset: usize, first: usize) {
        let Some(square) = self.line.squares.get(offset) else { return };
        for step in self.words.steps(node, self.usable(square.fits)) {
            self.with_tile(step, |search, laid| {
                search.codes[offset] = laid.code();
                search.onward(step, offset + 1, first);
            });
        }
    }

    /// Goes on after a tile: past all that lies there, and with one more.
    fn onward(&mut self, mut step: Step, mut offset: usize, first: usize) {
        let squares = &self.line.squares;
        while let Some(laid) = squares.get(offset).and_then(|square| square.laid) {
            let Some(next) = self.words.step(step.node(), laid.face()) else { return };
            step = next;
            offset += 1;
        }
        if step.ends() {
            self.tell(first, offset);
        }
        if self.held != 0 && step.node() != 0 {
            self.lay(step.node(), offset, first);
        }
    }

    /// Takes the tile of a letter from the rack for a while, then a blank in its place.
    #[inline]
    fn with_tile(&mut self, step: Step, go: impl Fn(&mut Self, Laid)) {
        let face = step.face();
        let held = self.held;
        for laid in [Laid::letter(face), Laid::blank(face)] {
            let tile = laid.tile();
            if held >> tile & 1 == 0 || self.rack.take(tile).is_err() {
                continue;
            }
            if self.rack.of(tile) == 0 {
                self.held &= !(1 << tile);
            }
            go(self, laid);
            self.rack.put(tile);
            self.held = held;
        }
    }

    /// A word that ends before `end`.
    fn tell(&mut self, first: usize, end: usize) {
        let mut found = Found {
            start: Start { place: self.line.place(first), direction: self.line.direction },
            score: 0,
            word: [0; SIDE],
            length: (end - first) as u8,
            laid: 0,
        };
        let (mut sum, mut times, mut crossings) = (0, 1, 0);
        let (mut count, mut crossed) = (0, false);
        for (place, offset) in (first..end).enumerate() {
            let square = &self.line.squares[offset];
            if let Some(laid) = square.laid {
                found.word[place] = laid.code();
                sum += i32::from(self.edition.value(laid.tile()));
                continue;
            }
            let code = if offset < self.anchor { self.before[place] } else { self.codes[offset] };
            found.word[place] = code;
            found.laid |= 1 << place;
            count += 1;
            let tile = Laid::of_code(code).map_or(0, Laid::tile);
            let points = i32::from(self.edition.value(tile)) * i32::from(square.premium.letter);
            let word = i32::from(square.premium.word);
            sum += points;
            times *= word;
            if let Some(beside) = square.crossing {
                crossings += (beside + points) * word;
                crossed = true;
            }
        }
        if end - first < 2 || (count == 1 && crossed && self.line.direction == Direction::Down) {
            return;
        }
        let bonus = if count == RACK { self.edition.bonus } else { 0 };
        found.score = sum * times + crossings + bonus;
        (self.told)(&found, &self.rack);
    }
}
