//! The games that this build knows, by name and version, and what is done with whole logs.
//! Old versions stay registered, so that old tables replay by the rules that wrote them.

use crate::any::{AnyGame, AnyTable};
use crate::error::{InvalidGame, UndoError};
use crate::finished_log::FinishedLog;
use crate::game::{AcceptAll, Game};
use crate::log::{Header, TableLog};
use crate::outcome::EndReason;
use crate::said::Quoted;
use crate::seat::Seat;
use crate::seed::Commitment;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Games by name and version.
#[derive(Default, Clone)]
pub struct Registry {
    games: BTreeMap<(String, u32), Arc<dyn AnyGame>>,
}

impl Registry {
    /// A registry without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game, or replaces the one of the same name and version.
    #[must_use]
    pub fn with<G: Game>(mut self, game: G) -> Self {
        let about = game.about();
        let key = (about.name.to_owned(), about.version);
        self.games.insert(key, Arc::new(Arc::new(game)));
        self
    }

    /// The game of exactly this version.
    pub fn get(&self, name: &str, version: u32) -> Option<&Arc<dyn AnyGame>> {
        self.games.get(&(name.to_owned(), version))
    }

    /// The newest version of a game.
    pub fn newest(&self, name: &str) -> Option<&Arc<dyn AnyGame>> {
        let versions = (name.to_owned(), 0)..=(name.to_owned(), u32::MAX);
        self.games.range(versions).next_back().map(|(_, game)| game)
    }

    /// The newest version of every game, by name.
    pub fn catalogue(&self) -> impl Iterator<Item = &Arc<dyn AnyGame>> {
        let names: std::collections::BTreeSet<_> = self.games.keys().map(|(name, _)| name).collect();
        names.into_iter().filter_map(|name| self.newest(name))
    }

    /// The table before its first move.
    pub fn setup(&self, header: &Header) -> Result<Box<dyn AnyTable>, InvalidGame> {
        let opening = &header.opening;
        match self.get(&opening.game, opening.version) {
            Some(game) => game.setup(Arc::clone(opening)),
            None if self.newest(&opening.game).is_some() => {
                let why = format!("this build has no {} of version {}", opening.game, opening.version);
                Err(InvalidGame::new("version", why))
            }
            None => Err(InvalidGame::new("game", format_args!("unknown game {}", Quoted(&opening.game)))),
        }
    }

    /// The table after every move of its log.
    pub fn replay(&self, log: &TableLog) -> Result<Box<dyn AnyTable>, InvalidGame> {
        let header = log.header();
        self.setup(&header)?.advance(&header, log.moves(), &AcceptAll)
    }

    /// Checks a finished log: the seed is the one committed to, and every move applies. Gives the
    /// table as it ended.
    pub fn verify(
        &self,
        finished: &FinishedLog,
        commitment: &Commitment,
    ) -> Result<Box<dyn AnyTable>, InvalidGame> {
        if !finished.log().commitment().matches(commitment) {
            return Err(InvalidGame::new("seed", "not the seed that was committed to"));
        }
        let table = self.replay(finished.log())?;
        let over = table.outcome().map(|outcome| outcome.reason);
        let over =
            over.ok_or_else(|| InvalidGame::new("moves", "the game is not over after the last move"))?;
        let moved = |seat| finished.log().moves().iter().any(|logged| logged.seat == Some(seat));
        // Nobody had moved, or a seat was still empty, and that one never did.
        if over == EndReason::Aborted && Seat::all(table.opening().seats).all(moved) {
            return Err(InvalidGame::new("moves", "aborted although every seat had moved"));
        }
        Ok(table)
    }

    /// Takes the last move back: the shorter log, and the table after it.
    pub fn undo(
        &self,
        log: &TableLog,
        actor: Option<Seat>,
    ) -> Result<(TableLog, Box<dyn AnyTable>), TakeBackError> {
        let last = log.moves().last();
        let last = last.ok_or(UndoError::Refused("no move has been made"))?;
        self.replay(log)?.check_undo(last, actor)?;
        let shorter = log.without_last();
        let table = self.replay(&shorter)?;
        Ok((shorter, table))
    }
}

/// Why a whole log could not be taken back by a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TakeBackError {
    /// The rules refuse it.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// The log does not replay.
    #[error(transparent)]
    Invalid(#[from] InvalidGame),
}
