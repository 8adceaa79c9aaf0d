//! What the lobby keeps: one narrow trait, behind which lies one database or another.
//!
//! Every method that changes something is one transaction: all of it happens, or none. The trait
//! says who wins when two ask at once; how a back end arranges that is its own business.

#[cfg(test)]
mod alone;
#[cfg(test)]
mod batches;
#[cfg(test)]
mod conformance;
mod game_rows;
pub mod postgres;
pub mod sqlite;

use std::sync::Arc;

use async_trait::async_trait;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};

use crate::account::Account;
use crate::error::Result;
use crate::game::Game;
use crate::order::Batch;
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

/// The database of the role.
#[async_trait]
pub trait MatchmakingStore: Send + Sync {
    /// Adds accounts; those that are there already stay as they are.
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()>;

    /// The accounts among these that exist.
    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>>;

    /// Notes what is confirmed and carries orders out, one after the other, in one transaction; what
    /// became of each order, in their order. An error says that nothing was written, or, if the
    /// connection broke at the end, that it may have been; then the requests are known again or not.
    async fn change(&self, batch: Arc<Batch>) -> Result<Vec<Result<Game>>>;

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

    /// Ends a game whose table the engine will never open.
    async fn abandon(&self, game: TableId, at: Timestamp) -> Result<()>;

    /// Forgets requests from before an instant.
    async fn forget_requests(&self, before: Timestamp) -> Result<u64>;
}
