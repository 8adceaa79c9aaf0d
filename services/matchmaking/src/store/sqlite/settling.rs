//! What the engine has confirmed, and what it still has to be told.

use std::collections::HashSet;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::types::Json;
use sqlx::{SqliteConnection, SqlitePool};

use crate::error::Result;
use crate::store::Confirmation;

pub(super) async fn unsettled(
    pool: &SqlitePool,
    changed_before: Timestamp,
    after: Option<TableId>,
    limit: u32,
) -> Result<Vec<TableId>> {
    let games = sqlx::query_scalar(
        "SELECT game_id FROM games
         WHERE settled < change AND changed_at <= $1 AND ($2 IS NULL OR game_id > $2)
         ORDER BY game_id LIMIT $3",
    )
    .bind(changed_before.timestamp_micros())
    .bind(after)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    Ok(games)
}

/// Notes what is as whoever confirms it believes; one statement, however many there are.
pub(super) async fn settle_expected(
    connection: &mut SqliteConnection,
    confirmed: &[Confirmation],
) -> Result<HashSet<(TableId, u32)>> {
    let note = |one: &Confirmation| (one.game.0.simple().to_string(), one.before, one.change);
    let noted: Vec<(TableId, u32)> = sqlx::query_as(
        "UPDATE games SET settled = note.value ->> 2 FROM json_each($1) AS note
         WHERE game_id = unhex(note.value ->> 0) AND settled = note.value ->> 1
         RETURNING game_id, settled",
    )
    .bind(Json(confirmed.iter().map(note).collect::<Vec<_>>()))
    .fetch_all(connection)
    .await?;
    Ok(noted.into_iter().collect())
}

/// Notes what is confirmed, whatever was noted before.
pub(super) async fn settle(
    connection: &mut SqliteConnection,
    game: TableId,
    change: u32,
) -> Result<Option<u32>> {
    let before: Option<u32> =
        sqlx::query_scalar("SELECT settled FROM games WHERE game_id = $1 AND settled < $2")
            .bind(game)
            .bind(change)
            .fetch_optional(&mut *connection)
            .await?;
    if before.is_some() {
        sqlx::query("UPDATE games SET settled = $2 WHERE game_id = $1")
            .bind(game)
            .bind(change)
            .execute(connection)
            .await?;
    }
    Ok(before)
}

pub(super) async fn abandon(connection: &mut SqliteConnection, game: TableId, at: Timestamp) -> Result<()> {
    sqlx::query(
        "UPDATE games SET status = 'cancelled', change = change + 1, settled = change + 1, changed_at = $2
         WHERE game_id = $1",
    )
    .bind(game)
    .bind(at.timestamp_micros())
    .execute(connection)
    .await?;
    Ok(())
}
