//! What one gateway knows of presence: who is here, and who was said to be online anywhere.
//!
//! No I/O and no clock. While it can't be sure, everyone counts as online, and nobody is said to have gone.

use std::collections::HashSet;
use std::sync::Arc;

use crate::id::AccountId;
use crate::presence::PresenceChange;
use crate::queue::Queue;

/// How far what was heard can be trusted.
#[derive(Debug, Default, PartialEq, Eq)]
enum Trust {
    /// Redis is away.
    #[default]
    Away,
    /// Redis is back, and the gateways say again who is there.
    Settling,
    Sure,
}

/// The mirror.
#[derive(Debug)]
pub(super) struct Mirror {
    trust: Trust,
    here: HashSet<AccountId>,
    /// Accounts that came here or went since Redis was told.
    untold: HashSet<AccountId>,
    online: HashSet<AccountId>,
    /// What was heard while the list of all accounts is being loaded.
    loading: Option<Vec<(AccountId, bool)>>,
    changes: Arc<Queue<PresenceChange>>,
}

impl Mirror {
    pub(super) fn new(changes: Arc<Queue<PresenceChange>>) -> Self {
        Self {
            trust: Trust::default(),
            here: HashSet::new(),
            untold: HashSet::new(),
            online: HashSet::new(),
            loading: None,
            changes,
        }
    }

    /// An account came here.
    pub(super) fn arrive(&mut self, account: AccountId) {
        self.here.insert(account);
        self.untold.insert(account);
        // Redis would say so to all gateways; without it, this one says so to itself.
        if self.trust == Trust::Away && self.online.insert(account) {
            self.changes.push(PresenceChange::Online(account));
        }
    }

    /// An account left here.
    pub(super) fn depart(&mut self, account: AccountId) {
        self.here.remove(&account);
        self.untold.insert(account);
    }

    pub(super) fn is_online(&self, account: AccountId) -> bool {
        self.trust != Trust::Sure || self.here.contains(&account) || self.online.contains(&account)
    }

    /// Up to `count` accounts that Redis has to be told of: those that are here, and those that are not.
    pub(super) fn take(&mut self, count: usize) -> (Vec<AccountId>, Vec<AccountId>) {
        let taken: Vec<AccountId> = self.untold.iter().take(count).copied().collect();
        for account in &taken {
            self.untold.remove(account);
        }
        taken.into_iter().partition(|account| self.here.contains(account))
    }

    /// Redis was reached: it has to be told of everyone, and says who else is online.
    pub(super) fn reach(&mut self) {
        self.trust = Trust::Settling;
        self.untold = self.here.clone();
        self.loading = Some(Vec::new());
    }

    /// All accounts were loaded. What was heard meanwhile may be older or newer, and holds in both cases.
    pub(super) fn load(&mut self, online: HashSet<AccountId>) {
        self.online = online;
        for (account, is_online) in self.loading.take().into_iter().flatten() {
            self.note(account, is_online);
        }
    }

    /// Redis says that an account came or went.
    pub(super) fn hear(&mut self, account: AccountId, is_online: bool) {
        if let Some(loading) = &mut self.loading {
            loading.push((account, is_online));
        }
        let changed = self.note(account, is_online);
        if changed && is_online {
            self.changes.push(PresenceChange::Online(account));
        } else if changed && self.trust == Trust::Sure && !self.here.contains(&account) {
            self.changes.push(PresenceChange::Offline(account));
        }
    }

    /// All gateways have had their time: what was heard holds.
    pub(super) fn trust(&mut self) {
        self.trust = Trust::Sure;
        self.changes.push_gap();
    }

    /// Redis is away.
    pub(super) fn lose(&mut self) {
        self.trust = Trust::Away;
        self.loading = None;
    }

    fn note(&mut self, account: AccountId, is_online: bool) -> bool {
        if is_online { self.online.insert(account) } else { self.online.remove(&account) }
    }
}

#[cfg(test)]
mod tests;
