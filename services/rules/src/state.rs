//! The state of a table: a cache of what its log says, as plain values with a strict reader.

use crate::canonical::canonical;
use crate::error::InvalidGame;
use crate::game::Game;
use crate::log::MOVES_MAX;
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatList, Turn};
use crate::strict::{object, object_or_null};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Debug};
use uuid::Uuid;

/// A table after some number of moves.
pub struct State<G: Game> {
    /// The table.
    pub table: Uuid,
    /// How many moves were made.
    pub number: u32,
    /// Whose turn it is.
    pub turn: Turn,
    /// The game's data.
    pub data: G::Data,
    /// Present when the game is over.
    pub outcome: Option<Outcome>,
}

impl<G: Game> Clone for State<G> {
    fn clone(&self) -> Self {
        Self {
            table: self.table,
            number: self.number,
            turn: self.turn.clone(),
            data: self.data.clone(),
            outcome: self.outcome.clone(),
        }
    }
}

impl<G: Game> PartialEq for State<G> {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table
            && self.number == other.number
            && self.turn == other.turn
            && self.data == other.data
            && self.outcome == other.outcome
    }
}

impl<G: Game> Debug for State<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("State")
            .field("number", &self.number)
            .field("turn", &self.turn)
            .field("data", &self.data)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

/// The plain form of a state; `D` is the game's data or a borrow of it.
///
/// An optional field that names its reader must still be present: absent is not `null`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Plain<D, P> {
    table: Uuid,
    number: u32,
    phase: P,
    order: SeatList,
    #[serde(deserialize_with = "Option::deserialize")]
    acting: Option<Seat>,
    waiting: SeatList,
    #[serde(deserialize_with = "Option::deserialize")]
    initiative: Option<Seat>,
    data: D,
    #[serde(deserialize_with = "object_or_null")]
    outcome: Option<Outcome>,
}

impl<G: Game> State<G> {
    /// The state as canonical JSON, hidden parts included.
    pub fn to_json(&self) -> Result<String, InvalidGame> {
        canonical(&Plain {
            table: self.table,
            number: self.number,
            phase: self.turn.phase,
            order: self.turn.order.clone(),
            acting: self.turn.acting,
            waiting: self.turn.waiting.clone(),
            initiative: self.turn.initiative,
            data: &self.data,
            outcome: self.outcome.clone(),
        })
        .map_err(|error| InvalidGame::new("state", error))
    }

    /// Reads a state back and checks every field, for a table with this many seats.
    pub fn from_json(text: &str, game: &G, seats: u8) -> Result<Self, InvalidGame> {
        let plain: Plain<G::Data, String> = object("state", "state.", text)?;
        if plain.number > MOVES_MAX {
            return Err(InvalidGame::new(
                "state.number",
                format_args!("a log holds at most {MOVES_MAX} moves"),
            ));
        }
        let turn = Turn {
            phase: known_phase(game, &plain.phase)?,
            order: plain.order,
            acting: plain.acting,
            waiting: plain.waiting,
            initiative: plain.initiative,
        };
        let state =
            Self { table: plain.table, number: plain.number, turn, data: plain.data, outcome: plain.outcome };
        state.check(seats)?;
        Ok(state)
    }

    /// Refuses whose turn it can't be, and endings without a result for each seat.
    pub(crate) fn check(&self, seats: u8) -> Result<(), InvalidGame> {
        check_turn(&self.turn, seats)?;
        let Some(outcome) = &self.outcome else { return Ok(()) };
        let seats = usize::from(seats);
        if outcome.results.len() != seats || outcome.scores.len() != seats {
            return Err(InvalidGame::new("state.outcome", "needs a result and a score for each seat"));
        }
        if self.turn.to_move().next().is_some() {
            return Err(InvalidGame::new("state.outcome", "the game is over and yet a seat is to move"));
        }
        Ok(())
    }
}

/// The phase of this name among those that the game declares.
pub(crate) fn known_phase<G: Game>(game: &G, word: &str) -> Result<&'static str, InvalidGame> {
    let phases = game.about().phases;
    phases
        .iter()
        .find(|phase| **phase == word)
        .copied()
        .ok_or_else(|| InvalidGame::new("state.phase", "not a phase of this game"))
}

/// A turn order names seats of the table, each once; who acts or is waited for is in it.
fn check_turn(turn: &Turn, seats: u8) -> Result<(), InvalidGame> {
    for (place, seat) in turn.order.iter().enumerate() {
        if seat.0 >= seats || turn.order[..place].contains(seat) {
            return Err(InvalidGame::new(
                format_args!("state.order[{place}]"),
                "not a seat of the table, or twice",
            ));
        }
    }
    let in_order = |seat: &Seat| turn.order.contains(seat);
    if !turn.acting.iter().all(in_order) {
        return Err(InvalidGame::new("state.acting", "the seat is not in the turn order"));
    }
    if !turn.initiative.iter().all(in_order) {
        return Err(InvalidGame::new("state.initiative", "the seat is not in the turn order"));
    }
    for (place, seat) in turn.waiting.iter().enumerate() {
        if !in_order(seat) || turn.waiting[..place].contains(seat) {
            return Err(InvalidGame::new(
                format_args!("state.waiting[{place}]"),
                "the seat is not in the turn order, or twice",
            ));
        }
    }
    Ok(())
}
