//! Who waits against the clock and is offline: nobody is matched with them until they are back.
//!
//! Every replica notes what it hears, each time the same. What was lost or overtaken on the way is found when all who
//! wait are looked at again. Where nobody knows who is online, everybody is.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use astragal_runtime::bus::Bus;
use astragal_runtime::error::Result;
use astragal_runtime::id::AccountId;
use astragal_runtime::presence::{PresenceChange, PresenceChanges, PresenceDesk};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::news;
use crate::store::MatchmakingStore;

/// People who are looked at together.
const PAGE: u32 = 500;
/// How long more news are waited for, so that a crowd that leaves costs a few statements.
const GATHER_FOR: Duration = Duration::from_millis(50);
/// How often all who wait are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(20);

/// Notes who is there.
#[derive(Clone)]
pub struct Comings {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) bus: Bus,
    /// None: nobody knows who is online.
    pub(crate) desk: Option<PresenceDesk>,
}

impl Comings {
    /// Follows presence until it is told to stop.
    pub(crate) async fn run(&self, changes: Option<PresenceChanges>, stop: CancellationToken) {
        let Some(mut changes) = changes else {
            self.try_to(self.look_at_all()).await;
            return stop.cancelled().await;
        };
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = look.tick() => self.try_to(self.look_at_all()).await,
                change = changes.recv() => match change {
                    Some(change) => self.hear(change, &mut changes).await,
                    None => return,
                },
            }
        }
    }

    async fn hear(&self, first: PresenceChange, changes: &mut PresenceChanges) {
        let (mut people, mut anyone) = (HashSet::new(), false);
        let mut next = Some(first);
        while let Some(change) = next {
            match change {
                PresenceChange::Online(account) | PresenceChange::Offline(account) => {
                    people.insert(account);
                }
                PresenceChange::Anyone => anyone = true,
            }
            let full = people.len() >= PAGE as usize;
            next = if full { None } else { more(changes).await };
        }
        let people: Vec<_> = people.into_iter().collect();
        self.try_to(self.note(&people)).await;
        if anyone {
            self.try_to(self.look_at_all()).await;
        }
    }

    /// Notes of everybody who waits against the clock whether they are there.
    pub async fn look_at_all(&self) -> Result<()> {
        let mut last = None;
        loop {
            let page = self.store.live_searchers(last, PAGE).await?;
            self.note(&page).await?;
            last = page.last().copied();
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    async fn note(&self, people: &[AccountId]) -> Result<()> {
        let is_there = |person: &AccountId| self.desk.as_ref().is_none_or(|desk| desk.is_online(*person));
        let (there, away): (Vec<_>, Vec<_>) = people.iter().copied().partition(is_there);
        for (people, away) in [(there, false), (away, true)] {
            if !people.is_empty() {
                let changed = self.store.note_away(&people, away).await?;
                for game in &changed {
                    news::tell_away(&self.bus, game);
                }
            }
        }
        Ok(())
    }

    async fn try_to(&self, look: impl Future<Output = Result<()>>) {
        if let Err(problem) = look.await {
            tracing::warn!(%problem, "who is online could not be noted; the next look does it");
        }
    }
}

async fn more(changes: &mut PresenceChanges) -> Option<PresenceChange> {
    tokio::time::timeout(GATHER_FOR, changes.recv()).await.ok().flatten()
}
