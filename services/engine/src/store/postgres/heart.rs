//! Signs of life, outages, and who aborted how often, in PostgreSQL, by the time of the database.

use super::{PostgresTables, TablesQuery};
use crate::store::heart::{Abort, Beat, Beaten, Outage};
use crate::store::kind_columns::micros;
use crate::store::{Result, StoreError};
use astragal_runtime::clock::Timestamp;

/// One statement, which is a transaction of its own. Engines that beat at once wait for each other at
/// the row, so each sees when the one before it did.
const BEAT: &str = "WITH beat AS ( \
    INSERT INTO heartbeat AS last (at) VALUES (clock_timestamp()) \
    ON CONFLICT (single) DO UPDATE SET previous = last.at, at = GREATEST(last.at, clock_timestamp()) \
    RETURNING previous, at), \
    noted AS (INSERT INTO outages (began_at, ended_at) SELECT previous, at FROM beat \
    WHERE at - previous > $1 * interval '1 microsecond' RETURNING began_at, ended_at) \
    SELECT beat.at, outage.began_at, outage.ended_at FROM beat LEFT JOIN \
    (SELECT began_at, ended_at FROM outages UNION ALL SELECT began_at, ended_at FROM noted) AS outage \
    ON outage.ended_at > $2 ORDER BY outage.ended_at";

/// A place that is free again, or that the same game has.
const TAKE_PLACE: &str = "INSERT INTO aborts (account_id, place, table_id, at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (account_id, place) DO UPDATE SET table_id = excluded.table_id, at = excluded.at \
    WHERE aborts.at <= $5 OR aborts.table_id = excluded.table_id RETURNING table_id";

type BeatRow = (Timestamp, Option<Timestamp>, Option<Timestamp>);

impl PostgresTables {
    pub(super) async fn beat_once(&self, beat: Beat) -> Result<Beaten> {
        let asked = sqlx::query_as(BEAT).bind(micros(beat.silence_max)).bind(beat.known_until);
        let rows: Vec<BeatRow> = self.database.rows(asked).await?;
        let Some((at, ..)) = rows.first().copied() else {
            return Err(StoreError::Unreadable("the sign of life of the engines".to_owned()));
        };
        let outage = |(_, began_at, ended_at): BeatRow| {
            let began_at = began_at?;
            Some(Outage { began_at, ended_at: ended_at? })
        };
        Ok(Beaten { at: Some(at), outages: rows.into_iter().filter_map(outage).collect() })
    }

    pub(super) async fn take_place(&self, abort: Abort) -> Result<bool> {
        for place in 0..abort.aborts_max {
            let query = || -> TablesQuery<'_> {
                sqlx::query_as(TAKE_PLACE)
                    .bind(abort.account)
                    .bind(i16::from(place))
                    .bind(abort.table)
                    .bind(abort.at)
                    .bind(abort.since)
            };
            if !self.database.retry(|| self.run(Ok(query()))).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
