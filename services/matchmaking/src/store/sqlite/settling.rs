//! What the sweeper looks for: what the engine still has to be told, and what is given up.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::{SqliteConnection, SqlitePool};

use crate::error::Result;

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

/// Forgets old requests, and counts them.
pub(super) async fn forget_requests(connection: &mut SqliteConnection, before: Timestamp) -> Result<u64> {
    let done = sqlx::query("DELETE FROM requests WHERE created_at < $1")
        .bind(before.timestamp_micros())
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
