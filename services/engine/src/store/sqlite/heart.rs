//! Signs of life, outages, and who aborted how often, in `SQLite`. It has no clock: the process's counts.

use crate::store::heart::{Abort, Beat, Beaten, Outage};
use crate::store::kind_columns::micros;
use astragal_runtime::database::SqliteDatabase;
use chrono::DateTime;

/// Renews the row, or writes the first one.
const RENEW: &str = "INSERT INTO heartbeat (single, at) VALUES (1, $1) \
    ON CONFLICT (single) DO UPDATE SET previous = heartbeat.at, at = max(heartbeat.at, excluded.at)";

const NOTE_OUTAGE: &str = "INSERT INTO outages (began_at, ended_at) \
    SELECT previous, at FROM heartbeat WHERE at - previous > $1";

const OUTAGES: &str = "SELECT began_at, ended_at FROM outages WHERE ended_at > $1 ORDER BY ended_at";

/// A place that is free again, or that the same game has.
const TAKE_PLACE: &str = "INSERT INTO aborts (account_id, place, table_id, at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (account_id, place) DO UPDATE SET table_id = excluded.table_id, at = excluded.at \
    WHERE aborts.at <= $5 OR aborts.table_id = excluded.table_id";

pub(super) async fn beat(database: &SqliteDatabase, beat: Beat) -> sqlx::Result<Beaten> {
    let mut transaction = database.begin().await?;
    sqlx::query(RENEW).bind(beat.now.timestamp_micros()).execute(&mut *transaction).await?;
    sqlx::query(NOTE_OUTAGE).bind(micros(beat.silence_max)).execute(&mut *transaction).await?;
    let outages: Vec<(i64, i64)> = sqlx::query_as(OUTAGES)
        .bind(beat.known_until.timestamp_micros())
        .fetch_all(&mut *transaction)
        .await?;
    transaction.commit().await?;
    let outage = |(began_at, ended_at)| {
        let began_at = DateTime::from_timestamp_micros(began_at)?;
        Some(Outage { began_at, ended_at: DateTime::from_timestamp_micros(ended_at)? })
    };
    Ok(Beaten { at: None, outages: outages.into_iter().filter_map(outage).collect() })
}

pub(super) async fn allow_abort(database: &SqliteDatabase, abort: Abort) -> sqlx::Result<bool> {
    let mut transaction = database.begin().await?;
    let mut allowed = false;
    for place in 0..abort.aborts_max {
        let taken = sqlx::query(TAKE_PLACE)
            .bind(abort.account)
            .bind(place)
            .bind(abort.table)
            .bind(abort.at.timestamp_micros())
            .bind(abort.since.timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        allowed = taken.rows_affected() > 0;
        if allowed {
            break;
        }
    }
    transaction.commit().await?;
    Ok(allowed)
}
