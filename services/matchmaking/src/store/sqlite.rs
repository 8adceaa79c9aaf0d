//! The store in SQLite. There is one writer at a time (`BEGIN IMMEDIATE`), so a transaction that
//! looks before it writes has seen everything; no row needs a lock of its own.
//!
//! Every command is a way to SQLite's thread and back, so a batch of orders is two of them, however
//! many orders it holds: one begins the transaction and reads what the orders are about, the other
//! writes what became of them and ends it.

mod accounts;
mod attempts;
mod draws;
#[cfg(test)]
mod growth;
mod next_games;
mod reading;
mod rows;
mod settling;
mod standing;
mod waiting;
mod writing;

use std::sync::Arc;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::{Location, OpenError, SqliteDatabase};
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteRow;

use self::rows::load;
use super::{MatchmakingStore, OpenGames, Orders, clash, why_not_named};
use crate::account::Account;
use crate::accounts::Naming;
use crate::error::{LobbyError, Result};
use crate::game::Game;
use crate::name::keys::NameKeys;
use crate::order::{Batch, Done};
use crate::seating::DrawnPick;

static MIGRATOR: Migrator = sqlx::migrate!("../../migrations/sqlite/matchmaking");

/// The tables of the role in one SQLite database.
#[derive(Debug, Clone)]
pub struct SqliteStore(SqliteDatabase);

impl SqliteStore {
    /// Opens the database, and brings it up to date.
    pub async fn open(location: &Location) -> std::result::Result<Self, OpenError> {
        SqliteDatabase::open(location, &MIGRATOR).await.map(Self)
    }
}

#[async_trait]
impl Orders for SqliteStore {
    async fn change(&self, batch: Arc<Batch>) -> Result<Vec<Result<Done>>> {
        let reading = reading::script(&batch)?;
        let decide = move |rows: Vec<SqliteRow>| {
            let mut picture = reading::picture(&rows)?;
            let outcomes = picture.carry_out(&batch);
            Ok::<_, LobbyError>((outcomes, writing::script(&picture, &batch)?))
        };
        self.0.transact_on(reading, decide).await
    }
}

#[async_trait]
impl MatchmakingStore for SqliteStore {
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()> {
        let mut transaction = self.0.begin().await?;
        accounts::add(&mut transaction, accounts).await?;
        Ok(transaction.commit().await?)
    }

    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>> {
        accounts::among(self.0.reader(), ids).await
    }

    async fn accounts_called(&self, name: &str) -> Result<Vec<Account>> {
        accounts::called(self.0.reader(), name).await
    }

    async fn is_name_taken(&self, keys: &NameKeys) -> Result<bool> {
        accounts::is_taken(self.0.reader(), keys).await
    }

    async fn name_account(&self, naming: &Naming) -> Result<Account> {
        let mut transaction = self.0.begin().await?;
        let named = accounts::name(&mut transaction, naming).await.map_err(clash)?;
        transaction.commit().await?;
        match named {
            Some(account) => Ok(account),
            None => Err(why_not_named(&self.accounts(&[naming.account]).await?)),
        }
    }

    async fn credentials(&self, name_folded: &str) -> Result<Option<(Account, String)>> {
        accounts::credentials(self.0.reader(), name_folded).await
    }

    async fn change_password(
        &self,
        account: AccountId,
        before: &str,
        after: &str,
    ) -> Result<Option<Account>> {
        let mut transaction = self.0.begin().await?;
        let changed = accounts::change_password(&mut transaction, account, before, after).await?;
        transaction.commit().await?;
        Ok(changed)
    }

    async fn end_sessions(&self, account: AccountId) -> Result<Option<Account>> {
        let mut transaction = self.0.begin().await?;
        let ended = accounts::end_sessions(&mut transaction, account).await?;
        transaction.commit().await?;
        Ok(ended)
    }

    async fn delete_account(&self, account: AccountId, name: &str, at: Timestamp) -> Result<Option<Account>> {
        let mut transaction = self.0.begin().await?;
        let deleted = accounts::delete(&mut transaction, account, name, at).await?;
        transaction.commit().await?;
        Ok(deleted)
    }

    async fn game(&self, game: TableId) -> Result<Option<Game>> {
        if_known(load(&mut *self.0.reader().acquire().await?, game).await)
    }

    async fn open_games(&self, asked: &OpenGames) -> Result<Vec<Game>> {
        rows::open_games(self.0.reader(), asked).await
    }

    async fn lonely(&self, created_before: Timestamp, limit: u32) -> Result<Vec<Game>> {
        rows::lonely(self.0.reader(), created_before, limit).await
    }

    async fn overdue(&self, created_before: Timestamp, limit: u32) -> Result<Vec<TableId>> {
        waiting::overdue(self.0.reader(), created_before, limit).await
    }

    async fn live_searchers(&self, after: Option<AccountId>, limit: u32) -> Result<Vec<AccountId>> {
        waiting::live_searchers(self.0.reader(), after, limit).await
    }

    async fn note_away(&self, people: &[AccountId], away: bool) -> Result<Vec<Game>> {
        let mut transaction = self.0.begin().await?;
        let changed = waiting::note_away(&mut transaction, people, away).await?;
        transaction.commit().await?;
        Ok(changed)
    }

    async fn draw(&self, game: TableId) -> Result<Option<(Game, Vec<DrawnPick>)>> {
        if_known(rows::draw(self.0.reader(), game).await)
    }

    async fn unsettled(
        &self,
        changed_before: Timestamp,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<TableId>> {
        settling::unsettled(self.0.reader(), changed_before, after, limit).await
    }

    async fn abandon(&self, game: TableId, at: Timestamp) -> Result<()> {
        let mut transaction = self.0.begin().await?;
        settling::abandon(&mut transaction, game, at).await?;
        Ok(transaction.commit().await?)
    }

    async fn forget_requests(&self, before: Timestamp) -> Result<u64> {
        let mut transaction = self.0.begin().await?;
        let forgotten = settling::forget_requests(&mut transaction, before).await?;
        transaction.commit().await?;
        Ok(forgotten)
    }
}

fn if_known<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(LobbyError::UnknownGame) => Ok(None),
        Err(error) => Err(error),
    }
}
