//! A state of a table as it was at one revision, with what it belongs to, as text for a cache. Pure; what a
//! cache gives back is believed in nothing: it counts only if it is, byte for byte, what the journal says.
//!
//! It holds hidden state and never a seed, and no refusal repeats anything of it.

use crate::header::TableHeader;
use crate::journal::{Entry, EntryKind};
use crate::position::Position;
use crate::store::StoredTable;
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::log::LoggedMove;
use astragal_rules::registry::Registry;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::sync::Arc;
use uuid::Uuid;

/// The form of the text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot<'t> {
    table: Uuid,
    game: Cow<'t, str>,
    version: u32,
    commitment: Cow<'t, str>,
    revision: u32,
    /// Canonical JSON.
    state: Cow<'t, str>,
}

/// The text for a state at a revision.
pub(crate) fn write(
    header: &TableHeader,
    revision: u32,
    state: &dyn AnyTable,
) -> Result<String, InvalidGame> {
    let snapshot = Snapshot {
        table: header.id.0,
        game: (&header.game).into(),
        version: header.version,
        commitment: (&header.commitment).into(),
        revision,
        state: state.state_json()?.into(),
    };
    serde_json::to_string(&snapshot).map_err(|_| refused("snapshot", "can't be written"))
}

/// The state that a text holds, if the moves that stand follow from it.
pub(crate) fn accept(
    text: &str,
    registry: &Registry,
    stored: &StoredTable,
) -> Result<Box<dyn AnyTable>, InvalidGame> {
    let snapshot: Snapshot<'_> =
        serde_json::from_str(text).map_err(|_| refused("snapshot", "is not in the form of one"))?;
    let header = &stored.header;
    if snapshot.table != header.id.0 {
        return Err(refused("table", "is another one"));
    }
    if snapshot.game != header.game || snapshot.version != header.version {
        return Err(refused("version", "is of other rules"));
    }
    if snapshot.commitment != header.commitment {
        return Err(refused("commitment", "is another one"));
    }
    let place = snapshot.revision.checked_sub(1).map(|place| place as usize);
    let entry = place.and_then(|place| stored.entries.get(place));
    let entry = entry.filter(|entry| entry.revision == snapshot.revision);
    let entry = entry.ok_or_else(|| refused("revision", "is not in the journal"))?;
    if entry.state_hash != Some(Sha256::digest(snapshot.state.as_bytes()).into()) {
        return Err(refused("state", "is not the one that was written then"));
    }
    let number = moves_at(&stored.entries, snapshot.revision)
        .ok_or_else(|| refused("revision", "is older than a move that was taken back"))?;
    let game = registry.get(&header.game, header.version);
    let game = game.ok_or_else(|| refused("version", "is not in this build"))?;
    let state = game.restore(header.opening(stored.seed.clone()), &snapshot.state);
    // Why it can't be read may quote a hand.
    let state = state.map_err(|_| refused("state", "can't be read"))?;
    if state.number() != number {
        return Err(refused("state", "is after another number of moves"));
    }
    Ok(state)
}

/// The table as it stands, from the state that a text holds.
pub(crate) fn resume(text: &str, registry: &Registry, stored: &StoredTable) -> Result<Position, InvalidGame> {
    let state = accept(text, registry, stored)?;
    let following = standing(&stored.entries).split_off(state.number() as usize);
    let following: Vec<LoggedMove> = following.into_iter().cloned().collect();
    let position = Position::after(Arc::from(state), &following)?;
    let newest = stored.entries.iter().rev().find_map(|entry| entry.state_hash);
    if newest != Some(position.hash) {
        return Err(refused("state", "does not lead to the newest one"));
    }
    Ok(position)
}

/// How many moves stood at a revision; none if one of those was taken back later.
fn moves_at(entries: &[Entry], revision: u32) -> Option<u32> {
    let (mut standing, mut then) = (0_u32, None);
    for entry in entries {
        match &entry.kind {
            EntryKind::Move(_) => standing += 1,
            EntryKind::Undo { .. } => standing = standing.checked_sub(1)?,
            _ => {}
        }
        if entry.revision == revision {
            then = Some(standing);
        }
        if then.is_some_and(|then| standing < then) {
            return None;
        }
    }
    then
}

fn standing(entries: &[Entry]) -> Vec<&LoggedMove> {
    let mut standing = Vec::new();
    for entry in entries {
        match &entry.kind {
            EntryKind::Move(logged) => standing.push(logged),
            EntryKind::Undo { .. } => drop(standing.pop()),
            _ => {}
        }
    }
    standing
}

fn refused(place: &str, why: &str) -> InvalidGame {
    InvalidGame::new(place, why)
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
