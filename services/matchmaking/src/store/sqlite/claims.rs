//! Seats claimed, and games cancelled.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::SqliteDatabase;
use astragal_runtime::id::TableId;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, SqliteConnection};

use super::requests::{self, remember};
use super::rows::load;
use super::written;
use crate::error::{LobbyError, Result};
use crate::game::{Game, Player, Status};
use crate::request::Request;

/// The seat's row, the picks that its placeholder drew, and the game's own row.
///
/// If the game has changed meanwhile or waits no longer, or there is no such account, the seat would
/// be taken by no change, which its row refuses: the statements fail as a whole.
macro_rules! statements {
    () => {
        "UPDATE game_players SET account_id = $1, robot_level = $4, change = (
             SELECT change + 1 FROM games WHERE game_id = $2 AND change = $5 AND status = 'waiting'
                AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1 AND robot_level = $4))
         WHERE game_id = $2 AND seat = $6;
         UPDATE game_setup_draws SET account_id = $1
         WHERE game_id = $2 AND seat = $6 AND account_id IS NULL;
         UPDATE games SET change = change + 1, changed_at = $3, status = $7 WHERE game_id = $2;"
    };
}

const STATEMENTS: &str = statements!();
const SCRIPT: &str =
    concat!("BEGIN IMMEDIATE; ", statements!(), remember!("$8", "$9", "$10", "$11"), " COMMIT");

/// Claims a seat as one command for whoever asks; none if the game is not as it was read any more, or
/// if there is anything else to be said about it.
pub(super) async fn try_claim(
    database: &SqliteDatabase,
    request: &Request,
    game: &Game,
) -> Result<Option<Game>> {
    if game.status != Status::Waiting || game.seat_of(request.account).is_some() {
        return Ok(None);
    }
    let player = Player::person(request.account);
    let Some((seat, claimed)) = game.with_next(player) else { return Ok(None) };
    let mut arguments = arguments(&claimed, seat, player, request.at).map_err(sqlx::Error::Encode)?;
    requests::bind(&mut arguments, request).map_err(sqlx::Error::Encode)?;
    Ok(written(database.transact(SCRIPT, arguments).await)?.then_some(claimed))
}

/// Claims a seat in the transaction of the caller, by which the game was read.
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    game: &Game,
    player: Player,
    at: Timestamp,
) -> Result<Game> {
    let (seat, claimed) = game.with_next(player).ok_or(LobbyError::SeatTaken)?;
    let arguments = arguments(&claimed, seat, player, at).map_err(sqlx::Error::Encode)?;
    sqlx::query_with(STATEMENTS, arguments).execute(connection).await?;
    Ok(claimed)
}

/// Claims a seat for somebody who names the game.
pub(super) async fn join(
    connection: &mut SqliteConnection,
    request: &Request,
    game: TableId,
) -> Result<Game> {
    let found = load(connection, game).await?;
    if found.status == Status::Cancelled {
        return Err(LobbyError::Cancelled);
    }
    if found.seat_of(request.account).is_some() {
        return Err(LobbyError::AlreadySeated);
    }
    claim(connection, &found, Player::person(request.account), request.at).await
}

/// Cancels a waiting game for somebody who sits in it.
pub(super) async fn cancel(
    connection: &mut SqliteConnection,
    request: &Request,
    game: TableId,
) -> Result<Game> {
    let mut found = load(connection, game).await?;
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
            .bind(request.at.timestamp_micros())
            .execute(connection)
            .await?;
            found.status = Status::Cancelled;
            found.change += 1;
        }
    }
    Ok(found)
}

fn arguments(
    claimed: &Game,
    seat: u8,
    player: Player,
    at: Timestamp,
) -> std::result::Result<SqliteArguments, BoxDynError> {
    let mut arguments = SqliteArguments::default();
    arguments.add(player.account)?;
    arguments.add(claimed.id)?;
    arguments.add(at.timestamp_micros())?;
    arguments.add(player.robot_level)?;
    arguments.add(claimed.change - 1)?;
    arguments.add(seat)?;
    arguments.add(claimed.status.as_str())?;
    Ok(arguments)
}
