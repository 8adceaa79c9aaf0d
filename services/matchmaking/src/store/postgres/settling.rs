//! What the sweeper looks for: what the engine still has to be told, and what is given up. Each is one
//! statement.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;

use super::rows::Query;

pub(super) fn unsettled(
    changed_before: Timestamp,
    after: Option<TableId>,
    limit: u32,
) -> Query<'static, (TableId,)> {
    sqlx::query_as(
        "SELECT game_id FROM games
         WHERE settled < change AND changed_at <= $1 AND ($2::uuid IS NULL OR game_id > $2)
         ORDER BY game_id LIMIT $3",
    )
    .bind(changed_before)
    .bind(after)
    .bind(i64::from(limit))
}

pub(super) fn abandon(game: TableId, at: Timestamp) -> Query<'static, (TableId,)> {
    sqlx::query_as(
        "UPDATE games
         SET status = 'cancelled', change = change + 1, settled = change + 1, changed_at = $2
         WHERE game_id = $1 RETURNING game_id",
    )
    .bind(game)
    .bind(at)
}

/// Forgets old requests, and counts them.
pub(super) fn forget_requests(before: Timestamp) -> Query<'static, (i64,)> {
    sqlx::query_as(
        "WITH forgotten AS (DELETE FROM requests WHERE created_at < $1 RETURNING 1)
         SELECT count(*) FROM forgotten",
    )
    .bind(before)
}
