//! The log of a table: everything that it is. It knows nothing of journals, stores or viewers.
//!
//! `TableLog` has no serialiser: its seed must not leave the engine. `FinishedLog`
//! (`finished_log.rs`) has one.

use crate::chance::CHANCE_VERSION;
use crate::error::InvalidGame;
use crate::seat::{SEATS_MAX, Seat};
use crate::seed::{Commitment, Seed};
use std::sync::Arc;
use uuid::Uuid;

/// The version of the log's own form.
pub const FORMAT_VERSION: u32 = 1;

/// The most moves that a log holds.
pub const MOVES_MAX: u32 = 100_000;

/// What a table is before its first move. It never changes.
pub struct Opening {
    /// The table.
    pub table: Uuid,
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
    /// Where every draw comes from.
    pub seed: Seed,
    /// How many seats there are.
    pub seats: u8,
    /// Canonical JSON, defaults filled in.
    pub options: String,
    /// Who moves first.
    pub first_seat: Seat,
}

impl Opening {
    /// Refuses seats that a table can't have. What a game allows is its own to check.
    pub fn check(&self) -> Result<(), InvalidGame> {
        if self.seats == 0 || self.seats > SEATS_MAX {
            return Err(InvalidGame::new("seats", format_args!("a table has 1 to {SEATS_MAX} seats")));
        }
        if self.first_seat.0 >= self.seats {
            return Err(InvalidGame::new("firstSeat", "not a seat of the table"));
        }
        Ok(())
    }
}

/// The log without its moves, and how many there are.
#[derive(Clone)]
pub struct Header {
    /// What never changes.
    pub opening: Arc<Opening>,
    /// How many moves the log holds.
    pub moves: u32,
}

/// One move of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedMove {
    /// From 1.
    pub number: u32,
    /// Who moved; none: the table itself.
    pub seat: Option<Seat>,
    /// The move as canonical JSON.
    pub action: Box<str>,
    /// True if the move asked for chance.
    pub drew: bool,
}

/// A whole log, seed included.
#[derive(Clone)]
pub struct TableLog {
    opening: Arc<Opening>,
    moves: Vec<LoggedMove>,
}

impl TableLog {
    /// Takes moves numbered from 1 without a gap, by seats of the table.
    pub fn new(opening: Arc<Opening>, moves: Vec<LoggedMove>) -> Result<Self, InvalidGame> {
        opening.check()?;
        if moves.len() > MOVES_MAX as usize {
            return Err(InvalidGame::new("moves", format_args!("a log holds at most {MOVES_MAX} moves")));
        }
        for (number, (place, logged)) in (1..).zip(moves.iter().enumerate()) {
            if logged.number != number {
                let why = format!("expected {number}, found {}", logged.number);
                return Err(InvalidGame::new(format_args!("moves[{place}].number"), why));
            }
            if logged.seat.is_some_and(|seat| seat.0 >= opening.seats) {
                return Err(InvalidGame::new(format_args!("moves[{place}].seat"), "not a seat of the table"));
            }
        }
        Ok(Self { opening, moves })
    }

    /// The log without its moves.
    pub fn header(&self) -> Header {
        Header { opening: Arc::clone(&self.opening), moves: self.moves.len() as u32 }
    }

    /// What never changes.
    pub const fn opening(&self) -> &Arc<Opening> {
        &self.opening
    }

    /// The moves, oldest first.
    pub fn moves(&self) -> &[LoggedMove] {
        &self.moves
    }

    /// The log without its last move.
    #[must_use]
    pub fn without_last(&self) -> Self {
        let kept = self.moves.len().saturating_sub(1);
        Self { opening: Arc::clone(&self.opening), moves: self.moves[..kept].to_vec() }
    }

    /// The commitment to the log's seed.
    pub fn commitment(&self) -> Commitment {
        self.opening.seed.commitment()
    }
}

/// Refuses versions that this build can't read.
pub(crate) fn check_versions(format: u32, chance: u32) -> Result<(), InvalidGame> {
    if format != FORMAT_VERSION {
        return Err(InvalidGame::new("format", format_args!("this build reads format {FORMAT_VERSION}")));
    }
    if chance != CHANCE_VERSION {
        return Err(InvalidGame::new("chance", format_args!("this build has chance {CHANCE_VERSION}")));
    }
    Ok(())
}
