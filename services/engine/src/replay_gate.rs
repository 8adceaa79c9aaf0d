//! Whether a stored table comes out as it did when it was played: every entry of the journal is played
//! again, and every state held against the digest that was written then. Pure.

use crate::guard;
use crate::journal::{EntryKind, place_of};
use crate::outcome::{Reason, TableOutcome};
use crate::store::StoredTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::registry::Registry;
use astragal_rules::replay::Replay;

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
    guard::catch(|| play_again(registry, stored))
}

fn play_again(registry: &Registry, stored: StoredTable) -> Result<Checked, InvalidGame> {
    let StoredTable { header, seed, outcome, entries, .. } = stored;
    let opening = header.opening(seed);
    if opening.seed.commitment().to_string() != header.commitment {
        return Err(InvalidGame::new("commitment", "not that of the seed"));
    }
    let mut replay = Replay::of(registry, opening)?;
    let mut played = 0;
    for entry in &entries {
        let at = |error: InvalidGame| {
            InvalidGame::new(place_of(entry.revision), format_args!("{}: {}", error.place, error.why))
        };
        let changed = match &entry.kind {
            EntryKind::Move(logged) => {
                played += 1;
                replay.step(logged.clone()).map_err(at)?;
                true
            }
            EntryKind::Undo { number } => {
                replay.take_back(*number, entry.actor).map_err(at)?;
                true
            }
            EntryKind::Crashed { .. } => return Ok(Checked { moves: played, crashed: true }),
            EntryKind::SeatTaken(_) | EntryKind::ClockStopped(_) | EntryKind::ClockResumed => false,
        };
        match entry.state_hash {
            Some(written) if written != replay.state().state_hash()? => {
                return Err(at(InvalidGame::new("stateHash", "the state is another one than was written")));
            }
            None if changed => return Err(at(InvalidGame::new("stateHash", "is missing"))),
            _ => {}
        }
    }
    let ended = replay.state().outcome().map(TableOutcome::from);
    let is_other =
        ended != outcome && outcome.as_ref().is_none_or(|outcome| outcome.reason != Reason::Crashed);
    if is_other {
        return Err(InvalidGame::new("outcome", "not the one that was written"));
    }
    Ok(Checked { moves: played, crashed: false })
}
