//! Requests that are known again, in the transaction of the caller.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::SqliteConnection;

use crate::error::{LobbyError, Result};
use crate::request::Request;

/// The game that this request led to, if it came before; refused if it came with other content.
pub(super) async fn known(connection: &mut SqliteConnection, request: &Request) -> Result<Option<TableId>> {
    let row: Option<(Vec<u8>, TableId)> = sqlx::query_as(
        "SELECT request_hash, game_id FROM requests
         WHERE account_id = $1 AND request_id = $2 AND created_at >= $3",
    )
    .bind(request.account)
    .bind(request.id)
    .bind(request.forgotten_before().timestamp_micros())
    .fetch_optional(connection)
    .await?;
    match row {
        Some((hash, _)) if hash != request.hash => Err(LobbyError::RequestReused),
        Some((_, game)) => Ok(Some(game)),
        None => Ok(None),
    }
}

/// Notes what the request led to. One that is known keeps its age; a forgotten one is replaced.
pub(super) async fn remember(
    connection: &mut SqliteConnection,
    request: &Request,
    game: TableId,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO requests (account_id, request_id, request_hash, game_id, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account_id, request_id) DO UPDATE
         SET request_hash = excluded.request_hash, game_id = excluded.game_id,
             created_at = excluded.created_at
         WHERE created_at < $6",
    )
    .bind(request.account)
    .bind(request.id)
    .bind(&request.hash[..])
    .bind(game)
    .bind(request.at.timestamp_micros())
    .bind(request.forgotten_before().timestamp_micros())
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn forget(connection: &mut SqliteConnection, before: Timestamp) -> Result<u64> {
    let done = sqlx::query("DELETE FROM requests WHERE created_at < $1")
        .bind(before.timestamp_micros())
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
