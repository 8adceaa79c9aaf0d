//! The table machine: one game's table, brought forward move by move. It knows nothing of
//! journals, clocks, occupants or viewers' frames.
//!
//! Every function takes a state and gives a new one; a refused move leaves all as it was.

use crate::canonical::canonical;
use crate::chance::Chance;
use crate::error::{IllegalMove, InvalidGame, UndoError};
use crate::game::{Game, Judge, Next, Table};
use crate::log::{Header, LoggedMove, MOVES_MAX, Opening};
use crate::outcome::{EndReason, Outcome, SeatResult};
use crate::said::no_move;
use crate::seat::{Seat, SeatList, Turn};
use crate::state::{State, known_phase};
use crate::strict::object;
use crate::table_move::TableMove;
use serde::de::Error as _;
use std::sync::Arc;

/// A game's table: what never changes, and the state after some moves.
pub struct GameTable<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) opening: Arc<Opening>,
    pub(crate) table: Arc<Table<G>>,
    pub(crate) state: State<G>,
}

/// A move of the game, or one that every table has.
pub(crate) enum Action<M> {
    Table(TableMove),
    Game(M),
}

/// Why a step was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The move can't be made.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game broke a promise: the table can't go on.
    #[error(transparent)]
    Broken(#[from] InvalidGame),
}

impl<G: Game> Clone for GameTable<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            opening: Arc::clone(&self.opening),
            table: Arc::clone(&self.table),
            state: self.state.clone(),
        }
    }
}

impl<G: Game> GameTable<G> {
    /// The table before its first move.
    pub fn setup(game: Arc<G>, opening: Arc<Opening>) -> Result<Self, InvalidGame> {
        let table = Arc::new(typed_table(&*game, &opening)?);
        let mut chance = Chance::of_step(&opening.seed, 0);
        let next = game.setup(&table, &mut chance)?;
        let state = settle(&*game, &opening, None, next)?;
        Ok(Self { game, opening, table, state })
    }

    /// The table in a state that a cache gave back.
    pub fn restore(game: Arc<G>, opening: Arc<Opening>, state: &str) -> Result<Self, InvalidGame> {
        let table = Arc::new(typed_table(&*game, &opening)?);
        let state = State::from_json(state, &*game, opening.seats)?;
        if state.table != opening.table {
            return Err(InvalidGame::new("state.table", "the state is of another table"));
        }
        let below =
            |error: InvalidGame| InvalidGame::new(format_args!("state.data.{}", error.place), error.why);
        game.check_data(&table, &state.data).map_err(below)?;
        Ok(Self { game, opening, table, state })
    }

    /// One more move: what to append, and the table after it.
    pub fn step(
        &self,
        seat: Option<Seat>,
        action: &str,
        judge: &dyn Judge,
    ) -> Result<(LoggedMove, Self), StepError> {
        let action = read_action::<G>(seat, action)?;
        let text = match &action {
            Action::Table(table_move) => canonical(table_move),
            Action::Game(game_move) => canonical(game_move),
        };
        let text = text.map_err(|error| InvalidGame::at_move(self.state.number + 1, error))?;
        let (state, drew) = self.apply(&self.state, seat, &action, judge)?;
        let logged = LoggedMove { number: state.number, seat, action: text.into(), drew };
        Ok((logged, Self { state, ..self.clone() }))
    }

