//! All watched tables, and at which of them an account sits.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use astragal_proto::gateway::v1::OnPresence;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::presence::audience::Counts;

use super::watched::{Viewer, Watched};
use crate::socket::outbox::Mail;

/// The watched tables of this gateway.
#[derive(Debug, Default)]
pub(crate) struct Tables(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    watched: HashMap<TableId, Watched>,
    seated: HashMap<AccountId, HashSet<TableId>>,
}

impl Tables {
    /// Adds a viewer whose table is about to be loaded.
    pub(crate) fn begin(&self, table: TableId, viewer: Viewer) {
        self.state().watched.entry(table).or_insert_with(|| Watched::new(table)).begin(viewer);
    }

    /// Removes a viewer; true if nobody watches the table any more.
    pub(crate) fn leave(&self, table: TableId, socket: u64) -> bool {
        let mut state = self.state();
        let Some(watched) = state.watched.get_mut(&table) else { return false };
        if !watched.leave(socket) {
            return false;
        }
        if let Some(watched) = state.watched.remove(&table) {
            for (_, account) in watched.seats() {
                if let Some(tables) = state.seated.get_mut(account) {
                    tables.remove(&table);
                    if tables.is_empty() {
                        state.seated.remove(account);
                    }
                }
            }
        }
        true
    }

    /// Whether anybody watches the table.
    pub(crate) fn is_watched(&self, table: TableId) -> bool {
        self.state().watched.contains_key(&table)
    }

    /// Does something with a table, if it is watched.
    pub(crate) fn with<T>(&self, table: TableId, act: impl FnOnce(&mut Watched) -> T) -> Option<T> {
        let mut state = self.state();
        let State { watched, seated } = &mut *state;
        let watched = watched.get_mut(&table)?;
        let seats = watched.seats().len();
        let done = act(watched);
        if watched.seats().len() != seats {
            for (_, account) in watched.seats() {
                seated.entry(*account).or_default().insert(table);
            }
        }
        Some(done)
    }

    /// The tables to compare with the engine.
    pub(crate) fn with_head(&self) -> Vec<TableId> {
        let state = self.state();
        state
            .watched
            .iter()
            .filter(|(_, watched)| watched.head().is_some())
            .map(|(table, _)| *table)
            .collect()
    }

    /// How many watch each table without a seat.
    pub(crate) fn spectators(&self) -> Counts {
        let state = self.state();
        let counted = state.watched.iter().map(|(table, watched)| (*table, watched.spectators()));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// The accounts that sit at watched tables.
    pub(crate) fn seated(&self) -> Vec<AccountId> {
        self.state().seated.keys().copied().collect()
    }

    /// Tells the viewers of all tables where the account sits that it came or went.
    pub(crate) fn presence(&self, account: AccountId, online: bool) {
        let state = self.state();
        for table in state.seated.get(&account).into_iter().flatten() {
            let Some(watched) = state.watched.get(table) else { continue };
            let seats = watched.seats().iter().filter(|(_, sitting)| *sitting == account);
            for (seat, _) in seats {
                let event = || OnPresence { game_id: table.to_string(), seat: *seat, online };
                for viewer in watched.viewers().filter(|viewer| viewer.account != account) {
                    viewer
                        .outbox
                        .push(Mail::Frame(Box::new(viewer.format.event(Event::OnPresence(event())))));
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
