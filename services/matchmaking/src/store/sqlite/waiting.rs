//! Games that wait: too long, for somebody who has gone, or for somebody who is offline.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::types::Json;
use sqlx::{SqliteConnection, SqlitePool};

use super::reading::hex_of;
use super::rows::{games_where, gather};
use crate::error::Result;
use crate::game::Game;
use crate::store::live_search::live_search;

pub(super) async fn overdue(
    pool: &SqlitePool,
    created_before: Timestamp,
    limit: u32,
) -> Result<Vec<TableId>> {
    let games = sqlx::query_scalar(
        "SELECT game_id FROM games JOIN accounts ON opener = account_id
         WHERE status = 'waiting' AND (games.created_at <= $1 OR deleted_at IS NOT NULL)
         ORDER BY games.created_at, game_id LIMIT $2",
    )
    .bind(created_before.timestamp_micros())
    .bind(limit)
    .fetch_all(pool)
    .await?;
    Ok(games)
}

pub(super) async fn live_searchers(
    pool: &SqlitePool,
    after: Option<AccountId>,
    limit: u32,
) -> Result<Vec<AccountId>> {
    let people = sqlx::query_scalar(concat!(
        "SELECT DISTINCT opener FROM games WHERE ",
        live_search!(),
        " AND ($1 IS NULL OR opener > $1) ORDER BY opener LIMIT $2"
    ))
    .bind(after)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    Ok(people)
}

pub(super) async fn note_away(
    connection: &mut SqliteConnection,
    people: &[AccountId],
    away: bool,
) -> Result<Vec<Game>> {
    let people: Vec<String> = people.iter().map(|person| hex_of(person.0)).collect();
    let changed: Vec<TableId> = sqlx::query_scalar(concat!(
        "UPDATE games SET away = $2 WHERE ",
        live_search!(),
        " AND away <> $2 AND opener IN (SELECT unhex(value) FROM json_each($1)) RETURNING game_id"
    ))
    .bind(Json(people))
    .bind(away)
    .fetch_all(&mut *connection)
    .await?;
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let changed: Vec<String> = changed.iter().map(|game| hex_of(game.0)).collect();
    let rows = sqlx::query_as(games_where!(
        "WHERE game_id IN (SELECT unhex(value) FROM json_each($1)) ORDER BY game_id, seat"
    ))
    .bind(Json(changed))
    .fetch_all(connection)
    .await?;
    gather(rows)
}
