//! The series in a certificate: the games before this one are those of the same seats, each once, and the
//! last one is this game as it ended. What earlier games were is for their own certificates.

use super::{SeriesGame, SeriesRecord};
use crate::error::InvalidGame;
use crate::log::Opening;
use crate::outcome::{EndReason, Outcome};

impl SeriesRecord {
    /// Refuses a series in which no game of this opening can have ended so.
    pub(super) fn check(&self, opening: &Opening, outcome: &Outcome) -> Result<(), InvalidGame> {
        for (place, game) in self.games.iter().enumerate() {
            let wrong = |member: &str, why: &str| {
                Err(InvalidGame::new(format_args!("series.games[{place}].{member}"), why))
            };
            if self.games[..place].iter().any(|earlier| earlier.table == game.table) {
                return wrong("table", "the same game twice");
            }
            if game.first_seat.0 >= opening.seats {
                return wrong("firstSeat", "not a seat of the table");
            }
            if game.winner.is_some_and(|winner| winner.0 >= opening.seats) {
                return wrong("winner", "not a seat of the table");
            }
            if game.scores.len() != usize::from(opening.seats) {
                return wrong("scores", "needs a score for each seat");
            }
            if EndReason::named(&game.reason).is_none() {
                return wrong("reason", "no way in which a game ends");
            }
        }
        if self.games.last() == Some(&SeriesGame::of(opening, outcome)) {
            return Ok(());
        }
        Err(InvalidGame::new("series.games", "the last one is not this game as it ended"))
    }
}

impl SeriesGame {
    /// A game that was opened and has ended so.
    pub fn of(opening: &Opening, outcome: &Outcome) -> Self {
        Self {
            table: opening.table,
            first_seat: opening.first_seat,
            reason: outcome.reason.as_str().to_owned(),
            winner: outcome.winner(),
            scores: outcome.scores.clone(),
        }
    }
}
