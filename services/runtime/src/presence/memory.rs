//! Presence within one process: all desks stand in one room.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Instant, interval};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{Desk, PresenceChange, PresenceTimes};
use crate::id::AccountId;
use crate::queue::Queue;

type Changes = Arc<Queue<PresenceChange>>;

/// The desks, and who is at which.
#[derive(Debug)]
pub(super) struct Room {
    times: PresenceTimes,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    desks: HashMap<u64, Changes>,
    desks_opened: u64,
    stays: HashMap<AccountId, Stay>,
}

/// An account that is online.
#[derive(Debug, Default)]
struct Stay {
    at: Vec<u64>,
    /// When it left the last desk.
    gone: Option<Instant>,
}

impl Room {
    pub(super) fn new(times: PresenceTimes) -> Self {
        Self { times, state: Mutex::default() }
    }

    pub(super) fn open_desk(self: &Arc<Self>, changes: Changes) -> (MemoryDesk, DropGuard) {
        let mut state = self.state();
        state.desks_opened += 1;
        let number = state.desks_opened;
        state.desks.insert(number, changes);
        drop(state);
        let (room, closed) = (self.clone(), CancellationToken::new());
        let close = closed.clone();
        tokio::spawn(async move {
            let mut sweep = interval(room.times.sweep_every);
            while closed.run_until_cancelled(sweep.tick()).await.is_some() {
                room.sweep();
            }
            room.close_desk(number);
        });
        (MemoryDesk { room: self.clone(), number }, close.drop_guard())
    }

    fn close_desk(&self, desk: u64) {
        let mut state = self.state();
        if let Some(changes) = state.desks.remove(&desk) {
            changes.close();
        }
        state.stays.values_mut().for_each(|stay| stay.leave(desk));
    }

    fn sweep(&self) {
        let (now, after) = (Instant::now(), self.times.offline_after);
        let gone = |_: &AccountId, stay: &mut Stay| {
            stay.gone.is_some_and(|gone| now.saturating_duration_since(gone) >= after)
        };
        let mut state = self.state();
        let State { desks, stays, .. } = &mut *state;
        for (account, _) in stays.extract_if(gone) {
            tell(desks, PresenceChange::Offline(account));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stay {
    fn leave(&mut self, desk: u64) {
        self.at.retain(|other| *other != desk);
        if self.at.is_empty() && self.gone.is_none() {
            self.gone = Some(Instant::now());
        }
    }
}

fn tell(desks: &HashMap<u64, Changes>, change: PresenceChange) {
    for changes in desks.values() {
        changes.push(change);
    }
}

/// One gateway's place in the room.
#[derive(Debug)]
pub(super) struct MemoryDesk {
    room: Arc<Room>,
    number: u64,
}

impl Desk for MemoryDesk {
    fn arrive(&self, account: AccountId) {
        let mut state = self.room.state();
        let State { desks, stays, .. } = &mut *state;
        // Checked under the lock, so that a desk that closes now leaves nobody behind.
        if !desks.contains_key(&self.number) {
            return;
        }
        let stay = stays.entry(account).or_insert_with(|| {
            tell(desks, PresenceChange::Online(account));
            Stay::default()
        });
        if !stay.at.contains(&self.number) {
            stay.at.push(self.number);
        }
        stay.gone = None;
    }

    fn depart(&self, account: AccountId) {
        if let Some(stay) = self.room.state().stays.get_mut(&account) {
            stay.leave(self.number);
        }
    }

    fn is_online(&self, account: AccountId) -> bool {
        self.room.state().stays.contains_key(&account)
    }
}
