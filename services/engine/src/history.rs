//! The events of a table, read back from its journal for somebody who missed them: the same, byte
//! for byte, as those that were published.

use crate::clocks::Clocks;
use crate::event;
use crate::guard;
use crate::journal::{Entry, EntryKind, fold};
use crate::occupant::Occupants;
use crate::outcome::Reason;
use crate::position::Position;
use crate::store::{StoredTable, TableEnd};
use crate::tables::{Tables, not_there, store_problem};
use crate::view::seat_of_viewer;
use astragal_proto::engine::v1::TableEvent;
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::game::AcceptAll;
use astragal_rules::log::{Header, LoggedMove, Opening};
use astragal_rules::registry::Registry;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use std::sync::Arc;

/// The most events that are read back; beyond it the whole table is less work for everyone.
const EVENTS_MAX: u32 = 500;

impl Tables {
    /// Every event after a revision as an account may see it, oldest first; none: load the whole table.
    pub(crate) async fn events(
        &self,
        table: TableId,
        account: Option<AccountId>,
        since: u32,
    ) -> Result<Option<Vec<TableEvent>>> {
        let newest = self.heads.newest(table).await?;
        let seat = {
            let slot = self.slot(table);
            let mut held = slot.lock().await;
            if self.live(table, &mut held).await?.head.revision < newest {
                self.catch_up(table, &mut held).await?;
            }
            seat_of_viewer(self.live(table, &mut held).await?, account)?
        };
        if since == newest {
            return Ok(Some(Vec::new()));
        }
        if since > newest || newest - since > EVENTS_MAX {
            return Ok(None);
        }
        let stored = self.store.load(table).await.map_err(|error| store_problem(&error))?;
        let stored = stored.ok_or_else(|| not_there(table))?;
        let crashed = stored.outcome.as_ref().is_some_and(|outcome| outcome.reason == Reason::Crashed);
        let registry = self.registry.clone();
        let read = move || guard::catch(|| read_back(&registry, stored, since));
        let events = tokio::task::spawn_blocking(read).await.map_err(|error| Problem::internal(&error))?;
        match events {
            Ok(events) => Ok(Some(events.into_iter().map(|event| event::for_viewer(event, seat)).collect())),
            // What led to a crash may not be readable; how it looks now is.
            Err(_) if crashed => Ok(None),
            Err(why) => Err(Problem::internal(&why)),
        }
    }
}

/// Every event after a revision, with the parts of all viewers.
fn read_back(
    registry: &Registry,
    stored: StoredTable,
    since: u32,
) -> std::result::Result<Vec<TableEvent>, InvalidGame> {
    let StoredTable { header, seed, outcome, series, entries } = stored;
    let opening = header.opening(seed);
    let (before, after) = entries.split_at(entries.len().min(since as usize));
    let folded = fold(header.seats, before).map_err(|error| error.why)?;
    let mut left = folded.head.left;
    let mut reader = Reader {
        registry,
        opening,
        occupants: folded.head.occupants,
        moves: folded.moves,
        states: Vec::new(),
    };
    let mut clocks = header.time_control.map(|control| Clocks::fold(control, header.seats, before));
    // Nothing follows the end, so the last entry is the one that ends the table.
    let end = outcome.map(|outcome| TableEnd { outcome, series });
    let last = entries.last().map(|entry| entry.revision);
    let event = |entry: &Entry| {
        let kind = reader.read(entry)?;
        left.follow(&entry.kind);
        let end = end.as_ref().filter(|_| Some(entry.revision) == last).map(|end| (end, left));
        let clock = clocks.as_mut().and_then(|clocks| {
            clocks.follow(entry);
            clocks.reading(entry.at)
        });
        Ok(event::of_entry(&header, entry, kind, end, clock))
    };
    after.iter().map(event).collect()
}

/// Goes through a journal entry by entry, with the states at hand.
struct Reader<'r> {
    registry: &'r Registry,
    opening: Arc<Opening>,
    occupants: Occupants,
    moves: Vec<LoggedMove>,
    /// The newest states; the last is that of all moves. Empty: not read yet.
    states: Vec<Arc<dyn AnyTable>>,
}

impl Reader<'_> {
    fn read(
        &mut self,
        entry: &Entry,
    ) -> std::result::Result<astragal_proto::engine::v1::table_event::Kind, InvalidGame> {
        match &entry.kind {
            EntryKind::Move(logged) => {
                let before = self.state()?;
                let header = Header { opening: Arc::clone(&self.opening), moves: logged.number };
                let after = before.advance(&header, std::slice::from_ref(logged), &AcceptAll)?;
                let kind = event::moved(&*before, &*after, logged)?;
                self.states.push(Arc::from(after));
                self.moves.push(logged.clone());
                Ok(kind)
            }
            EntryKind::Undo { number } => {
                self.moves.pop();
                self.states.pop();
                event::undone(&*self.state()?, *number, entry.actor)
            }
            EntryKind::SeatTaken(occupant) => {
                self.occupants.sit(*occupant);
                Ok(event::seat_taken(occupant, self.occupants.full()))
            }
            EntryKind::ClockStopped(_) => Ok(event::clock_changed(false)),
            EntryKind::ClockResumed => Ok(event::clock_changed(true)),
            EntryKind::Crashed { place } => Ok(event::crashed(place)),
        }
    }

    fn state(&mut self) -> std::result::Result<Arc<dyn AnyTable>, InvalidGame> {
        if let Some(state) = self.states.last() {
            return Ok(Arc::clone(state));
        }
        let state = Position::rebuild(self.registry, &self.opening, &self.moves)?.state;
        self.states.push(Arc::clone(&state));
        Ok(state)
    }
}
