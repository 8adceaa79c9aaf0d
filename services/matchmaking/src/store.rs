//! What the lobby keeps: one narrow trait, behind which lies one database or another.
//!
//! Every method that changes something is one transaction: all of it happens, or none. The trait
//! says who wins when two ask at once; how a back end arranges that is its own business.

#[cfg(test)]
mod conformance;
mod game_rows;
pub mod postgres;
pub mod sqlite;

use std::collections::HashSet;

use async_trait::async_trait;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};

use crate::account::Account;
use crate::error::Result;
use crate::game::{Game, NewGame, Player};
use crate::request::Request;
use crate::seating::DrawnPick;

/// Which waiting games are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenGames {
    /// Only games of this name.
    pub game: Option<String>,
    /// Only games in which this account sits, unlisted ones too; none: all that are listed.
    pub account: Option<AccountId>,
    /// At most so many, newest first.
    pub limit: u32,
}

/// What the engine has confirmed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confirmation {
    /// The game.
    pub game: TableId,
    /// The last change that was noted when this began.
    pub before: u32,
    /// The last change that is confirmed.
    pub change: u32,
}

/// The database of the role.
#[async_trait]
pub trait MatchmakingStore: Send + Sync {
    /// Adds accounts; those that are there already stay as they are.
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()>;

    /// The accounts among these that exist.
    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>>;

    /// Claims a seat in the oldest waiting game of the proposal's kind that somebody else opened,
    /// or creates the proposal, if its opener may wait in one more game. Two who ask at once are
    /// never both left waiting.
    async fn find_or_open(&self, request: &Request, proposal: &NewGame, searches_max: u32) -> Result<Game>;

    /// Creates a game with its seats, draw and request, if its opener may wait in one more game.
    async fn create(&self, request: &Request, game: &NewGame, searches_max: u32) -> Result<Game>;

    /// Claims the first empty seat in the order of asking; the placeholder's picks become the
    /// account's.
    async fn join(&self, request: &Request, game: TableId) -> Result<Game>;

    /// Cancels a game that waits. Once it is cancelled, asking again changes nothing.
    async fn cancel(&self, request: &Request, game: TableId) -> Result<Game>;

    /// Claims every empty seat of a waiting game for robots of one kind.
    async fn attach_robots(&self, game: TableId, robot: Player, at: Timestamp) -> Result<Game>;

    /// One game.
    async fn game(&self, game: TableId) -> Result<Option<Game>>;

    /// Games that wait for players.
    async fn open_games(&self, asked: &OpenGames) -> Result<Vec<Game>>;

    /// Listed games that have waited since before an instant, oldest first.
    async fn lonely(&self, created_before: Timestamp, limit: u32) -> Result<Vec<Game>>;

    /// One game with the picks of its draw, in their order.
    async fn draw(&self, game: TableId) -> Result<Option<(Game, Vec<DrawnPick>)>>;

    /// Games with a change from before an instant that the engine has not confirmed, by id, after one.
    async fn unsettled(
        &self,
        changed_before: Timestamp,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<TableId>>;

    /// Notes what the engine has confirmed, where nothing else was noted meanwhile. Gives what was
    /// noted; of the rest, [`Self::settle`] says what became of it.
    async fn settle_expected(&self, confirmed: &[Confirmation]) -> Result<HashSet<(TableId, u32)>>;

    /// Notes that the engine has confirmed all up to a change. Gives the change that was noted
    /// before; none if another was quicker and there is nothing left to note.
    async fn settle(&self, game: TableId, change: u32) -> Result<Option<u32>>;

    /// Ends a game whose table the engine will never open.
    async fn abandon(&self, game: TableId, at: Timestamp) -> Result<()>;

    /// Forgets requests from before an instant.
    async fn forget_requests(&self, before: Timestamp) -> Result<u64>;
}
