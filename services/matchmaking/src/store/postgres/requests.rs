//! Requests that are known again. Whoever asks here holds the lock of the account.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::PgConnection;

use super::rows::Query;
use crate::error::{LobbyError, Result};
use crate::request::Request;

/// The game that this request led to, if it came before; refused if it came with other content.
pub(super) async fn known(connection: &mut PgConnection, request: &Request) -> Result<Option<TableId>> {
    let row: Option<(Vec<u8>, TableId)> = sqlx::query_as(
        "SELECT request_hash, game_id FROM requests
         WHERE account_id = $1 AND request_id = $2 AND created_at >= $3",
    )
    .bind(request.account)
    .bind(request.id)
    .bind(request.forgotten_before())
    .fetch_optional(connection)
    .await?;
    match row {
        Some((hash, _)) if hash != request.hash => Err(LobbyError::RequestReused),
        Some((_, game)) => Ok(Some(game)),
        None => Ok(None),
    }
}

/// Notes what the request led to, which is not known yet; a forgotten one of the same id is replaced.
pub(super) async fn note(connection: &mut PgConnection, request: &Request, game: TableId) -> Result<()> {
    sqlx::query(
        "INSERT INTO requests (account_id, request_id, request_hash, game_id, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account_id, request_id) DO UPDATE
         SET request_hash = excluded.request_hash, game_id = excluded.game_id,
             created_at = excluded.created_at",
    )
    .bind(request.account)
    .bind(request.id)
    .bind(&request.hash[..])
    .bind(game)
    .bind(request.at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Forgets old requests, and counts them.
pub(super) fn forget(before: Timestamp) -> Query<'static, (i64,)> {
    sqlx::query_as(
        "WITH forgotten AS (DELETE FROM requests WHERE created_at < $1 RETURNING 1)
         SELECT count(*) FROM forgotten",
    )
    .bind(before)
}
