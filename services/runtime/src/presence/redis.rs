//! Presence between gateways, in Redis: a lease and a set of accounts for each gateway, and what it has heard of others.
//!
//! Asking who is online never goes to Redis: each gateway keeps a mirror, which Redis' news keep up to date.

mod ledger;
mod mirror;
mod session;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::mirror::Mirror;
use super::{Desk, PresenceChange, PresenceTimes};
use crate::id::AccountId;
use crate::queue::Queue;
use crate::redis_link::RedisLink;

/// The desk of one gateway.
#[derive(Debug)]
pub(super) struct RedisDesk(Arc<Shared>);

/// What the desk and the task behind it have in common.
#[derive(Debug)]
struct Shared {
    mirror: Mutex<Mirror>,
    /// Somebody came or went here.
    noted: Notify,
}

impl RedisDesk {
    pub(super) fn open(
        link: RedisLink,
        times: PresenceTimes,
        changes: Arc<Queue<PresenceChange>>,
    ) -> (Self, DropGuard) {
        let shared = Arc::new(Shared { mirror: Mutex::new(Mirror::new(changes)), noted: Notify::new() });
        let closed = CancellationToken::new();
        tokio::spawn(closed.clone().run_until_cancelled_owned(session::run(link, times, shared.clone())));
        (Self(shared), closed.drop_guard())
    }
}

impl Desk for RedisDesk {
    fn arrive(&self, account: AccountId) {
        self.0.mirror().arrive(account);
        self.0.noted.notify_one();
    }

    fn depart(&self, account: AccountId) {
        self.0.mirror().depart(account);
        self.0.noted.notify_one();
    }

    fn is_online(&self, account: AccountId) -> bool {
        self.0.mirror().is_online(account)
    }
}

impl Shared {
    fn mirror(&self) -> MutexGuard<'_, Mirror> {
        self.mirror.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
