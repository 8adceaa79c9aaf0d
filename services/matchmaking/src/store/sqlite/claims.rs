//! Seats claimed and games cancelled, in the transaction of the caller.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::SqliteConnection;

use super::rows::load;
use crate::error::{LobbyError, Result};
use crate::game::{NewGame, Player, Status};

/// The oldest listed game of a kind that waits and in which the asker doesn't sit.
pub(super) async fn oldest_of_kind(
    connection: &mut SqliteConnection,
    proposal: &NewGame,
) -> Result<Option<TableId>> {
    let waiting = sqlx::query_scalar(
        "SELECT game_id FROM games
         WHERE kind_hash = $1 AND status = 'waiting' AND origin = 'auto' AND NOT EXISTS (
             SELECT 1 FROM game_players AS player
             WHERE player.game_id = games.game_id AND player.account_id = $2)
         ORDER BY game_id LIMIT 1",
    )
    .bind(&proposal.kind.hash()[..])
    .bind(proposal.opener)
    .fetch_optional(connection)
    .await?;
    Ok(waiting)
}

/// Claims a seat for an account that names the game.
pub(super) async fn join(
    connection: &mut SqliteConnection,
    game: TableId,
    account: AccountId,
    at: Timestamp,
) -> Result<()> {
    let found = load(connection, game).await?;
    if found.status == Status::Cancelled {
        return Err(LobbyError::Cancelled);
    }
    if found.seat_of(account).is_some() {
        return Err(LobbyError::AlreadySeated);
    }
    claim(connection, game, Player::person(account), at).await
}

/// Claims the first empty seat in the order of asking: the seat's row, the picks that its
/// placeholder drew, and the game's own row.
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    game: TableId,
    player: Player,
    at: Timestamp,
) -> Result<()> {
    let seat: Option<u8> = sqlx::query_scalar(
        "SELECT seat FROM game_players WHERE game_id = $1 AND account_id IS NULL ORDER BY participant LIMIT 1",
    )
    .bind(game)
    .fetch_optional(&mut *connection)
    .await?;
    let seat = seat.ok_or(LobbyError::SeatTaken)?;

    sqlx::query(
        "UPDATE game_players
         SET account_id = $3, robot_level = $4, change = 1 + (SELECT change FROM games WHERE game_id = $1)
         WHERE game_id = $1 AND seat = $2",
    )
    .bind(game)
    .bind(seat)
    .bind(player.account)
    .bind(player.robot_level)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE game_setup_draws SET account_id = $3
         WHERE game_id = $1 AND seat = $2 AND account_id IS NULL",
    )
    .bind(game)
    .bind(seat)
    .bind(player.account)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE games SET change = change + 1, changed_at = $2, status = CASE WHEN EXISTS (
             SELECT 1 FROM game_players AS player
             WHERE player.game_id = games.game_id AND player.account_id IS NULL) THEN status ELSE 'full' END
         WHERE game_id = $1",
    )
    .bind(game)
    .bind(at.timestamp_micros())
    .execute(connection)
    .await?;
    Ok(())
}

/// Cancels a waiting game for somebody who sits in it.
pub(super) async fn cancel(
    connection: &mut SqliteConnection,
    game: TableId,
    account: AccountId,
    at: Timestamp,
) -> Result<()> {
    let found = load(connection, game).await?;
    if found.seat_of(account).is_none() {
        return Err(LobbyError::NotSeated);
    }
    match found.status {
        Status::Full => Err(LobbyError::Full),
        Status::Cancelled => Ok(()),
        Status::Waiting => {
            sqlx::query(
                "UPDATE games SET status = 'cancelled', change = change + 1, changed_at = $2
                 WHERE game_id = $1",
            )
            .bind(game)
            .bind(at.timestamp_micros())
            .execute(connection)
            .await?;
            Ok(())
        }
    }
}
