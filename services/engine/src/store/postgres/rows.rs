//! Rows of PostgreSQL as what they mean.

use crate::clocks::TimeMark;
use crate::header::TableHeader;
use crate::journal::Entry;
use crate::outcome::TableOutcome;
use crate::request::Stamp;
use crate::store::kind_columns::{KindColumns, digest, time_control};
use crate::store::{EndRow, Opened, PlayedRow, SeriesRow, StoreError};
use astragal_rules::seat::Seat;
use astragal_runtime::id::{RequestId, TableId};
use chrono::TimeDelta;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

/// An entry that was read.
pub(super) struct StoredEntry(Entry);

impl From<StoredEntry> for Entry {
    fn from(StoredEntry(entry): StoredEntry) -> Self {
        entry
    }
}

impl FromRow<'_, PgRow> for StoredEntry {
    /// Reads `revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, at, state_hash,
    /// spent, credit, runs`.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        let stamp = match (row.try_get::<Option<Uuid>, _>(7)?, row.try_get::<Option<&[u8]>, _>(8)?) {
            (Some(id), Some(hash)) => {
                Some(Stamp { id: RequestId(id), hash: digest(hash).map_err(unreadable)? })
            }
            _ => None,
        };
        let columns = KindColumns {
            kind: row.try_get(1)?,
            seat: seat(row, 2)?,
            number: row.try_get::<Option<i32>, _>(4)?.map(|number| count(number, "number")).transpose()?,
            action: row.try_get::<Option<&str>, _>(5)?.map(Into::into),
            drew: row.try_get(6)?,
        };
        Ok(Self(Entry {
            revision: count(row.try_get(0)?, "revision")?,
            kind: columns.read().map_err(unreadable)?,
            actor: seat(row, 3)?,
            stamp,
            at: row.try_get(9)?,
            state_hash: row.try_get::<Option<&[u8]>, _>(10)?.map(digest).transpose().map_err(unreadable)?,
            time: TimeMark {
                spent: TimeDelta::microseconds(row.try_get(11)?),
                credit: TimeDelta::microseconds(row.try_get(12)?),
                runs: seat(row, 13)?,
            },
        }))
    }
}

/// The row of a table, without its seed.
pub(super) struct TableRow {
    pub(super) header: TableHeader,
    pub(super) series: String,
    pub(super) outcome: Option<TableOutcome>,
}

impl FromRow<'_, PgRow> for TableRow {
    /// Reads `id, game, version, variant, options, seats, first_seat, commitment, series_id, opened_at, series, outcome,
    /// time_control, best_of, follows`.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self {
            header: TableHeader {
                id: TableId(row.try_get(0)?),
                game: row.try_get(1)?,
                version: count(row.try_get(2)?, "version")?,
                variant: row.try_get(3)?,
                options: row.try_get(4)?,
                seats: small(row.try_get(5)?, "seats")?,
                first_seat: Seat(small(row.try_get(6)?, "first_seat")?),
                commitment: row.try_get(7)?,
                series_id: row.try_get(8)?,
                opened_at: row.try_get(9)?,
                time_control: time_control(row.try_get(12)?).map_err(unreadable)?,
                best_of: small(row.try_get(13)?, "best_of")?,
                follows: row.try_get(14)?,
            },
            series: row.try_get(10)?,
            outcome: outcome(row, 11)?,
        })
    }
}

/// A table that is open.
pub(super) struct OpenedRow(pub(super) Opened);

impl FromRow<'_, PgRow> for OpenedRow {
    /// Reads `commitment, version, revision`.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self(Opened {
            commitment: row.try_get(0)?,
            version: count(row.try_get(1)?, "version")?,
            revision: count(row.try_get(2)?, "revision")?,
        }))
    }
}

/// A game of a series.
pub(super) struct SeriesGame(pub(super) SeriesRow);

impl FromRow<'_, PgRow> for SeriesGame {
    /// Reads `id, first_seat, outcome`.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self(SeriesRow {
            id: row.try_get(0)?,
            first_seat: Seat(small(row.try_get(1)?, "first_seat")?),
            outcome: outcome(row, 2)?,
        }))
    }
}

/// A table that is over.
pub(super) struct Ended(pub(super) Option<EndRow>);

impl FromRow<'_, PgRow> for Ended {
    /// Reads `id, outcome, ended_at`.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        let (id, at) = (row.try_get(0)?, row.try_get::<Option<_>, _>(2)?);
        Ok(Self(outcome(row, 1)?.zip(at).map(|(end, at)| EndRow { id, reason: end.reason, at })))
    }
}

/// A table that is played.
pub(super) struct Played(pub(super) PlayedRow);

impl FromRow<'_, PgRow> for Played {
    /// Reads `id, time_control`.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        let time_control = time_control(row.try_get(1)?).map_err(unreadable)?;
        Ok(Self(PlayedRow { id: row.try_get(0)?, time_control }))
    }
}

/// A number that is never negative.
pub(super) fn count(number: i32, what: &str) -> sqlx::Result<u32> {
    number.try_into().map_err(|_| unreadable(what))
}

fn small(number: i16, what: &str) -> sqlx::Result<u8> {
    number.try_into().map_err(|_| unreadable(what))
}

fn seat(row: &PgRow, column: usize) -> sqlx::Result<Option<Seat>> {
    let seat: Option<i16> = row.try_get(column)?;
    seat.map(|seat| small(seat, "a seat").map(Seat)).transpose()
}

fn outcome(row: &PgRow, column: usize) -> sqlx::Result<Option<TableOutcome>> {
    let read = row.try_get::<Option<&str>, _>(column)?.map(serde_json::from_str).transpose();
    read.map_err(|_| unreadable("the outcome of a table"))
}

fn unreadable(what: &str) -> sqlx::Error {
    sqlx::Error::Decode(StoreError::Unreadable(what.to_owned()).into())
}
