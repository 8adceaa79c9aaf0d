//! What the lobby keeps: one narrow trait, behind which lies one database or another.
//!
//! Every method that changes something is one transaction: all of it happens, or none. The trait
//! says who wins when two ask at once; how a back end arranges that is its own business.

#[cfg(test)]
mod alone;
pub mod attempts;
#[cfg(test)]
mod batches;
#[cfg(test)]
mod conformance;
pub mod draws;
#[cfg(test)]
mod evening;
mod game_rows;
mod live_search;
#[cfg(test)]
mod names;
mod newest_drawn;
pub mod next_games;
pub mod postgres;
#[cfg(test)]
mod rematches;
#[cfg(test)]
mod searches;
mod sheet_rows;
#[cfg(test)]
mod sheets;
pub mod sqlite;
pub(crate) mod standing_rows;
#[cfg(test)]
mod stands;
#[cfg(test)]
mod tries;

use std::sync::Arc;

use async_trait::async_trait;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};

use self::attempts::AttemptStore;
use self::draws::DrawStore;
use self::next_games::NextGameStore;
use crate::account::Account;
use crate::accounts::Naming;
use crate::error::{LobbyError, Result};
use crate::game::Game;
use crate::name::keys::NameKeys;
use crate::order::{Batch, Done};
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

/// Where changes of the lobby are written.
#[async_trait]
pub trait Orders: Send + Sync {
    /// Notes what is confirmed and carries orders out, one after the other, in one transaction; what
    /// became of each order, in their order. An error says that nothing was written, or, if the
    /// connection broke at the end, that it may have been; then the requests are known again or not.
    async fn change(&self, batch: Arc<Batch>) -> Result<Vec<Result<Done>>>;
}

/// The database of the role.
#[async_trait]
pub trait MatchmakingStore: Orders + NextGameStore + DrawStore + AttemptStore {
    /// Adds accounts; those that are there already stay as they are.
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()>;

    /// The accounts among these that exist.
    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>>;

    /// Accounts that are called exactly so, at most 50.
    async fn accounts_called(&self, name: &str) -> Result<Vec<Account>>;

    /// Whether a name, or one that looks like it, is somebody's own.
    async fn is_name_taken(&self, keys: &NameKeys) -> Result<bool>;

    /// Gives a guest a name of their own. Of two who ask for names that clash, one gets it.
    async fn name_account(&self, naming: &Naming) -> Result<Account>;

    /// Whose own a name is, and what is kept of the password.
    async fn credentials(&self, name_folded: &str) -> Result<Option<(Account, String)>>;

    /// Keeps another password for an account and begins its next epoch of sessions; none if what is kept of the
    /// password is not `before` any more.
    async fn change_password(&self, account: AccountId, before: &str, after: &str)
    -> Result<Option<Account>>;

    /// Begins the next epoch of sessions; none if there is no such person.
    async fn end_sessions(&self, account: AccountId) -> Result<Option<Account>>;

    /// Takes a person's name, password and sessions away and shows them by another name; none if there is no such
    /// person.
    async fn delete_account(&self, account: AccountId, name: &str, at: Timestamp) -> Result<Option<Account>>;

    /// One game.
    async fn game(&self, game: TableId) -> Result<Option<Game>>;

    /// Games that wait for players.
    async fn open_games(&self, asked: &OpenGames) -> Result<Vec<Game>>;

    /// Listed games that have waited since before an instant, oldest first.
    async fn lonely(&self, created_before: Timestamp, limit: u32) -> Result<Vec<Game>>;

    /// Games that are to wait no longer, oldest first: those that wait since before an instant, and those of openers who
    /// are gone for good.
    async fn overdue(&self, created_before: Timestamp, limit: u32) -> Result<Vec<TableId>>;

    /// People who wait in listed games against the clock, after one, by id.
    async fn live_searchers(&self, after: Option<AccountId>, limit: u32) -> Result<Vec<AccountId>>;

    /// Notes of some people whether they are away; the live searches for which that is news.
    async fn note_away(&self, people: &[AccountId], away: bool) -> Result<Vec<Game>>;

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

/// What a refusal of the database means where a name is taken: another account was faster.
fn clash(error: LobbyError) -> LobbyError {
    let LobbyError::Store(cause) = &error else { return error };
    let sql = cause.downcast_ref::<sqlx::Error>().and_then(sqlx::Error::as_database_error);
    if sql.is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
        LobbyError::NameTaken
    } else {
        error
    }
}

/// Why an account can't take a name, of which this is what is known.
fn why_not_named(found: &[Account]) -> LobbyError {
    match found.first() {
        Some(account) if !account.deleted && account.robot_level == 0 => LobbyError::AlreadyNamed,
        _ => LobbyError::UnknownAccount,
    }
}
