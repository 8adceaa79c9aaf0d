//! Which accounts have sockets here. Presence is told when the first one comes and when the last one goes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::AccountId;
use astragal_runtime::presence::PresenceDesk;

use crate::socket::outbox::{Mail, Outbox};

/// The accounts of this gateway's sockets.
#[derive(Debug)]
pub(crate) struct Accounts {
    desk: PresenceDesk,
    sockets: Mutex<HashMap<AccountId, Vec<SignedIn>>>,
}

/// A socket, and of which epoch of sessions it is.
#[derive(Debug)]
struct SignedIn {
    outbox: Outbox,
    epoch: u32,
}

impl Accounts {
    /// No sockets yet.
    pub(crate) fn new(desk: PresenceDesk) -> Self {
        Self { desk, sockets: Mutex::default() }
    }

    /// Adds a socket.
    pub(crate) fn join(
        &self,
        account: AccountId,
        epoch: u32,
        outbox: Outbox,
        sockets_max: usize,
    ) -> Result<()> {
        let mut accounts = self.accounts();
        let sockets = accounts.entry(account).or_default();
        if sockets.len() >= sockets_max {
            let message = format!("an account may have {sockets_max} connections; close one");
            return Err(Problem::new(Code::RateLimited, message));
        }
        sockets.push(SignedIn { outbox, epoch });
        if sockets.len() == 1 {
            // Said under the lock, so that it can't be overtaken by the last socket's going.
            self.desk.arrive(account);
        }
        Ok(())
    }

    /// Removes a socket.
    pub(crate) fn leave(&self, account: AccountId, socket: u64) {
        let mut accounts = self.accounts();
        if let Some(sockets) = accounts.get_mut(&account) {
            sockets.retain(|signed_in| signed_in.outbox.socket() != socket);
            if sockets.is_empty() {
                accounts.remove(&account);
                self.desk.depart(account);
            }
        }
    }

    /// Whether the account has a socket at any gateway, or had one a moment ago.
    pub(crate) fn is_online(&self, account: AccountId) -> bool {
        self.desk.is_online(account)
    }

    /// Whether the account has a socket here right now.
    pub(crate) fn has_socket(&self, account: AccountId) -> bool {
        self.accounts().contains_key(&account)
    }

    /// Tells every socket of an account.
    pub(crate) fn tell(&self, account: AccountId, mail: impl Fn() -> Mail) {
        if let Some(sockets) = self.accounts().get(&account) {
            for signed_in in sockets {
                signed_in.outbox.push(mail());
            }
        }
    }

    /// Tells every socket of an account whose session is of an epoch before this one.
    pub(crate) fn end_sessions(&self, account: AccountId, before: u32) {
        if let Some(sockets) = self.accounts().get(&account) {
            for signed_in in sockets.iter().filter(|signed_in| signed_in.epoch < before) {
                signed_in.outbox.push(Mail::SessionEnded);
            }
        }
    }

    /// Everyone who has sockets here.
    pub(crate) fn all(&self) -> Vec<AccountId> {
        self.accounts().keys().copied().collect()
    }

    /// Tells every socket there is.
    pub(crate) fn tell_all(&self, mail: impl Fn() -> Mail) {
        self.accounts().values().flatten().for_each(|signed_in| signed_in.outbox.push(mail()));
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<AccountId, Vec<SignedIn>>> {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
