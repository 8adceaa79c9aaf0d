//! Draws that stand, and how the games ended that they were drawn for, in SQLite.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;
use sqlx::{FromRow, Row, SqlitePool};

use super::reading::hex_of;
use super::rows::{PickRow, pick_of};
use crate::error::Result;
use crate::game::GameEnd;
use crate::order::Batch;
use crate::store::draws::{DrawKey, way_of};
use crate::store::newest_drawn::newest_drawn;
use crate::store::standing_rows::{self, StandingRow};

/// The picks of draws that stand, one row each. `$4`: account, for what it was drawn, and since when.
macro_rules! standing_picks {
    () => {
        concat!(
            "SELECT unhex(value ->> 0) AS standing_for, last.game_id AS standing_game, value ->> 1 AS drawn_for,
                    last.status <> 'waiting' AS given_up, last.game AS standing_name,
                    own.participant AS own, place.participant AS participant,
                    round, pick_no, NULL AS account_id, NULL AS robot_level, pick.seat AS seat, letter, is_blank,
                    rank, tile_set, entropy, recorded_by, reused_from
             FROM json_each($4) AS asked
             CROSS JOIN games AS last ON last.game_id = (",
            crate::store::newest_drawn::newest_drawn!("unhex(asked.value ->> 0)", "asked.value ->> 1"),
            ")
             CROSS JOIN game_players AS own ON own.game_id = last.game_id AND own.account_id = unhex(value ->> 0)
                 AND own.robot_level = 0
             CROSS JOIN game_setup_draws AS pick ON pick.game_id = last.game_id
             CROSS JOIN game_players AS place ON place.game_id = last.game_id AND place.seat = pick.seat
             WHERE ",
            crate::store::newest_drawn::stands_since!("value ->> 2"),
            " ORDER BY standing_for, standing_game, round, pick_no"
        )
    };
}

pub(super) use standing_picks;

/// What `$4` is for a batch.
pub(super) fn asked(batch: &Batch) -> Vec<(String, String, i64)> {
    let row = |(key, since): (DrawKey<'_>, Timestamp)| {
        (hex_of(key.account.0), key.drawn_for(), since.timestamp_micros())
    };
    standing_rows::asked(batch).into_iter().map(row).collect()
}

/// A row of the query.
pub(super) fn row(row: &SqliteRow) -> Result<StandingRow> {
    Ok(StandingRow {
        account: row.try_get("standing_for")?,
        game: row.try_get("standing_game")?,
        way: way_of(row.try_get("drawn_for")?)?,
        given_up: row.try_get("given_up")?,
        name: row.try_get("standing_name")?,
        own: row.try_get("own")?,
        participant: row.try_get("participant")?,
        pick: pick_of(PickRow::from_row(row)?)?,
    })
}

pub(super) async fn newest_unended(pool: &SqlitePool, keys: &[DrawKey<'_>]) -> Result<Vec<TableId>> {
    let asked: Vec<_> = keys.iter().map(|key| (hex_of(key.account.0), key.drawn_for())).collect();
    let newest: Vec<(TableId,)> = sqlx::query_as(concat!(
        "SELECT DISTINCT last.game_id
         FROM json_each($1) AS asked CROSS JOIN games AS last ON last.game_id = (",
        newest_drawn!("unhex(asked.value ->> 0)", "asked.value ->> 1"),
        ") WHERE last.status = 'full' AND last.end_reason IS NULL"
    ))
    .bind(Json(asked))
    .fetch_all(pool)
    .await?;
    Ok(newest.into_iter().map(|(game,)| game).collect())
}

pub(super) async fn note_end(
    connection: &mut sqlx::SqliteConnection,
    game: TableId,
    end: &GameEnd,
) -> Result<()> {
    sqlx::query("UPDATE games SET end_reason = $2, ended_at = $3 WHERE game_id = $1 AND end_reason IS NULL")
        .bind(game)
        .bind(&end.reason)
        .bind(end.at.timestamp_micros())
        .execute(connection)
        .await?;
    Ok(())
}
