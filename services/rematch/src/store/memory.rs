//! Rematches in the memory of one process, for one that plays all roles. Lost with it.

use super::{Change, Committed, Due, LEASE, LEFT_FOR, Letter, Message, OfferStore, Stored};
use crate::machine::kept_for;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The entries of one process.
#[derive(Debug, Default)]
pub struct MemoryOffers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    entries: HashMap<TableId, Kept>,
    games: HashMap<AccountId, TableId>,
    left: HashMap<AccountId, Timestamp>,
    deadlines: BTreeSet<(Timestamp, TableId)>,
    /// From when on an entry is of no use.
    useless: BTreeSet<(Timestamp, TableId)>,
    outbox: BTreeMap<u64, (Instant, Message)>,
    letters: u64,
}

#[derive(Debug)]
struct Kept {
    stored: Stored,
    deadline: Option<Timestamp>,
    until: Timestamp,
}

impl MemoryOffers {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn commit(&mut self, change: &Change) -> Committed {
        let Change { from, entry, opens, messages, now } = change;
        if self.entries.get(&entry.game).map(|kept| kept.stored.version) != *from {
            return Committed::Conflict;
        }
        let people = || entry.people().map(|(_, account)| account);
        let has_left = |account| self.left.get(&account).is_some_and(|at| *at >= entry.ended_at);
        if *opens && people().any(has_left) {
            return Committed::Left;
        }
        let mut before = Vec::new();
        if *opens {
            before.extend(people().filter_map(|account| self.games.insert(account, entry.game)));
            before.retain(|game| *game != entry.game);
        }
        let stored = Stored { version: from.map_or(1, |version| version + 1), entry: entry.clone() };
        let (deadline, until) = (entry.deadline(), *now + kept_for(entry, *now));
        self.forget(entry.game);
        self.deadlines.extend(deadline.map(|at| (at, entry.game)));
        self.useless.insert((until, entry.game));
        self.entries.insert(entry.game, Kept { stored, deadline, until });
        let letters = messages.iter().map(|message| self.post(message.clone())).collect();
        Committed::Yes { letters, before }
    }

    fn post(&mut self, message: Message) -> Letter {
        self.letters += 1;
        self.outbox.insert(self.letters, (Instant::now(), message.clone()));
        Letter { id: self.letters.to_string(), message }
    }

    fn forget(&mut self, game: TableId) {
        if let Some(kept) = self.entries.remove(&game) {
            self.useless.remove(&(kept.until, game));
            if let Some(at) = kept.deadline {
                self.deadlines.remove(&(at, game));
            }
        }
    }

    /// Forgets what is of no use any more.
    fn prune(&mut self, now: Timestamp) {
        while let Some((_, game)) = self.useless.first().copied().filter(|(until, _)| *until <= now) {
            let people: Vec<_> =
                self.entries.get(&game).into_iter().flat_map(|kept| kept.stored.entry.people()).collect();
            for (_, account) in people {
                if self.games.get(&account) == Some(&game) {
                    self.games.remove(&account);
                }
            }
            self.forget(game);
        }
        self.left.retain(|_, at| now - *at < LEFT_FOR);
    }
}

#[async_trait]
impl OfferStore for MemoryOffers {
    async fn load(&self, game: TableId) -> Result<Option<Stored>> {
        Ok(self.state().entries.get(&game).map(|kept| kept.stored.clone()))
    }

    async fn game_of(&self, account: AccountId) -> Result<Option<TableId>> {
        Ok(self.state().games.get(&account).copied())
    }

    async fn commit(&self, change: &Change) -> Result<Committed> {
        Ok(self.state().commit(change))
    }

    async fn note_left(&self, account: AccountId, at: Timestamp) -> Result<()> {
        self.state().left.entry(account).and_modify(|left| *left = at.max(*left)).or_insert(at);
        Ok(())
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Due> {
        let mut state = self.state();
        state.prune(now);
        let due: Vec<_> =
            state.deadlines.iter().take_while(|(at, _)| *at <= now).take(limit as usize).copied().collect();
        let later = now + LEASE;
        for (at, game) in &due {
            state.deadlines.remove(&(*at, *game));
            state.deadlines.insert((later, *game));
            if let Some(kept) = state.entries.get_mut(game) {
                kept.deadline = Some(later);
            }
        }
        let next = state.deadlines.first().map(|(at, _)| *at);
        Ok(Due { games: due.into_iter().map(|(_, game)| game).collect(), next })
    }

    async fn soon(&self, now: Timestamp, within: Duration) -> Result<Vec<TableId>> {
        let state = self.state();
        let soon = state.deadlines.iter().take_while(|(at, _)| *at <= now + within);
        Ok(soon.map(|(_, game)| *game).collect())
    }

    async fn forget(&self, game: TableId) -> Result<()> {
        self.state().deadlines.retain(|(_, other)| *other != game);
        Ok(())
    }

    async fn untold(&self, age: Duration, limit: u32) -> Result<Vec<Letter>> {
        let (state, now) = (self.state(), Instant::now());
        let old = state.outbox.iter().filter(|(_, (at, _))| now.saturating_duration_since(*at) >= age);
        let letter = |(id, (_, message)): (&u64, &(Instant, Message))| Letter {
            id: id.to_string(),
            message: message.clone(),
        };
        Ok(old.take(limit as usize).map(letter).collect())
    }

    async fn told(&self, ids: &[String]) -> Result<()> {
        let mut state = self.state();
        for id in ids.iter().filter_map(|id| id.parse().ok()) {
            state.outbox.remove(&id);
        }
        Ok(())
    }
}
