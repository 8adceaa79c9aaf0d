//! How entries come to be: an end is told, a next game is aborted, or the store has lost one that somebody
//! asks for.

use crate::entry::{Entry, State, may_follow};
use crate::machine::{self, Event};
use crate::next_game::{ATTEMPTS_MAX, attempt_of, next_id};
use crate::offers::{Offers, TRIES_MAX, busy};
use crate::peers::ending_if_any;
use crate::store::{Change, Committed, Stored};
use astragal_proto::engine::v1::Ending;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, TableId};

impl Offers {
    /// A game has ended: its players may play on. Safe to repeat.
    pub async fn game_ended(&self, ending: &Ending) -> Result<()> {
        let reason = ending.outcome.as_ref().map_or("", |outcome| &*outcome.reason);
        if reason == "aborted" && !ending.follows_table_id.is_empty() {
            return self.next_aborted(ending).await;
        }
        let entry = Entry::open(ending)?;
        let entry = if may_follow(ending) { entry } else { entry.closed() };
        if self.store.load(entry.game).await?.is_some() {
            return Ok(());
        }
        // Nothing was asked for yet, so this one is not missed if somebody was faster.
        self.open(entry, None).await.map(drop)
    }

    /// The next game was aborted before anyone moved: the one before it is open again.
    async fn next_aborted(&self, aborted: &Ending) -> Result<()> {
        let game = TableId::parse("follows_table_id", &aborted.follows_table_id)?;
        let next = TableId::parse("table_id", &aborted.table_id)?;
        let Some(attempt) = attempt_of(game, next) else { return Ok(()) };
        let reopened = Entry::reopen(aborted, game, attempt + 1)?;
        for _ in 0..TRIES_MAX {
            let Some(stored) = self.store.load(game).await? else {
                if self.open(reopened.clone(), None).await? {
                    return Ok(());
                }
                continue;
            };
            let event = Event::Aborted { next, at: reopened.ended_at };
            let step = machine::step(&stored.entry, event, self.clock.now());
            let reopens = step.entry.state == State::Open && step.entry != stored.entry;
            if !reopens || self.open(step.entry, Some(stored.version)).await? {
                return Ok(());
            }
        }
        Err(busy())
    }

    /// Opens an entry as the last game of its players; their older ones end. False if somebody was faster.
    async fn open(&self, entry: Entry, from: Option<u64>) -> Result<bool> {
        let mut opens = self.end_older(&entry).await?;
        loop {
            let entry = if opens { entry.clone() } else { entry.clone().closed() };
            let change = Change { from, entry, opens, messages: Vec::new(), now: self.clock.now() };
            match self.store.commit(&change).await? {
                Committed::Yes { before, .. } => {
                    for other in before {
                        self.change(other, |_| Some(Event::Left)).await?;
                    }
                    return Ok(true);
                }
                Committed::Left if opens => opens = false,
                Committed::Left | Committed::Conflict => return Ok(false),
            }
        }
    }

    /// Ends the entries of the same players from before; false if one of them has a newer one.
    async fn end_older(&self, entry: &Entry) -> Result<bool> {
        let mut newest = true;
        for (_, account) in entry.people() {
            let Some(other) = self.store.game_of(account).await?.filter(|other| *other != entry.game) else {
                continue;
            };
            match self.store.load(other).await? {
                Some(stored) if stored.entry.ended_at > entry.ended_at => newest = false,
                stored => _ = self.change_from(stored, |_| Some(Event::Left)).await?,
            }
        }
        Ok(newest)
    }

    /// The entry of a game, for somebody who sits there. One that the store has lost is opened anew; none: there
    /// is nothing to ask for.
    pub(crate) async fn found(&self, game: TableId, account: AccountId) -> Result<Option<Stored>> {
        let stored = self.store.load(game).await?;
        if stored.is_some() {
            return Ok(stored);
        }
        let Some(entry) = self.lost(game, account).await? else { return Ok(None) };
        // Whoever was faster has opened it too.
        self.open(entry, None).await?;
        self.store.load(game).await
    }

    /// The entry that a game would have, for somebody who sits there.
    pub(crate) async fn lost(&self, game: TableId, account: AccountId) -> Result<Option<Entry>> {
        let ending = self.peers.ending(game, Some(account)).await?;
        let mut entry = Entry::open(&ending)?;
        if !may_follow(&ending) {
            return Ok(None);
        }
        for attempt in 1..ATTEMPTS_MAX {
            match ending_if_any(&*self.peers, next_id(game, attempt)).await {
                Ok(None) => break,
                Ok(Some(next)) if next.outcome.as_ref().is_some_and(|end| end.reason == "aborted") => {
                    entry = Entry::reopen(&next, game, attempt + 1)?;
                }
                Ok(Some(_)) | Err(Problem { code: Code::GameInProgress, .. }) => return Ok(None),
                Err(problem) => return Err(problem),
            }
        }
        let people: Vec<_> = entry.people().map(|(_, account)| account).collect();
        if self.clock.now() >= entry.until() || self.peers.have_begun(&people, entry.ended_at).await? {
            return Ok(None);
        }
        Ok(Some(entry))
    }
}
