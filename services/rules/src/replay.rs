//! A table played again from its journal: moves, and moves taken back. It knows nothing of instants, seats
//! that are taken or digests that were written.

use crate::any::AnyTable;
use crate::error::InvalidGame;
use crate::log::{Header, LoggedMove, Opening};
use crate::registry::Registry;
use crate::seat::Seat;
use crate::timeline::follow;
use std::collections::VecDeque;
use std::sync::Arc;

/// States before the newest one that are kept to be taken back to.
const BEHIND_MAX: usize = 8;

/// Moves between two states that are kept for good, so that however many moves a journal takes back, each
/// costs a bounded number of steps.
const EVERY: usize = 256;

/// A table as far as its journal was followed.
pub struct Replay {
    moves: Vec<LoggedMove>,
    state: Arc<dyn AnyTable>,
    /// The states before it, oldest first; none once too many moves were taken back.
    behind: VecDeque<Arc<dyn AnyTable>>,
    /// The states after 0, 256, 512 ... of the moves that stand.
    milestones: Vec<Arc<dyn AnyTable>>,
}

impl Replay {
    /// The table before its first move.
    pub fn of(registry: &Registry, opening: Arc<Opening>) -> Result<Self, InvalidGame> {
        let start: Arc<dyn AnyTable> = Arc::from(registry.setup(&Header { opening, moves: 0 })?);
        let (moves, behind) = (Vec::new(), VecDeque::new());
        Ok(Self { moves, state: Arc::clone(&start), behind, milestones: vec![start] })
    }

    /// The table after the moves that stand.
    pub const fn state(&self) -> &Arc<dyn AnyTable> {
        &self.state
    }

    /// The moves that stand.
    pub fn moves(&self) -> &[LoggedMove] {
        &self.moves
    }

    /// A move was made.
    pub fn step(&mut self, logged: LoggedMove) -> Result<(), InvalidGame> {
        let after = follow(&*self.state, &logged)?;
        self.moves.push(logged);
        self.go_to(Arc::from(after));
        Ok(())
    }

    /// The last move was taken back, by a seat or by the table itself. One that the rules refuse leaves all
    /// as it was.
    pub fn take_back(&mut self, number: u32, actor: Option<Seat>) -> Result<(), InvalidGame> {
        let last = self.moves.last().filter(|last| last.number == number);
        let last = last.ok_or_else(|| InvalidGame::new("number", "not the last move"))?;
        self.state.check_undo(last, actor).map_err(|why| InvalidGame::new("undo", why))?;
        self.moves.pop();
        self.milestones.truncate(self.moves.len() / EVERY + 1);
        match self.behind.pop_back() {
            Some(before) => self.state = before,
            None => self.play_again()?,
        }
        Ok(())
    }

    /// Plays from a milestone to the last move, with some states to be taken back to.
    fn play_again(&mut self) -> Result<(), InvalidGame> {
        let near = self.moves.len().saturating_sub(BEHIND_MAX) / EVERY;
        self.state = Arc::clone(&self.milestones[near]);
        for place in near * EVERY..self.moves.len() {
            let after = follow(&*self.state, &self.moves[place])?;
            self.go_to(Arc::from(after));
        }
        Ok(())
    }

    fn go_to(&mut self, after: Arc<dyn AnyTable>) {
        if after.number() as usize == self.milestones.len() * EVERY {
            self.milestones.push(Arc::clone(&after));
        }
        self.behind.push_back(std::mem::replace(&mut self.state, after));
        if self.behind.len() > BEHIND_MAX {
            self.behind.pop_front();
        }
    }
}
