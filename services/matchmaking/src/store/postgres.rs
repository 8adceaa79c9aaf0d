//! The store in PostgreSQL: the schema `matchmaking`, made by `migrations/postgres/matchmaking`.
//!
//! Any number of processes write at once, so what a batch of orders has looked at stays true because its
//! transaction holds the rows that say so. Rows are locked in one order, each kind by id, and so nobody
//! waits in a circle:
//!
//! 1. the accounts that ask, by which the requests of each are answered one after the other: a repetition
//!    finds what the first one did, and nobody waits in more games than allowed;
//! 2. the slots of the kinds that are sought, as a listed game may have to be opened;
//! 3. the games, by which their seats and their states are decided.
//!
//! A lock on the slot of the kind is why two who look for the same game never both wait. Whoever may open
//! holds it from before the look until the commit, and a look takes a snapshot after the lock: it sees
//! every game that was opened before, and no other is opened meanwhile. Rows are locked rather than
//! numbers (`pg_advisory_xact_lock`), since databases that speak PostgreSQL's protocol without being it
//! have rows that can be locked, but advisory locks in name only.

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
#[cfg(test)]
pub(super) mod tests;
mod waiting;
mod writing;

use std::sync::Arc;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::postgres::{Failure, PostgresDatabase, PostgresError, PostgresSettings};
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use sqlx::PgConnection;
use sqlx::migrate::Migrator;

use super::{MatchmakingStore, OpenGames, Orders, clash, why_not_named};
use crate::account::Account;
use crate::accounts::Naming;
use crate::error::{LobbyError, Result};
use crate::game::Game;
use crate::name::keys::NameKeys;
use crate::order::{Batch, Done};
use crate::seating::DrawnPick;

static MIGRATOR: Migrator = sqlx::migrate!("../../migrations/postgres/matchmaking");
const SCHEMA: &str = "matchmaking";

/// The tables of the role in one PostgreSQL database.
#[derive(Debug, Clone)]
pub struct PostgresStore(PostgresDatabase);

impl PostgresStore {
    /// Connects to the database, whose schema must be the one of this build.
    pub async fn open(settings: &PostgresSettings) -> std::result::Result<Self, PostgresError> {
        PostgresDatabase::open(settings, SCHEMA, &MIGRATOR).await.map(Self)
    }

    /// Makes or renews the schema.
    pub async fn migrate(settings: &PostgresSettings) -> std::result::Result<(), PostgresError> {
        PostgresDatabase::migrate(settings, SCHEMA, &MIGRATOR).await
    }

    async fn change_once(&self, batch: &Batch) -> Result<Vec<Result<Done>>> {
        let mut transaction = self.0.begin().await?;
        let done = change(&mut transaction, batch).await;
        transaction.end(done).await
    }
}

impl Failure for LobbyError {
    fn sql(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Store(cause) => cause.downcast_ref(),
            _ => None,
        }
    }
}

#[async_trait]
impl Orders for PostgresStore {
    async fn change(&self, batch: Arc<Batch>) -> Result<Vec<Result<Done>>> {
        self.0.transact(|| self.change_once(&batch)).await
    }
}

#[async_trait]
impl MatchmakingStore for PostgresStore {
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()> {
        let add = || async { self.0.rows(accounts::add(accounts)).await.map_err(LobbyError::from) };
        self.0.retry(add).await.map(drop)
    }

    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>> {
        let rows = self.0.rows(accounts::among(ids)).await?;
        Ok(rows.into_iter().map(accounts::Row::into).collect())
    }

    async fn accounts_called(&self, name: &str) -> Result<Vec<Account>> {
        let rows = self.0.rows(accounts::called(name)).await?;
        Ok(rows.into_iter().map(accounts::Row::into).collect())
    }

    async fn is_name_taken(&self, keys: &NameKeys) -> Result<bool> {
        Ok(self.0.rows(accounts::taken(keys)).await?.first().is_some_and(|(taken,)| *taken))
    }

