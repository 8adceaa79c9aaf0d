//! What can be wrong with a log, a move or an undo. Each error says what and where; none of
//! them carries anything hidden.

use crate::said::{brief, short};
use crate::seat::Seat;
use std::fmt;

/// A log, a state or options that no table can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid game at {place}: {why}")]
pub struct InvalidGame {
    /// Where, as a path: `moves[3].seat`.
    pub place: String,
    /// What is wrong there.
    pub why: String,
}

impl InvalidGame {
    /// At a place, for a reason.
    pub fn new(place: impl fmt::Display, why: impl fmt::Display) -> Self {
        Self { place: short(place.to_string()), why: brief(why.to_string()) }
    }

    /// The same, of something that is a member of a whole.
    #[must_use]
    pub fn below(self, member: &str) -> Self {
        Self { place: format!("{member}.{}", self.place), why: self.why }
    }

    /// At a move of the log.
    pub fn at_move(number: u32, why: impl fmt::Display) -> Self {
        Self::new(format_args!("move {number}"), why)
    }
}

/// A move that can't be made; the state is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The text is not a move of this game.
    #[error("not a move of this game: {0}")]
    Unreadable(String),
    /// Somebody else is to move.
    #[error("it is not the turn of seat {0}")]
    NotYourTurn(Seat),
    /// The rules forbid it; the sentence says which one.
    #[error("{0}")]
    Forbidden(String),
    /// The game is over.
    #[error("the game is over, no move can be made")]
    GameOver,
    /// The log holds as many moves as it can.
    #[error("the log is full, no move can be made")]
    LogFull,
}

impl IllegalMove {
    /// Forbidden by a rule that the sentence names.
    pub fn forbidden(why: impl fmt::Display) -> Self {
        Self::Forbidden(why.to_string())
    }
}

/// An undo that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// Nothing is taken back after the end.
    #[error("the game is over, no move can be taken back")]
    GameOver,
    /// The move can't be taken back, or not by this seat.
    #[error("{0}")]
    Refused(&'static str),
}

/// Why a finished log is not to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FinishedLogError {
    /// The seed of a game that goes on is never shown.
    #[error("the game goes on, its log is shown when it is over")]
    GameInProgress,
    /// The log is not the one of the finished state: read both again.
    #[error("the log is not the one of this state, read it again")]
    ConcurrentMove,
}
