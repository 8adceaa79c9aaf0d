//! Draws that stand, and how the games ended that they were drawn for, in PostgreSQL.

use std::collections::HashMap;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::postgres::PgRow;
use sqlx::types::Uuid;
use sqlx::{FromRow, PgConnection, Row};

use super::rows::{PickRow, Query, small};
use crate::error::Result;
use crate::game::GameEnd;
use crate::order::Batch;
use crate::seating::DrawnPick;
use crate::standing::Standing;
use crate::store::draws::{DrawKey, way_of};
use crate::store::newest_drawn::{newest_drawn, stands_since};
use crate::store::standing_rows::{self, StandingRow};

/// The newest game, as `last`, to whose draw each who is `asked` for came so. Each is looked up by itself, which `OFFSET`
/// makes sure of: a plan that is made while there are few games could go through all of them for each.
macro_rules! newest_of_each {
    () => {
        concat!(
            "CROSS JOIN LATERAL (SELECT * FROM games WHERE game_id = (",
            newest_drawn!("asked.account_id", "asked.drawn_for"),
            ") OFFSET 0) AS last"
        )
    };
}

/// The columns of a pick come first, as [`PickRow`] reads them. Seats and picks are looked up by their game for the
/// same reason.
const PICKS: &str = concat!(
    "SELECT round, pick_no, NULL::uuid, NULL::smallint, pick.seat, letter, is_blank, rank, pick.tile_set, entropy,
            recorded_by, reused_from, asked.account_id, last.game_id, last.status <> 'waiting', last.game,
            own.participant, place.participant, asked.drawn_for
     FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS asked (account_id, drawn_for, since)
     ",
    newest_of_each!(),
    "
     CROSS JOIN LATERAL (SELECT participant FROM game_players
                         WHERE game_id = last.game_id AND account_id = asked.account_id OFFSET 0) AS own
     CROSS JOIN LATERAL (SELECT * FROM game_setup_draws WHERE game_id = last.game_id OFFSET 0) AS pick
     CROSS JOIN LATERAL (SELECT participant FROM game_players
                         WHERE game_id = last.game_id AND seat = pick.seat OFFSET 0) AS place
     WHERE ",
    stands_since!("asked.since"),
    " ORDER BY asked.account_id, last.game_id, round, pick_no"
);

struct Pick(StandingRow);

impl FromRow<'_, PgRow> for Pick {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self(StandingRow {
            account: row.try_get(12)?,
            game: row.try_get(13)?,
            given_up: row.try_get(14)?,
            name: row.try_get(15)?,
            own: small(row.try_get(16)?)?,
            participant: small(row.try_get(17)?)?,
            way: way_of(row.try_get(18)?).map_err(|error| sqlx::Error::Decode(error.into()))?,
            pick: DrawnPick::from(PickRow::from_row(row)?),
        }))
    }
}

/// The draws that stand for those in a batch who may open a game.
pub(super) async fn picks(
    connection: &mut PgConnection,
    batch: &Batch,
) -> Result<HashMap<AccountId, Vec<Standing>>> {
    let asked = standing_rows::asked(batch);
    let rows: Vec<Pick> = sqlx::query_as(PICKS)
        .bind(asked.iter().map(|(key, _)| key.account.0).collect::<Vec<Uuid>>())
        .bind(asked.iter().map(|(key, _)| key.drawn_for()).collect::<Vec<String>>())
        .bind(asked.iter().map(|(_, since)| *since).collect::<Vec<Timestamp>>())
        .fetch_all(connection)
        .await?;
    Ok(standing_rows::gather(rows.into_iter().map(|Pick(row)| row).collect()))
}

pub(super) fn newest_unended(keys: &[DrawKey<'_>]) -> Query<'static, (TableId,)> {
    sqlx::query_as(concat!(
        "SELECT DISTINCT last.game_id
         FROM unnest($1::uuid[], $2::text[]) AS asked (account_id, drawn_for)
         ",
        newest_of_each!(),
        " WHERE last.status = 'full' AND last.end_reason IS NULL"
    ))
    .bind(keys.iter().map(|key| key.account.0).collect::<Vec<Uuid>>())
    .bind(keys.iter().map(DrawKey::drawn_for).collect::<Vec<String>>())
}

pub(super) fn note_end(game: TableId, end: &GameEnd) -> Query<'_, (TableId,)> {
    sqlx::query_as(
        "UPDATE games SET end_reason = $2, ended_at = $3 WHERE game_id = $1 AND end_reason IS NULL RETURNING game_id",
    )
    .bind(game)
    .bind(&end.reason)
    .bind(end.at)
}
