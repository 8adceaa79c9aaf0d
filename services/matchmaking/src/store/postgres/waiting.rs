//! Games that wait: too long, for somebody who has gone, or for somebody who is offline. Each is one statement.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::types::Uuid;

use super::rows::{GameSeat, Query, games_where};
use crate::store::live_search::live_search;

pub(super) fn overdue(created_before: Timestamp, limit: u32) -> Query<'static, (TableId,)> {
    sqlx::query_as(
        "SELECT game_id FROM games
         WHERE status = 'waiting' AND (created_at <= $1 OR (
             SELECT deleted_at FROM accounts WHERE account_id = opener) IS NOT NULL)
         ORDER BY created_at, game_id LIMIT $2",
    )
    .bind(created_before)
    .bind(i64::from(limit))
}

pub(super) fn live_searchers(after: Option<AccountId>, limit: u32) -> Query<'static, (AccountId,)> {
    sqlx::query_as(concat!(
        "SELECT DISTINCT opener FROM games WHERE ",
        live_search!(),
        " AND ($1::uuid IS NULL OR opener > $1) ORDER BY opener LIMIT $2"
    ))
    .bind(after)
    .bind(i64::from(limit))
}

/// Locked in the order of ids first, as everyone locks games.
pub(super) fn note_away(people: &[AccountId], away: bool) -> Query<'_, (TableId,)> {
    sqlx::query_as(concat!(
        "WITH news AS MATERIALIZED (
             SELECT game_id FROM games WHERE ",
        live_search!(),
        " AND opener = ANY($1) AND away <> $2
             ORDER BY game_id FOR NO KEY UPDATE)
         UPDATE games SET away = $2 FROM news WHERE games.game_id = news.game_id RETURNING games.game_id"
    ))
    .bind(people.iter().map(|person| person.0).collect::<Vec<Uuid>>())
    .bind(away)
}

pub(super) fn among(games: &[TableId]) -> Query<'_, GameSeat> {
    sqlx::query_as(games_where!("WHERE game_id = ANY($1) ORDER BY game_id, seat"))
        .bind(games.iter().map(|game| game.0).collect::<Vec<Uuid>>())
}
