//! The store in SQLite. There is one writer at a time (`BEGIN IMMEDIATE`), so a transaction that
//! looks before it writes has seen everything; no row needs a lock of its own.
//!
//! Every command is a way to SQLite's thread and back, so a game is opened and joined as one script
//! that fails unless everything is as it usually is. If it fails, nothing was written, and the same is
//! done step by step, which finds out what there is to say.

mod accounts;
mod claims;
mod creation;
mod requests;
mod rows;
mod settling;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::{Location, OpenError, SqliteDatabase};
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use sqlx::error::ErrorKind;
use sqlx::migrate::Migrator;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use self::creation::Conditions;
use self::rows::load;
use super::{Confirmation, MatchmakingStore, OpenGames};
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
        let waiting = rows::oldest_of_kind(&mut *self.0.reader().acquire().await?, proposal).await?;
        let found = if let Some(waiting) = waiting {
            claims::try_claim(&self.0, request, &waiting).await?
        } else {
            let conditions = Conditions { searches_max, if_alone: true };
            creation::try_create(&self.0, request, proposal, conditions).await?
        };
        if let Some(game) = found {
            return Ok(game);
        }
        let mut transaction = self.0.begin().await?;
        if let Some(known) = known(&mut transaction, request).await? {
            return Ok(known);
        }
        let game = if let Some(waiting) = rows::oldest_of_kind(&mut transaction, proposal).await? {
            let player = Player::person(request.account);
            claims::claim(&mut transaction, &waiting, player, request.at).await?
        } else {
            creation::create(&mut transaction, proposal, searches_max).await?
        };
        note_and_commit(transaction, request, game).await
    }

    async fn create(&self, request: &Request, game: &NewGame, searches_max: u32) -> Result<Game> {
        let conditions = Conditions { searches_max, if_alone: false };
        if let Some(game) = creation::try_create(&self.0, request, game, conditions).await? {
            return Ok(game);
        }
        let mut transaction = self.0.begin().await?;
        if let Some(known) = known(&mut transaction, request).await? {
            return Ok(known);
        }
        let game = creation::create(&mut transaction, game, searches_max).await?;
        note_and_commit(transaction, request, game).await
    }

    async fn join(&self, request: &Request, game: TableId) -> Result<Game> {
        if let Some(found) = self.game(game).await?
            && let Some(claimed) = claims::try_claim(&self.0, request, &found).await?
        {
            return Ok(claimed);
        }
        let mut transaction = self.0.begin().await?;
        if let Some(known) = known(&mut transaction, request).await? {
            return Ok(known);
        }
        let game = claims::join(&mut transaction, request, game).await?;
        note_and_commit(transaction, request, game).await
    }

    async fn cancel(&self, request: &Request, game: TableId) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        if let Some(known) = known(&mut transaction, request).await? {
            return Ok(known);
        }
        let game = claims::cancel(&mut transaction, request, game).await?;
        note_and_commit(transaction, request, game).await
    }

    async fn attach_robots(&self, game: TableId, robot: Player, at: Timestamp) -> Result<Game> {
        let mut transaction = self.0.begin().await?;
        let mut game = load(&mut transaction, game).await?;
        while game.status == Status::Waiting {
            game = claims::claim(&mut transaction, &game, robot, at).await?;
        }
        transaction.commit().await?;
        Ok(game)
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

    async fn settle_expected(&self, confirmed: &[Confirmation]) -> Result<HashSet<(TableId, u32)>> {
        settling::settle_expected(&mut *self.0.writer().await?, confirmed).await
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

/// The game that a request led to before; refused if it came with other content, or of nobody here.
async fn known(connection: &mut SqliteConnection, request: &Request) -> Result<Option<Game>> {
    match requests::known(connection, request).await? {
        Some(game) => load(connection, game).await.map(Some),
        None => accounts::check_person(connection, request.account).await.map(|()| None),
    }
}

async fn note_and_commit(
    mut transaction: Transaction<'_, Sqlite>,
    request: &Request,
    game: Game,
) -> Result<Game> {
    requests::note(&mut transaction, request, game.id).await?;
    transaction.commit().await?;
    Ok(game)
}

/// Whether a script was written, or something was not as it usually is.
fn written(ran: sqlx::Result<()>) -> Result<bool> {
    match ran {
        Ok(()) => Ok(true),
        Err(sqlx::Error::Database(error)) if !matches!(error.kind(), ErrorKind::Other) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn if_known<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(LobbyError::UnknownGame) => Ok(None),
        Err(error) => Err(error),
    }
}