    async fn name_account(&self, naming: &Naming) -> Result<Account> {
        let name = || async { self.0.rows(accounts::name(naming)).await };
        match self.0.retry(name).await {
            Ok(mut named) => match named.pop() {
                Some(account) => Ok(account.into()),
                None => Err(why_not_named(&self.accounts(&[naming.account]).await?)),
            },
            Err(error) => Err(clash(error.into())),
        }
    }

    async fn credentials(&self, name_folded: &str) -> Result<Option<(Account, String)>> {
        Ok(self.0.rows(accounts::credentials(name_folded)).await?.pop().map(Into::into))
    }

    async fn change_password(
        &self,
        account: AccountId,
        before: &str,
        after: &str,
    ) -> Result<Option<Account>> {
        Ok(self.0.rows(accounts::change_password(account, before, after)).await?.pop().map(Into::into))
    }

    async fn end_sessions(&self, account: AccountId) -> Result<Option<Account>> {
        Ok(self.0.rows(accounts::end_sessions(account)).await?.pop().map(Into::into))
    }

    async fn delete_account(&self, account: AccountId, name: &str, at: Timestamp) -> Result<Option<Account>> {
        Ok(self.0.rows(accounts::delete(account, name, at)).await?.pop().map(Into::into))
    }

    async fn game(&self, game: TableId) -> Result<Option<Game>> {
        Ok(rows::games(self.0.rows(rows::game(game)).await?)?.pop())
    }

    async fn open_games(&self, asked: &OpenGames) -> Result<Vec<Game>> {
        rows::games(self.0.rows(rows::open_games(asked)).await?)
    }

    async fn lonely(&self, created_before: Timestamp, limit: u32) -> Result<Vec<Game>> {
        rows::games(self.0.rows(rows::lonely(created_before, limit)).await?)
    }

    async fn overdue(&self, created_before: Timestamp, limit: u32) -> Result<Vec<TableId>> {
        let games = self.0.rows(waiting::overdue(created_before, limit)).await?;
        Ok(games.into_iter().map(|(game,)| game).collect())
    }

    async fn live_searchers(&self, after: Option<AccountId>, limit: u32) -> Result<Vec<AccountId>> {
        let people = self.0.rows(waiting::live_searchers(after, limit)).await?;
        Ok(people.into_iter().map(|(person,)| person).collect())
    }

    async fn note_away(&self, people: &[AccountId], away: bool) -> Result<Vec<Game>> {
        let note = || async { self.0.rows(waiting::note_away(people, away)).await };
        let changed: Vec<_> = self.0.retry(note).await?.into_iter().map(|(game,)| game).collect();
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        rows::games(self.0.rows(waiting::among(&changed)).await?)
    }

    async fn draw(&self, game: TableId) -> Result<Option<(Game, Vec<DrawnPick>)>> {
        // The picks first: whoever sits in the game that is read after them may be missing in them, for
        // a moment, but nobody is in them who doesn't sit there.
        let picks = self.0.rows(rows::picks(game)).await?;
        let picks = picks.into_iter().map(rows::PickRow::into).collect();
        Ok(self.game(game).await?.map(|game| (game, picks)))
    }

    async fn unsettled(
        &self,
        changed_before: Timestamp,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<TableId>> {
        let games = self.0.rows(settling::unsettled(changed_before, after, limit)).await?;
        Ok(games.into_iter().map(|(game,)| game).collect())
    }

    async fn abandon(&self, game: TableId, at: Timestamp) -> Result<()> {
        let abandon = || async { self.0.rows(settling::abandon(game, at)).await };
        Ok(self.0.retry(abandon).await.map(drop)?)
    }

    async fn forget_requests(&self, before: Timestamp) -> Result<u64> {
        let forget = || async { self.0.rows(settling::forget_requests(before)).await };
        let forgotten = self.0.retry(forget).await?;
        Ok(forgotten.first().map_or(0, |(count,)| count.unsigned_abs()))
    }
}

async fn change(connection: &mut PgConnection, batch: &Batch) -> Result<Vec<Result<Done>>> {
    let mut picture = reading::picture(connection, batch).await?;
    let outcomes = picture.carry_out(batch);
    writing::write(connection, &picture, batch).await?;
    Ok(outcomes)
}
