//! Holds each event of a file against the rules: where tiles may lie, what they score, what the
//! end adds. Words are not judged, and bags not counted: racks in files are often incomplete.

use crate::crossword::alphabet::Laid;
use crate::crossword::board::Board;
use crate::crossword::edition::Edition;
use crate::crossword::gcg::{Action, Event, Fault, Gcg, GcgError};
use crate::crossword::laying::Laying;
use crate::crossword::place::Start;
use crate::crossword::tiles::Tiles;

/// A game, or the beginning of one, that agrees with the rules at every event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scored {
    /// What lies on the board.
    pub board: Board,
    /// By player.
    pub totals: Vec<i32>,
}

impl Gcg {
    /// Scores every event again. The error is the first one that differs.
    pub fn score(&self, edition: &Edition) -> Result<Scored, GcgError> {
        let mut game = Game::new(self, edition);
        self.events.iter().try_for_each(|event| game.apply(event))?;
        Ok(game.scored)
    }

    /// The game before its first event and after each of them. An error is the first one that differs; what
    /// comes after it means nothing.
    pub fn steps(&self, edition: &Edition) -> impl Iterator<Item = Result<Scored, GcgError>> {
        let mut game = Game::new(self, edition);
        let first = Ok(game.scored.clone());
        let rest = self.events.iter().map(move |event| game.apply(event).map(|()| game.scored.clone()));
        std::iter::once(first).chain(rest)
    }
}

struct Game<'e> {
    edition: &'e Edition,
    scored: Scored,
    /// The play that could be taken back: whose, and what it scored.
    last: Option<(usize, Laying, i32)>,
}

impl<'e> Game<'e> {
    fn new(gcg: &Gcg, edition: &'e Edition) -> Self {
        let scored = Scored { board: Board::EMPTY, totals: vec![0; gcg.players.len()] };
        Self { edition, scored, last: None }
    }

    fn apply(&mut self, event: &Event) -> Result<(), GcgError> {
        self.happen(event).map_err(|fault| GcgError { line: event.line, fault })
    }

    fn happen(&mut self, event: &Event) -> Result<(), Fault> {
        let last = self.last.take();
        let right = match &event.action {
            Action::Play(start, tiles) => self.play(event, *start, tiles)?,
            Action::Pass => 0,
            Action::Exchange(tiles) => {
                // A number says how many.
                if !tiles.bytes().all(|digit| digit.is_ascii_digit()) {
                    self.tiles(tiles)?;
                }
                0
            }
            Action::Withdrawn => {
                let mine = last.filter(|(player, ..)| *player == event.player);
                let (_, laying, score) = mine.ok_or(Fault::NothingWithdrawn)?;
                laying.lift(&mut self.scored.board);
                -score
            }
            Action::EndBonus(tiles) => {
                let value = self.tiles(tiles)?.value(self.edition);
                if self.scored.totals.len() > 2 { value } else { 2 * value }
            }
            Action::EndPenalty(tiles) => -self.tiles(tiles)?.value(self.edition),
            // How much they are is up to the tournament.
            Action::ChallengeBonus | Action::Time => {
                self.last = last;
                event.score
            }
        };
        if right != event.score {
            return Err(Fault::Score { found: event.score, right });
        }
        let total = self.scored.totals.get_mut(event.player).ok_or(Fault::NoPlayer)?;
        *total += right;
        if *total != event.total {
            return Err(Fault::Total { found: event.total, right: *total });
        }
        Ok(())
    }

    fn play(&mut self, event: &Event, start: Start, tiles: &str) -> Result<i32, Fault> {
        let tiles = self.without_filled(start, tiles);
        let board = &mut self.scored.board;
        let laying = Laying::read(self.edition, board, start, &tiles)?;
        if !event.rack.is_empty() {
            laying.take_from(&mut tiles_of(&event.rack, self.edition)?, self.edition)?;
        }
        laying.check_contact(board)?;
        laying.lay(board);
        let score = laying.score(self.edition, board).total();
        self.last = Some((event.player, laying, score));
        Ok(score)
    }

    /// The play with `.` for each letter that lies there already, in brackets or not.
    fn without_filled(&self, start: Start, tiles: &str) -> String {
        let mut place = Some(start.place);
        let mut text = String::with_capacity(tiles.len());
        for character in tiles.chars().filter(|character| !matches!(character, '(' | ')')) {
            let there = place.and_then(|place| self.scored.board.at(place)).map(Laid::face);
            let said = self.edition.alphabet.laid(character).map(Laid::face);
            text.push(if there.is_some() && there == said { '.' } else { character });
            place = place.and_then(|place| place.next(start.direction));
        }
        text
    }

    fn tiles(&self, text: &str) -> Result<Tiles, Fault> {
        tiles_of(text, self.edition)
    }
}

fn tiles_of(text: &str, edition: &Edition) -> Result<Tiles, Fault> {
    Tiles::read(text, edition).map_err(|why| Fault::Letters(why.to_string()))
}
