//! Who is there, and what that does to a request that stands.

use crate::entry::{Entry, Player};
use crate::machine::{ASKED_FOR, Event};
use crate::offers::Offers;
use crate::store::Stored;
use astragal_runtime::error::Result;
use astragal_runtime::id::AccountId;
use astragal_runtime::presence::PresenceDesk;
use std::time::Duration;

/// Knows who is there.
pub trait Present: Send + Sync + 'static {
    /// Whether an account has a connection anywhere, or had one a moment ago, or nobody can know.
    fn is_online(&self, account: AccountId) -> bool;
}

impl Present for PresenceDesk {
    fn is_online(&self, account: AccountId) -> bool {
        PresenceDesk::is_online(self, account)
    }
}

/// Everybody, where nobody knows who is there.
#[derive(Clone, Copy, Debug)]
pub struct Everyone;

impl Present for Everyone {
    fn is_online(&self, _: AccountId) -> bool {
        true
    }
}

impl Offers {
    /// An account has been away for longer than a reload takes.
    pub async fn went_offline(&self, account: AccountId) -> Result<()> {
        if let Some(game) = self.store.game_of(account).await? {
            let seat = |entry: &Entry| entry.seat_of(account);
            self.change(game, |entry| Some(Event::WentOffline { seat: seat(entry)? })).await?;
        }
        Ok(())
    }

    /// Looks again who is there, for all requests that stand: news of it may have been lost.
    pub async fn recheck(&self) -> Result<()> {
        let within = ASKED_FOR.to_std().unwrap_or(Duration::from_mins(1));
        for game in self.store.soon(self.clock.now(), within).await? {
            if let Some(Stored { entry, .. }) = self.store.load(game).await?
                && entry.is_asked()
            {
                self.end_if_offline(&entry).await?;
            }
        }
        Ok(())
    }

    pub(crate) async fn end_if_offline(&self, entry: &Entry) -> Result<()> {
        let gone = entry.people().find(|(_, account)| !self.present.is_online(*account));
        if let Some((seat, _)) = gone {
            self.change(entry.game, |_| Some(Event::WentOffline { seat })).await?;
        }
        Ok(())
    }

    /// Who is there, by seat.
    pub(crate) fn online(&self, entry: &Entry) -> Vec<bool> {
        let there = |player: &Player| player.robot_level > 0 || self.present.is_online(player.account);
        entry.players.iter().map(there).collect()
    }
}
