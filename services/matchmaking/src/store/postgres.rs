//! The store in PostgreSQL: the schema `matchmaking`, made by `migrations/postgres/matchmaking`.
//!
//! Any number of processes write at once, so what a transaction has looked at stays true because it
//! holds the row that says so. Rows are locked in one order, and so nobody waits in a circle:
//!
//! 1. the account that asks, by which its requests are answered one after the other: a repetition
//!    finds what the first one did, and nobody waits in more games than allowed;
//! 2. the slot of a kind, if a listed game may have to be opened;
//! 3. a game, by which its seats and its state are decided.
//!
//! A lock on the slot of the kind is why two who look for the same game never both wait. Whoever opens
//! holds it from before the last look until the commit, and a look takes a snapshot after the lock: it
//! sees every game that was opened before, and no other is opened meanwhile. Rows are locked rather
//! than numbers (`pg_advisory_xact_lock`), since databases that speak PostgreSQL's protocol without
//! being it have rows that can be locked, but advisory locks in name only. Whoever finds a game at the
//! first look needs no slot.

mod accounts;
mod claims;
mod creation;
mod requests;
mod rows;
mod settling;
#[cfg(test)]
pub(super) mod tests;

use std::collections::HashSet;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::postgres::{Failure, PostgresDatabase, PostgresError, PostgresSettings};
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use sqlx::PgConnection;
use sqlx::migrate::Migrator;

use super::{Confirmation, MatchmakingStore, OpenGames};
use crate::account::Account;
use crate::error::{LobbyError, Result};
use crate::game::{Game, NewGame, Player};
use crate::request::Request;
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

    async fn find_or_open_once(
        &self,
        request: &Request,
        proposal: &NewGame,
        searches_max: u32,
    ) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let done = find_or_open(&mut transaction, request, proposal, searches_max).await;
        transaction.end(done).await
    }

    async fn create_once(&self, request: &Request, game: &NewGame, searches_max: u32) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let done = create(&mut transaction, request, game, searches_max).await;
        transaction.end(done).await
    }

    async fn join_once(&self, request: &Request, game: TableId) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let done = join(&mut transaction, request, game).await;
        transaction.end(done).await
    }

    async fn cancel_once(&self, request: &Request, game: TableId) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let done = cancel(&mut transaction, request, game).await;
        transaction.end(done).await
    }

    async fn attach_once(&self, game: TableId, robot: Player, at: Timestamp) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let done = claims::claim_all(&mut transaction, game, robot, at).await;
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
impl MatchmakingStore for PostgresStore {
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()> {
        let add = || async { self.0.rows(accounts::add(accounts)).await.map_err(LobbyError::from) };
        self.0.retry(add).await.map(drop)
    }

    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>> {
        let rows = self.0.rows(accounts::among(ids)).await?;
        Ok(rows.into_iter().map(accounts::Row::into).collect())
    }

    async fn find_or_open(&self, request: &Request, proposal: &NewGame, searches_max: u32) -> Result<Game> {
        self.0.transact(|| self.find_or_open_once(request, proposal, searches_max)).await
    }

    async fn create(&self, request: &Request, game: &NewGame, searches_max: u32) -> Result<Game> {
        self.0.transact(|| self.create_once(request, game, searches_max)).await
    }

    async fn join(&self, request: &Request, game: TableId) -> Result<Game> {
        self.0.transact(|| self.join_once(request, game)).await
    }

    async fn cancel(&self, request: &Request, game: TableId) -> Result<Game> {
        self.0.transact(|| self.cancel_once(request, game)).await
    }

    async fn attach_robots(&self, game: TableId, robot: Player, at: Timestamp) -> Result<Game> {
        self.0.transact(|| self.attach_once(game, robot, at)).await
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

    async fn settle_expected(&self, confirmed: &[Confirmation]) -> Result<HashSet<(TableId, u32)>> {
        let settle = || async { self.0.rows(settling::settle_expected(confirmed)).await };
        let noted = self.0.retry(settle).await?;
        noted.into_iter().map(|(game, change)| Ok((game, rows::count(change)?))).collect()
    }

    async fn settle(&self, game: TableId, change: u32) -> Result<Option<u32>> {
        let settle = || async { self.0.rows(settling::settle(game, change)).await };
        let before = self.0.retry(settle).await?.pop();
        Ok(before.map(|(before,)| rows::count(before)).transpose()?)
    }

    async fn abandon(&self, game: TableId, at: Timestamp) -> Result<()> {
        let abandon = || async { self.0.rows(settling::abandon(game, at)).await };
        Ok(self.0.retry(abandon).await.map(drop)?)
    }

    async fn forget_requests(&self, before: Timestamp) -> Result<u64> {
        let forget = || async { self.0.rows(requests::forget(before)).await };
        let forgotten = self.0.retry(forget).await?;
        Ok(forgotten.first().map_or(0, |(count,)| count.unsigned_abs()))
    }
}

async fn find_or_open(
    connection: &mut PgConnection,
    request: &Request,
    proposal: &NewGame,
    searches_max: u32,
) -> Result<Game> {
    accounts::lock_person(connection, request.account).await?;
    if let Some(known) = requests::known(connection, request).await? {
        return rows::load(connection, known).await;
    }
    let mut waiting = claims::lock_free_of_kind(connection, proposal).await?;
    if waiting.is_none() {
        creation::lock_kind(connection, &proposal.kind).await?;
        waiting = claims::lock_of_kind(connection, proposal).await?;
    }
    let game = match waiting {
        Some(waiting) => {
            let waiting = rows::load(connection, waiting).await?;
            claims::claim(connection, &waiting, Player::person(request.account), request.at).await?
        }
        None => creation::create(connection, proposal, searches_max).await?,
    };
    requests::note(connection, request, game.id).await?;
    Ok(game)
}

async fn create(
    connection: &mut PgConnection,
    request: &Request,
    game: &NewGame,
    searches_max: u32,
) -> Result<Game> {
    accounts::lock_person(connection, request.account).await?;
    if let Some(known) = requests::known(connection, request).await? {
        return rows::load(connection, known).await;
    }
    let game = creation::create(connection, game, searches_max).await?;
    requests::note(connection, request, game.id).await?;
    Ok(game)
}

async fn join(connection: &mut PgConnection, request: &Request, game: TableId) -> Result<Game> {
    accounts::lock_person(connection, request.account).await?;
    if let Some(known) = requests::known(connection, request).await? {
        return rows::load(connection, known).await;
    }
    let game = claims::join(connection, request, game).await?;
    requests::note(connection, request, game.id).await?;
    Ok(game)
}

async fn cancel(connection: &mut PgConnection, request: &Request, game: TableId) -> Result<Game> {
    accounts::lock_person(connection, request.account).await?;
    if let Some(known) = requests::known(connection, request).await? {
        return rows::load(connection, known).await;
    }
    let game = claims::cancel(connection, request, game).await?;
    requests::note(connection, request, game.id).await?;
    Ok(game)
}
