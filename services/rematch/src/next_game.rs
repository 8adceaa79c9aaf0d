//! The game that would follow a finished one: its id is fixed by that one's and by the attempt, so that
//! nothing that is done twice makes two games. Pure.

use crate::series::is_decided;
use astragal_proto::engine::v1::Ending;
use astragal_proto::gateway::v1::SeriesGame;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{SeriesId, TableId};
use uuid::Uuid;

/// The most attempts at one next game; each one before it was aborted.
pub const ATTEMPTS_MAX: u32 = 1_000;

/// A game that is not there yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NextGame {
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// Its id.
    pub id: TableId,
    /// Who moves first in it.
    pub first_seat: u8,
    /// The series that it goes on with, or begins.
    pub series_id: SeriesId,
    /// The games of that series so far: a JSON array.
    pub series: String,
    /// Whether a clock runs out within minutes.
    pub real_time: bool,
}

/// The id of the next game of a finished one.
pub fn next_id(finished: TableId, attempt: u32) -> TableId {
    TableId(Uuid::new_v5(&finished.0, format!("rematch:{attempt}").as_bytes()))
}

/// Which attempt at the next game of `finished` a game is, if it is one.
pub fn attempt_of(finished: TableId, next: TableId) -> Option<u32> {
    (1..=ATTEMPTS_MAX).find(|attempt| next_id(finished, *attempt) == next)
}

impl NextGame {
    /// The first attempt at the game after one that has ended: the first seat moves on; a match that is
    /// decided gives way to a series of its own.
    pub fn after(ending: &Ending, finished: TableId) -> Result<Self> {
        let games = games_of(ending)?;
        let seats = (ending.occupants.len() as u32).max(1);
        let first_seat = (ending.first_seat + 1) % seats;
        if is_decided(&games, ending.best_of) {
            return Self::of(ending, next_id(finished, 1), 1, first_seat, None, &[]);
        }
        Self::of(ending, next_id(finished, 1), 1, first_seat, ending.series_id.parse().ok(), &games)
    }

    /// The same game once more, after an attempt at it was aborted.
    pub fn again(aborted: &Ending, finished: TableId, attempt: u32) -> Result<Self> {
        let mut games = games_of(aborted)?;
        games.retain(|game| game.game_id != aborted.table_id);
        let known = aborted.series_id.parse().ok();
        Self::of(aborted, next_id(finished, attempt), attempt, aborted.first_seat, known, &games)
    }

    fn of(
        ending: &Ending,
        id: TableId,
        attempt: u32,
        first_seat: u32,
        series_id: Option<SeriesId>,
        series: &[SeriesGame],
    ) -> Result<Self> {
        Ok(Self {
            attempt,
            id,
            first_seat: first_seat as u8,
            series_id: series_id.unwrap_or_else(|| SeriesId(Uuid::new_v5(&id.0, b"series"))),
            series: serde_json::to_string(series).map_err(|error| Problem::internal(&error))?,
            real_time: ending.time_control.as_ref().is_some_and(|clock| clock.initial.is_some()),
        })
    }
}

fn games_of(ending: &Ending) -> Result<Vec<SeriesGame>> {
    let unreadable = |_| Problem::invalid_argument("series must be a JSON array of finished games");
    serde_json::from_slice(&ending.series).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_proto::engine::v1::Occupant;

    fn ending(id: TableId, winners: &[u32], best_of: u32) -> Ending {
        let game = |winner: &u32| SeriesGame {
            game_id: id.to_string(),
            reason: "finished".to_owned(),
            winner: Some(*winner),
            ..SeriesGame::default()
        };
        let series: Vec<SeriesGame> = winners.iter().map(game).collect();
        Ending {
            table_id: id.to_string(),
            occupants: vec![Occupant::default(); 2],
            first_seat: 1,
            series_id: SeriesId(id.0).to_string(),
            series: serde_json::to_vec(&series).expect("JSON").into(),
            best_of,
            ..Ending::default()
        }
    }

    #[test]
    fn r2_the_next_game_has_a_fixed_id_of_its_own() {
        let (one, other) = (TableId::new(), TableId::new());
        assert_eq!(next_id(one, 1), next_id(one, 1));
        assert!(next_id(one, 1) != next_id(one, 2) && next_id(one, 1) != next_id(other, 1));
        assert_eq!(attempt_of(one, next_id(one, 7)), Some(7));
        assert_eq!(attempt_of(other, next_id(one, 7)), None);
    }

    #[test]
    fn r3_the_first_seat_moves_on_and_the_series_goes_on() {
        let id = TableId::new();
        let next = NextGame::after(&ending(id, &[0], 0), id).expect("a next game");
        assert_eq!((next.first_seat, next.series_id), (0, SeriesId(id.0)));
        assert_eq!(serde_json::from_str::<Vec<SeriesGame>>(&next.series).expect("games").len(), 1);
    }

    #[test]
    fn r11_a_match_that_is_decided_gives_way_to_a_new_series() {
        let id = TableId::new();
        let goes_on = NextGame::after(&ending(id, &[0], 3), id).expect("a next game");
        assert_eq!(goes_on.series_id, SeriesId(id.0));
        let new = NextGame::after(&ending(id, &[0, 1, 0], 3), id).expect("a next game");
        assert_eq!((new.first_seat, &*new.series), (0, "[]"), "the first seat goes on alternating");
        assert_ne!(new.series_id, goes_on.series_id);
        assert_eq!(new, NextGame::after(&ending(id, &[0, 1, 0], 3), id).expect("the same"));
    }

    #[test]
    fn r12_an_attempt_after_an_abort_is_the_same_game_under_another_id() {
        let (finished, id) = (TableId::new(), TableId::new());
        let aborted = ending(id, &[0], 0);
        let again = NextGame::again(&aborted, finished, 2).expect("a next game");
        assert_eq!((again.first_seat, &*again.series), (1, "[]"), "without the aborted game itself");
        assert_eq!(again.id, next_id(finished, 2));
    }
}
