//! How it stands with a rematch, for whoever looks.

use crate::entry::State;
use crate::machine::{self, Event};
use crate::offers::Offers;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, TableId};

/// How it stands with one rematch, for one viewer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// available, waiting, requested, or empty.
    pub word: &'static str,
    /// Until when.
    pub until: Option<Timestamp>,
    /// Who asked first.
    pub from_seat: Option<u8>,
    /// The next game, once it is there.
    pub next: Option<TableId>,
}

impl Offers {
    /// How it stands with the rematch of a game, for somebody who sat there or for a stranger.
    pub async fn standing(&self, game: TableId, account: Option<AccountId>) -> Result<Standing> {
        let stored = self.store.load(game).await?.map(|stored| stored.entry);
        let entry = match (stored, account) {
            (Some(entry), _) => entry,
            (None, Some(account)) => match self.lost(game, account).await {
                Ok(Some(entry)) => entry,
                Ok(None) => return Ok(Standing::default()),
                Err(problem) if problem.is_final() => return Ok(Standing::default()),
                Err(problem) => return Err(problem),
            },
            (None, None) => return Ok(Standing::default()),
        };
        let entry = machine::step(&entry, Event::Time, self.clock.now()).entry;
        let next = (entry.state == State::Started).then_some(entry.next.id);
        let Some(seat) = account.and_then(|account| entry.seat_of(account)) else {
            // Until then it is worth waiting for the next game.
            let until = entry.deadline().map(|_| entry.until());
            return Ok(Standing { until, next, ..Standing::default() });
        };
        Ok(match &entry.state {
            State::Open => Standing { word: "available", until: Some(entry.until()), ..Standing::default() },
            State::Asked { by, agreed, expires_at } => Standing {
                word: if agreed.contains(&seat) { "waiting" } else { "requested" },
                until: Some(*expires_at),
                from_seat: Some(*by),
                next: None,
            },
            State::Starting { .. } | State::Started | State::Over => Standing { next, ..Standing::default() },
        })
    }
}