    /// Applies the moves that follow this state, as they were made; their words were judged then.
    pub fn advance<'m>(
        &self,
        header: &Header,
        moves: impl IntoIterator<Item = &'m LoggedMove>,
        judge: &dyn Judge,
    ) -> Result<Self, InvalidGame> {
        if header.opening.table != self.opening.table {
            return Err(InvalidGame::new("table", "the state is of another table"));
        }
        if self.state.number > header.moves {
            return Err(InvalidGame::at_move(self.state.number, "the state is past the end of the log"));
        }
        let mut state = self.state.clone();
        for logged in moves {
            if logged.number != state.number + 1 {
                let why = format!("does not follow move {}", state.number);
                return Err(InvalidGame::at_move(logged.number, why));
            }
            if logged.number > header.moves {
                return Err(InvalidGame::at_move(logged.number, "past the end of the log"));
            }
            let at_move = |why: &dyn std::fmt::Display| InvalidGame::at_move(logged.number, why);
            let action = read_action::<G>(logged.seat, &logged.action).map_err(|why| at_move(&why))?;
            let (next, drew) =
                self.apply(&state, logged.seat, &action, judge).map_err(|why| at_move(&why))?;
            if drew != logged.drew {
                let why = if drew { "draws at random but did not" } else { "drew at random but does not" };
                return Err(at_move(&why));
            }
            state = next;
        }
        Ok(Self { state, ..self.clone() })
    }

    /// Whether the last move may be taken back by a seat, or by the table itself.
    pub fn check_undo(&self, last: &LoggedMove, actor: Option<Seat>) -> Result<(), UndoError> {
        if self.state.outcome.is_some() {
            return Err(UndoError::GameOver);
        }
        if last.number != self.state.number {
            return Err(UndoError::Refused("only the last move can be taken back"));
        }
        if actor.is_some() && actor != last.seat {
            return Err(UndoError::Refused("only the seat that made the last move can take it back"));
        }
        if last.drew {
            return Err(UndoError::Refused("the move drew at random and can't be taken back"));
        }
        match read_action::<G>(last.seat, &last.action) {
            Ok(Action::Game(made)) if self.game.may_undo(&self.table, &self.state, &made) => Ok(()),
            _ => Err(UndoError::Refused("the rules do not let this move be taken back")),
        }
    }

    fn apply(
        &self,
        state: &State<G>,
        seat: Option<Seat>,
        action: &Action<G::Move>,
        judge: &dyn Judge,
    ) -> Result<(State<G>, bool), StepError> {
        if state.outcome.is_some() {
            return Err(IllegalMove::GameOver.into());
        }
        if state.number >= MOVES_MAX {
            return Err(IllegalMove::LogFull.into());
        }
        let number = state.number + 1;
        let mut chance = Chance::of_step(&self.opening.seed, number.into());
        let next = match action {
            Action::Table(table_move) => self.end_or_retire(state, *table_move, &mut chance)?,
            Action::Game(game_move) => {
                if let Some(seat) = seat.filter(|seat| !state.turn.awaits(*seat)) {
                    return Err(IllegalMove::NotYourTurn(seat).into());
                }
                let next = self.game.play(&self.table, state, seat, game_move, &mut chance, judge)?;
                settle(&*self.game, &self.opening, Some(state), next)?
            }
        };
        Ok((next, chance.drew()))
    }

    /// A move of the table: with two left the game ends; before that the seat retires.
    fn end_or_retire(
        &self,
        state: &State<G>,
        table_move: TableMove,
        chance: &mut Chance<'_>,
    ) -> Result<State<G>, StepError> {
        let Some((seat, reason)) = table_move.retires() else {
            // Who is out has lost; nobody takes that back.
            if state.turn.order.len() < usize::from(self.opening.seats) {
                return Err(
                    IllegalMove::forbidden("a seat is out already, so the game can't be aborted").into()
                );
            }
            return Ok(self.ended(state, state.turn.order.clone(), EndReason::Aborted)?);
        };
        if !state.turn.order.contains(&seat) {
            return Err(IllegalMove::forbidden(format_args!("seat {seat} does not play any more")).into());
        }
        if state.turn.order.len() <= 2 {
            let left = state.turn.without(seat).order;
            return Ok(self.ended(state, left, reason)?);
        }
        let next = self.game.retire(&self.table, state, seat, chance);
        if next.turn.order.contains(&seat) {
            return Err(InvalidGame::at_move(state.number + 1, "the seat did not retire").into());
        }
        Ok(settle(&*self.game, &self.opening, Some(state), next)?)
    }

    fn ended(&self, state: &State<G>, left: SeatList, reason: EndReason) -> Result<State<G>, InvalidGame> {
        let result = |seat| match reason {
            EndReason::Aborted => SeatResult::None,
            _ if left.contains(&seat) => SeatResult::Won,
            _ => SeatResult::Lost,
        };
        let outcome = Outcome {
            results: Seat::all(self.opening.seats).map(result).collect(),
            reason,
            scores: self.game.scores(&self.table, state),
        };
        let turn = Turn { order: left, ..state.turn.ended(state.turn.phase) };
        let ended = State { turn, number: state.number + 1, outcome: Some(outcome), ..state.clone() };
        ended.check(self.opening.seats)?;
        Ok(ended)
    }
}

/// Parses the options once, and checks that the log is one of this game.
fn typed_table<G: Game>(game: &G, opening: &Opening) -> Result<Table<G>, InvalidGame> {
    opening.check()?;
    let about = game.about();
    if about.name != opening.game {
        return Err(InvalidGame::new("game", format_args!("the log is not one of {}", about.name)));
    }
    if about.version != opening.version {
        let why = format!("the log is of version {}, these rules are {}", opening.version, about.version);
        return Err(InvalidGame::new("version", why));
    }
    if opening.seats < about.seats_min || opening.seats > about.seats_max {
        let why = format!("{} has {} to {} seats", about.name, about.seats_min, about.seats_max);
        return Err(InvalidGame::new("seats", why));
    }
    let options = read_options::<G>(&opening.options)?;
    Ok(Table { seats: opening.seats, first_seat: opening.first_seat, options })
}

/// Reads options strictly; the error names the member.
pub(crate) fn read_options<G: Game>(text: &str) -> Result<G::Options, InvalidGame> {
    object("options", "options.", text)
}

/// Reads a move. A list is none: in place of an object it would be taken for its members.
pub(crate) fn read_action<G: Game>(seat: Option<Seat>, text: &str) -> Result<Action<G::Move>, IllegalMove> {
    if seat.is_none()
        && let Ok(table_move) = serde_json::from_str(text)
    {
        return Ok(Action::Table(table_move));
    }
    let read = if text.trim_start().starts_with('[') {
        Err(serde_json::Error::custom("a list"))
    } else {
        serde_json::from_str(text)
    };
    read.map(Action::Game).map_err(|error| no_move::<G::Move>(text, &error, G::MOVE_FORM))
}

/// Checks what a game returned, and makes it the state after the one before.
fn settle<G: Game>(
    game: &G,
    opening: &Opening,
    before: Option<&State<G>>,
    next: Next<G>,
) -> Result<State<G>, InvalidGame> {
    known_phase(game, next.turn.phase)?;
    let returned = |seat: &&Seat| before.is_some_and(|before| !before.turn.order.contains(seat));
    if let Some(seat) = next.turn.order.iter().find(returned) {
        return Err(InvalidGame::new("state.order", format_args!("seat {seat} retired and can't come back")));
    }
    let outcome = next.ending.map(|ending| Outcome {
        results: ending.results,
        reason: EndReason::Finished,
        scores: ending.scores,
    });
    let number = before.map_or(0, |before| before.number + 1);
    let state = State { table: opening.table, number, turn: next.turn, data: next.data, outcome };
    state.check(opening.seats)?;
    Ok(state)
}
