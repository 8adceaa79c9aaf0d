//! Where rematches are kept: one narrow trait, with Redis or the memory of one process behind it. Every
//! change is compared and set by its version, so replicas need no lock; what is to be told is kept with it
//! until it was told.

pub mod memory;
mod packed;
pub mod redis;

use crate::entry::Entry;
use crate::machine::Notice;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// An entry as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Counts its changes, from 1.
    pub version: u64,
    /// The entry.
    pub entry: Entry,
}

/// Something to be told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// To a player, on all their sockets.
    ToPlayer {
        /// Who.
        account: AccountId,
        /// The game that has ended.
        game: TableId,
        /// What.
        notice: Notice,
    },
    /// To those who watch the game that has ended.
    ToViewers {
        /// The game that has ended.
        game: TableId,
        /// The one that follows.
        next: TableId,
    },
}

/// A message with its name, which is the same however often it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The name.
    pub id: String,
    /// The message.
    pub message: Message,
}

/// A change that is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What was read; none: there was nothing.
    pub from: Option<u64>,
    /// What is to be.
    pub entry: Entry,
    /// Whether it is the last game of its players from now on.
    pub opens: bool,
    /// What is to be told.
    pub messages: Vec<Message>,
    /// When it is decided.
    pub now: Timestamp,
}

/// What became of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Committed {
    /// It is made.
    Yes {
        /// The messages, by their names.
        letters: Vec<Letter>,
        /// The games that were the last ones of the players before.
        before: Vec<TableId>,
    },
    /// Somebody else has changed the entry.
    Conflict,
    /// It was to be opened, and a player has turned to another game since the end of this one.
    Left,
}

/// What has to be done now, and when to ask again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Due {
    /// The games, the longest overdue first.
    pub games: Vec<TableId>,
    /// When something is due next.
    pub next: Option<Timestamp>,
}

/// Keeps rematches.
#[async_trait]
pub trait OfferStore: Send + Sync + 'static {
    /// The rematch of a game.
    async fn load(&self, game: TableId) -> Result<Option<Stored>>;

    /// The last game of an account that has ended.
    async fn game_of(&self, account: AccountId) -> Result<Option<TableId>>;

    /// Makes a change if nobody was faster.
    async fn commit(&self, change: &Change) -> Result<Committed>;

    /// Notes that an account has turned to another game.
    async fn note_left(&self, account: AccountId, at: Timestamp) -> Result<()>;

    /// Games for which something is due. Nobody else is given them for a while.
    async fn due(&self, now: Timestamp, limit: u32) -> Result<Due>;

    /// Games for which something becomes due within a span.
    async fn soon(&self, now: Timestamp, within: Duration) -> Result<Vec<TableId>>;

    /// There is no such entry any more: nothing is due for it.
    async fn forget(&self, game: TableId) -> Result<()>;

    /// Letters that have waited for so long that whoever wrote them may be gone.
    async fn untold(&self, age: Duration, limit: u32) -> Result<Vec<Letter>>;

    /// Letters that were told.
    async fn told(&self, ids: &[String]) -> Result<()>;
}

/// For how long nobody else is given what is due.
pub(crate) const LEASE: Duration = Duration::from_secs(2);

/// For how long it is known that an account has turned to another game.
pub(crate) const LEFT_FOR: chrono::TimeDelta = chrono::TimeDelta::minutes(11);
