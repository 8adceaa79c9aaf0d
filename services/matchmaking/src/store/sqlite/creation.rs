//! One creation: the game, its seats and its draw, in the transaction of the caller.

use astragal_runtime::id::TableId;
use sqlx::SqliteConnection;

use crate::error::{LobbyError, Result};
use crate::game::{NewGame, Status};

/// The change that is the creation itself.
const CREATED: u32 = 1;

pub(super) async fn create(
    connection: &mut SqliteConnection,
    game: &NewGame,
    searches_max: u32,
) -> Result<TableId> {
    if game.status() == Status::Waiting {
        admit(connection, game, searches_max).await?;
    }
    insert_game(connection, game).await?;
    insert_seats(connection, game).await?;
    insert_picks(connection, game).await?;
    Ok(game.id)
}

async fn admit(connection: &mut SqliteConnection, game: &NewGame, searches_max: u32) -> Result<()> {
    let waiting: u32 =
        sqlx::query_scalar("SELECT count(*) FROM games WHERE opener = $1 AND status = 'waiting'")
            .bind(game.opener)
            .fetch_one(connection)
            .await?;
    if waiting >= searches_max { Err(LobbyError::AlreadySearching(waiting)) } else { Ok(()) }
}

async fn insert_game(connection: &mut SqliteConnection, game: &NewGame) -> Result<()> {
    // The winner of the draw sits at seat 0, so the first seat is 0.
    sqlx::query(
        "INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status,
                            opener, first_seat, series_id, change, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12, $13, $13)",
    )
    .bind(game.id)
    .bind(&game.kind.game)
    .bind(game.kind.version)
    .bind(&game.kind.variant)
    .bind(&game.kind.options)
    .bind(game.kind.seats)
    .bind(&game.kind.hash()[..])
    .bind(game.origin.as_str())
    .bind(game.status().as_str())
    .bind(game.opener)
    .bind(game.series)
    .bind(CREATED)
    .bind(game.at.timestamp_micros())
    .execute(connection)
    .await?;
    Ok(())
}

async fn insert_seats(connection: &mut SqliteConnection, game: &NewGame) -> Result<()> {
    for seat in &game.seats {
        sqlx::query(
            "INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(game.id)
        .bind(seat.seat)
        .bind(seat.participant)
        .bind(seat.player.map(|player| player.account))
        .bind(seat.player.map_or(0, |player| player.robot_level))
        .bind(seat.player.map(|_| CREATED))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn insert_picks(connection: &mut SqliteConnection, game: &NewGame) -> Result<()> {
    // A draw that runs by itself is over before anyone sees it, so its entropy is written at once.
    for pick in &game.picks {
        sqlx::query(
            "INSERT INTO game_setup_draws (game_id, round, pick_no, account_id, seat, letter, is_blank, rank,
                                           tile_set, source, entropy_sha256, entropy, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'auto', $10, $11, $12)",
        )
        .bind(game.id)
        .bind(pick.round)
        .bind(pick.pick)
        .bind(pick.player.map(|player| player.account))
        .bind(pick.seat)
        .bind(&pick.letter)
        .bind(pick.blank)
        .bind(pick.rank)
        .bind(&pick.tile_set)
        .bind(&pick.entropy_sha256)
        .bind(&pick.entropy[..])
        .bind(game.at.timestamp_micros())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
