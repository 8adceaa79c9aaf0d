//! Whether a stored table comes out as it did when it was played: every entry of the journal is played
//! again, and every state held against the digest that was written then. Pure.

use crate::guard;
use crate::journal::{EntryKind, StateHash};
use crate::outcome::{Reason, TableOutcome};
use crate::store::StoredTable;
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::log::{Header, LoggedMove, Opening};
use astragal_rules::registry::Registry;
use astragal_rules::timeline::follow;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::Arc;

/// States that are kept to be taken back to; beyond them the log is replayed.
const STATES_MAX: usize = 8;

/// A table that came out as it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// How many moves were played again, those taken back included.
    pub moves: u32,
    /// True if it had crashed: it is checked up to there.
    pub crashed: bool,
}

/// Plays a table again; the error names the entry at fault.
pub fn check(registry: &Registry, stored: StoredTable) -> Result<Checked, InvalidGame> {
    guard::catch(|| replay(registry, stored))
}

fn replay(registry: &Registry, stored: StoredTable) -> Result<Checked, InvalidGame> {
    let StoredTable { header, seed, outcome, entries, .. } = stored;
    let opening = header.opening(seed);
    if opening.seed.commitment().to_string() != header.commitment {
        return Err(InvalidGame::new("commitment", "not that of the seed"));
    }
    let start = registry.setup(&Header { opening: Arc::clone(&opening), moves: 0 })?;
    let mut replay = Replay { registry, opening, states: VecDeque::from([start]), moves: Vec::new() };
    let mut played = 0;
    for entry in &entries {
        let at = |error: InvalidGame| {
            let place = format_args!("journal[{}]", entry.revision);
            InvalidGame::new(place, format_args!("{}: {}", error.place, error.why))
        };
        let changed = match &entry.kind {
            EntryKind::Move(logged) => {
                played += 1;
                replay.step(logged).map_err(at)?;
                true
            }
            EntryKind::Undo { number } => {
                replay.take_back(*number).map_err(at)?;
                true
            }
            EntryKind::Crashed { .. } => return Ok(Checked { moves: played, crashed: true }),
            EntryKind::SeatTaken(_) | EntryKind::ClockStopped(_) | EntryKind::ClockResumed => false,
        };
        match entry.state_hash {
            Some(written) if written != replay.digest()? => {
                return Err(at(InvalidGame::new("stateHash", "the state is another one than was written")));
            }
            None if changed => return Err(at(InvalidGame::new("stateHash", "is missing"))),
            _ => {}
        }
    }
    let ended = replay.state()?.outcome().map(TableOutcome::from);
    let is_other =
        ended != outcome && outcome.as_ref().is_none_or(|outcome| outcome.reason != Reason::Crashed);
    if is_other {
        return Err(InvalidGame::new("outcome", "not the one that was written"));
    }
    Ok(Checked { moves: played, crashed: false })
}

struct Replay<'r> {
    registry: &'r Registry,
    opening: Arc<Opening>,
    /// The newest states; the last is that of all moves.
    states: VecDeque<Box<dyn AnyTable>>,
    moves: Vec<LoggedMove>,
}

impl Replay<'_> {
    fn state(&self) -> Result<&dyn AnyTable, InvalidGame> {
        self.states.back().map(|state| &**state).ok_or_else(|| InvalidGame::new("journal", "leads nowhere"))
    }

    fn digest(&self) -> Result<StateHash, InvalidGame> {
        Ok(Sha256::digest(self.state()?.state_json()?).into())
    }

    fn step(&mut self, logged: &LoggedMove) -> Result<(), InvalidGame> {
        let after = follow(self.state()?, logged)?;
        self.moves.push(logged.clone());
        self.states.push_back(after);
        if self.states.len() > STATES_MAX {
            self.states.pop_front();
        }
        Ok(())
    }

    fn take_back(&mut self, number: u32) -> Result<(), InvalidGame> {
        if self.moves.pop().is_none_or(|last| last.number != number) {
            return Err(InvalidGame::new("number", "not the last move"));
        }
        self.states.pop_back();
        if self.states.is_empty() {
            let header = Header { opening: Arc::clone(&self.opening), moves: self.moves.len() as u32 };
            let start = self.registry.setup(&header)?;
            let judge = &astragal_rules::game::AcceptAll;
            self.states.push_back(start.advance(&header, &self.moves, judge)?);
        }
        Ok(())
    }
}
