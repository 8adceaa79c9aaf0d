//! Seats claimed, and games cancelled: each by whoever holds the lock of the game's row, so a game that
//! was read after that is as it was read.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::PgConnection;

use super::rows::load;
use crate::error::{LobbyError, Result};
use crate::game::{Game, NewGame, Player, Status};
use crate::request::Request;

/// The oldest listed game of the proposal's kind that waits and in which its opener doesn't sit; how
/// its row is locked comes after it. A row that has changed when the lock is given is looked at anew.
macro_rules! oldest_of_kind {
    ($lock:literal) => {
        concat!(
            "SELECT game_id FROM games AS waiting
             WHERE kind_hash = $1 AND status = 'waiting' AND origin = 'auto' AND NOT EXISTS (
                 SELECT 1 FROM game_players AS sitting
                 WHERE sitting.game_id = waiting.game_id AND sitting.account_id = $2)
             ORDER BY game_id LIMIT 1 ",
            $lock
        )
    };
}

/// Locks the oldest game that nobody else is about to change.
pub(super) async fn lock_free_of_kind(
    connection: &mut PgConnection,
    proposal: &NewGame,
) -> Result<Option<TableId>> {
    let oldest = oldest_of_kind!("FOR NO KEY UPDATE OF waiting SKIP LOCKED");
    lock_oldest(connection, oldest, proposal).await
}

/// Locks the oldest game, and waits for whoever is about to change it.
pub(super) async fn lock_of_kind(
    connection: &mut PgConnection,
    proposal: &NewGame,
) -> Result<Option<TableId>> {
    lock_oldest(connection, oldest_of_kind!("FOR NO KEY UPDATE OF waiting"), proposal).await
}

async fn lock_oldest(
    connection: &mut PgConnection,
    oldest: &'static str,
    proposal: &NewGame,
) -> Result<Option<TableId>> {
    let kind = proposal.kind.hash();
    let found: Option<(TableId,)> =
        sqlx::query_as(oldest).bind(&kind[..]).bind(proposal.opener).fetch_optional(connection).await?;
    Ok(found.map(|(game,)| game))
}

/// Claims the next seat of a game that is locked.
pub(super) async fn claim(
    connection: &mut PgConnection,
    game: &Game,
    player: Player,
    at: Timestamp,
) -> Result<Game> {
    let (seat, claimed) = game.with_next(player).ok_or(LobbyError::SeatTaken)?;
    sqlx::query(
        "WITH sitting AS (
             UPDATE game_players SET account_id = $1, robot_level = $2, change = $3
             WHERE game_id = $4 AND seat = $5),
         drawn AS (
             UPDATE game_setup_draws SET account_id = $1
             WHERE game_id = $4 AND seat = $5 AND account_id IS NULL)
         UPDATE games SET change = $3, changed_at = $6, status = $7 WHERE game_id = $4",
    )
    .bind(player.account)
    .bind(i16::from(player.robot_level))
    .bind(i64::from(claimed.change))
    .bind(claimed.id)
    .bind(i16::from(seat))
    .bind(at)
    .bind(claimed.status.as_str())
    .execute(connection)
    .await?;
    Ok(claimed)
}

/// Claims a seat for somebody who names the game.
pub(super) async fn join(connection: &mut PgConnection, request: &Request, game: TableId) -> Result<Game> {
    let found = lock(connection, game).await?;
    if found.status == Status::Cancelled {
        return Err(LobbyError::Cancelled);
    }
    if found.seat_of(request.account).is_some() {
        return Err(LobbyError::AlreadySeated);
    }
    claim(connection, &found, Player::person(request.account), request.at).await
}

/// Claims every empty seat of a waiting game.
pub(super) async fn claim_all(
    connection: &mut PgConnection,
    game: TableId,
    player: Player,
    at: Timestamp,
) -> Result<Game> {
    let mut game = lock(connection, game).await?;
    while game.status == Status::Waiting {
        game = claim(connection, &game, player, at).await?;
    }
    Ok(game)
}

/// Cancels a waiting game for somebody who sits in it.
pub(super) async fn cancel(connection: &mut PgConnection, request: &Request, game: TableId) -> Result<Game> {
    let mut found = lock(connection, game).await?;
    if found.seat_of(request.account).is_none() {
        return Err(LobbyError::NotSeated);
    }
    match found.status {
        Status::Full => return Err(LobbyError::Full),
        Status::Cancelled => {}
        Status::Waiting => {
            sqlx::query(
                "UPDATE games SET status = 'cancelled', change = change + 1, changed_at = $2
                 WHERE game_id = $1",
            )
            .bind(game)
            .bind(request.at)
            .execute(connection)
            .await?;
            found.status = Status::Cancelled;
            found.change += 1;
        }
    }
    Ok(found)
}

/// Locks a game until the transaction ends, and reads it after that.
async fn lock(connection: &mut PgConnection, game: TableId) -> Result<Game> {
    sqlx::query("SELECT 1 FROM games WHERE game_id = $1 FOR NO KEY UPDATE")
        .bind(game)
        .execute(&mut *connection)
        .await?;
    load(connection, game).await
}
