//! Which accounts have sockets here, and since when those without one are gone.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::AccountId;
use tokio::time::Instant;

use crate::socket::outbox::{Mail, Outbox};

/// The accounts of this gateway's sockets. An account stays online for a while without one: a reload is not leaving.
#[derive(Debug, Default)]
pub(crate) struct Accounts(Mutex<HashMap<AccountId, Sockets>>);

#[derive(Debug, Default)]
struct Sockets {
    outboxes: Vec<Outbox>,
    /// When the last socket went.
    gone: Option<Instant>,
}

impl Accounts {
    /// Adds a socket; true if its account was offline before.
    pub(crate) fn join(&self, account: AccountId, outbox: Outbox, sockets_max: usize) -> Result<bool> {
        let mut accounts = self.accounts();
        let was_offline = !accounts.contains_key(&account);
        let sockets = accounts.entry(account).or_default();
        if sockets.outboxes.len() >= sockets_max {
            let message = format!("an account may have {sockets_max} connections; close one");
            return Err(Problem::new(Code::RateLimited, message));
        }
        sockets.outboxes.push(outbox);
        sockets.gone = None;
        Ok(was_offline)
    }

    /// Removes a socket.
    pub(crate) fn leave(&self, account: AccountId, socket: u64) {
        if let Some(sockets) = self.accounts().get_mut(&account) {
            sockets.outboxes.retain(|outbox| outbox.socket() != socket);
            if sockets.outboxes.is_empty() {
                sockets.gone = Some(Instant::now());
            }
        }
    }

    /// Whether the account has a socket, or had one a moment ago.
    pub(crate) fn is_online(&self, account: AccountId) -> bool {
        self.accounts().contains_key(&account)
    }

    /// Whether the account has a socket right now.
    pub(crate) fn has_socket(&self, account: AccountId) -> bool {
        self.accounts().get(&account).is_some_and(|sockets| !sockets.outboxes.is_empty())
    }

    /// Tells every socket of an account.
    pub(crate) fn tell(&self, account: AccountId, mail: impl Fn() -> Mail) {
        if let Some(sockets) = self.accounts().get(&account) {
            sockets.outboxes.iter().for_each(|outbox| outbox.push(mail()));
        }
    }

    /// Tells every socket there is.
    pub(crate) fn tell_all(&self, mail: impl Fn() -> Mail) {
        let accounts = self.accounts();
        accounts.values().flat_map(|sockets| &sockets.outboxes).for_each(|outbox| outbox.push(mail()));
    }

    /// Forgets the accounts that have been without a socket for `after`, and says which they were.
    pub(crate) fn sweep(&self, now: Instant, after: Duration) -> Vec<AccountId> {
        let gone = |_: &AccountId, sockets: &mut Sockets| {
            sockets.gone.is_some_and(|gone| now.saturating_duration_since(gone) >= after)
        };
        self.accounts().extract_if(gone).map(|(account, _)| account).collect()
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<AccountId, Sockets>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
