//! What the engine has confirmed, and what it still has to be told. Each is one statement.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::types::Uuid;

use super::rows::Query;
use crate::store::Confirmation;

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

pub(super) fn settle_expected(confirmed: &[Confirmation]) -> Query<'_, (TableId, i32)> {
    sqlx::query_as(
        "UPDATE games SET settled = mark.change
         FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS mark (game_id, before, change)
         WHERE games.game_id = mark.game_id AND settled = mark.before
         RETURNING games.game_id, settled",
    )
    .bind(confirmed.iter().map(|one| one.game.0).collect::<Vec<Uuid>>())
    .bind(confirmed.iter().map(|one| one.before.into()).collect::<Vec<i64>>())
    .bind(confirmed.iter().map(|one| one.change.into()).collect::<Vec<i64>>())
}

/// The row is locked before it is compared, so that what is given is what was replaced.
pub(super) fn settle(game: TableId, change: u32) -> Query<'static, (i32,)> {
    sqlx::query_as(
        "UPDATE games SET settled = $2
         FROM (SELECT game_id, settled FROM games WHERE game_id = $1 AND settled < $2 FOR NO KEY UPDATE)
             AS before
         WHERE games.game_id = before.game_id
         RETURNING before.settled",
    )
    .bind(game)
    .bind(i64::from(change))
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
