//! The state of a table in memory, and the move that led to it. Typed inside, shared without copying.

use astragal_rules::any::{AnyTable, StateHash};
use astragal_rules::error::InvalidGame;
use astragal_rules::game::AcceptAll;
use astragal_rules::log::{Header, LoggedMove, Opening};
use astragal_rules::registry::Registry;
use std::sync::Arc;

/// A state, with what is needed to take its last move back.
#[derive(Clone)]
pub(crate) struct Position {
    /// The state.
    pub(crate) state: Arc<dyn AnyTable>,
    /// How it came about.
    pub(crate) behind: Behind,
    /// Of the state.
    pub(crate) hash: StateHash,
}

/// What lies behind a state.
#[derive(Clone)]
pub(crate) enum Behind {
    /// Nothing: no move stands.
    Start,
    /// The last move, and the state before it.
    Move {
        /// The move.
        last: LoggedMove,
        /// The state before.
        before: Arc<dyn AnyTable>,
    },
    /// A move that only the journal knows: the one after it was taken back, or the state was kept elsewhere.
    Unread,
}

impl Position {
    /// The state after a log, from its beginning.
    pub(crate) fn rebuild(
        registry: &Registry,
        opening: &Arc<Opening>,
        moves: &[LoggedMove],
    ) -> Result<Self, InvalidGame> {
        let header = Header { opening: Arc::clone(opening), moves: moves.len() as u32 };
        Self::after(Arc::from(registry.setup(&header)?), moves)
    }

    /// The state after moves that follow a state.
    pub(crate) fn after(start: Arc<dyn AnyTable>, moves: &[LoggedMove]) -> Result<Self, InvalidGame> {
        let Some((last, earlier)) = moves.split_last() else {
            let behind = if start.number() == 0 { Behind::Start } else { Behind::Unread };
            return Self::new(start, behind);
        };
        let header = Header { opening: Arc::clone(start.opening()), moves: last.number };
        let before = start.advance(&header, earlier, &AcceptAll)?;
        let state = before.advance(&header, std::slice::from_ref(last), &AcceptAll)?;
        Self::new(Arc::from(state), Behind::Move { last: last.clone(), before: Arc::from(before) })
    }

    /// A state with its hash.
    pub(crate) fn new(state: Arc<dyn AnyTable>, behind: Behind) -> Result<Self, InvalidGame> {
        let hash = state.state_hash()?;
        Ok(Self { state, behind, hash })
    }

    /// The position after a move that was made elsewhere.
    pub(crate) fn followed_by(&self, logged: &LoggedMove) -> Result<Self, InvalidGame> {
        let header = Header { opening: Arc::clone(self.state.opening()), moves: logged.number };
        let state = self.state.advance(&header, std::slice::from_ref(logged), &AcceptAll)?;
        Self::new(Arc::from(state), Behind::Move { last: logged.clone(), before: Arc::clone(&self.state) })
    }

    /// The position before the last move, if that state is at hand.
    pub(crate) fn taken_back(&self) -> Option<Result<Self, InvalidGame>> {
        let Behind::Move { last, before } = &self.behind else { return None };
        let behind = if last.number == 1 { Behind::Start } else { Behind::Unread };
        Some(Self::new(Arc::clone(before), behind))
    }
}
