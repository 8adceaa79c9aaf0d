//! The store in SQLite. There is one writer at a time (`BEGIN IMMEDIATE`), so a transaction that
//! looks before it writes has seen everything; no row needs a lock of its own.

mod accounts;
mod claims;
mod creation;
mod requests;
mod rows;
mod settling;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::{Location, OpenError, SqliteDatabase};
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use sqlx::migrate::Migrator;

use self::rows::load;
use super::{MatchmakingStore, OpenGames};
use crate::account::Account;
use crate::error::{LobbyError, Result};
use crate::game::{Game, NewGame, Player, Status};
use crate::request::Request;
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
impl MatchmakingStore for SqliteStore {
    async fn add_accounts(&self, accounts: &[Account]) -> Result<()> {
        let mut transaction = self.0.begin().await?;
        accounts::add(&mut transaction, accounts).await?;
        Ok(transaction.commit().await?)
    }

    async fn accounts(&self, ids: &[AccountId]) -> Result<Vec<Account>> {
        accounts::among(self.0.reader(), ids).await
    }

    async fn find_or_open(&self, request: &Request, proposal: &NewGame, searches_max: u32) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let game = match requests::known(&mut transaction, request).await? {
            Some(known) => known,
            None => match claims::oldest_of_kind(&mut transaction, proposal).await? {
                Some(waiting) => {
                    claims::claim(&mut transaction, waiting, Player::person(request.account), request.at)
                        .await?;
                    waiting
                }
                None => creation::create(&mut transaction, proposal, searches_max).await?,
            },
        };
        requests::remember(&mut transaction, request, game).await?;
        let game = load(&mut transaction, game).await?;
        transaction.commit().await?;
        Ok(game)
    }

    async fn create(&self, request: &Request, game: &NewGame, searches_max: u32) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let id = match requests::known(&mut transaction, request).await? {
            Some(known) => known,
            None => creation::create(&mut transaction, game, searches_max).await?,
        };
        requests::remember(&mut transaction, request, id).await?;
        let game = load(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(game)
    }

    async fn join(&self, request: &Request, game: TableId) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        if requests::known(&mut transaction, request).await?.is_none() {
            claims::join(&mut transaction, game, request.account, request.at).await?;
            requests::remember(&mut transaction, request, game).await?;
        }
        let game = load(&mut transaction, game).await?;
        transaction.commit().await?;
        Ok(game)
    }

    async fn cancel(&self, request: &Request, game: TableId) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        if requests::known(&mut transaction, request).await?.is_none() {
            claims::cancel(&mut transaction, game, request.account, request.at).await?;
            requests::remember(&mut transaction, request, game).await?;
        }
        let game = load(&mut transaction, game).await?;
        transaction.commit().await?;
        Ok(game)
    }

    async fn attach_robots(&self, game: TableId, robot: Player, at: Timestamp) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        while load(&mut transaction, game).await?.status == Status::Waiting {
            claims::claim(&mut transaction, game, robot, at).await?;
        }
        let game = load(&mut transaction, game).await?;
        transaction.commit().await?;
        Ok(game)
    }

    async fn game(&self, game: TableId) -> Result<Option<Game>> {
        match load(&mut *self.0.reader().acquire().await?, game).await {
            Ok(game) => Ok(Some(game)),
            Err(LobbyError::UnknownGame) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn open_games(&self, asked: &OpenGames) -> Result<Vec<Game>> {
        rows::open_games(self.0.reader(), asked).await
    }

    async fn lonely(&self, created_before: Timestamp, limit: u32) -> Result<Vec<Game>> {
        rows::lonely(self.0.reader(), created_before, limit).await
    }

    async fn picks(&self, game: TableId) -> Result<Vec<DrawnPick>> {
        rows::picks(self.0.reader(), game).await
    }

    async fn unsettled(
        &self,
        changed_before: Timestamp,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<TableId>> {
        settling::unsettled(self.0.reader(), changed_before, after, limit).await
    }

    async fn settle(&self, game: TableId, change: u32) -> Result<Option<u32>> {
        let mut transaction = self.0.begin().await?;
        let before = settling::settle(&mut transaction, game, change).await?;
        transaction.commit().await?;
        Ok(before)
    }

    async fn abandon(&self, game: TableId, at: Timestamp) -> Result<()> {
        let mut transaction = self.0.begin().await?;
        settling::abandon(&mut transaction, game, at).await?;
        Ok(transaction.commit().await?)
    }

    async fn forget_requests(&self, before: Timestamp) -> Result<u64> {
        let mut transaction = self.0.begin().await?;
        let forgotten = requests::forget(&mut transaction, before).await?;
        transaction.commit().await?;
        Ok(forgotten)
    }
}
