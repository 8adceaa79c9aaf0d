//! A row of SQLite's journal as an entry. It knows no SQL.

use crate::clocks::TimeMark;
use crate::journal::{Entry, EntryKind};
use crate::request::Stamp;
use crate::store::StoreError;
use crate::store::kind_columns::{KindColumns, digest};
use astragal_rules::seat::Seat;
use astragal_runtime::id::RequestId;
use chrono::{DateTime, TimeDelta};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

/// An id in a JSON array.
pub(super) fn hex_of(id: Uuid) -> String {
    id.simple().to_string()
}

/// A row that was read.
pub(super) struct StoredEntry(pub(super) Entry);

impl FromRow<'_, SqliteRow> for StoredEntry {
    /// Reads `revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, at, state_hash,
    /// spent, credit, runs`.
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let stamp = match (row.try_get::<Option<Uuid>, _>(7)?, row.try_get::<Option<&[u8]>, _>(8)?) {
            (Some(id), Some(hash)) => {
                Some(Stamp { id: RequestId(id), hash: digest(hash).map_err(unreadable)? })
            }
            _ => None,
        };
        let at = DateTime::from_timestamp_micros(row.try_get(9)?).ok_or_else(|| unreadable("at"))?;
        let state_hash = row.try_get::<Option<&[u8]>, _>(10)?.map(digest).transpose().map_err(unreadable)?;
        Ok(Self(Entry {
            revision: row.try_get(0)?,
            kind: read_kind(row)?,
            actor: row.try_get::<Option<u8>, _>(3)?.map(Seat),
            stamp,
            at,
            state_hash,
            time: TimeMark {
                spent: TimeDelta::microseconds(row.try_get(11)?),
                credit: TimeDelta::microseconds(row.try_get(12)?),
                runs: row.try_get::<Option<u8>, _>(13)?.map(Seat),
            },
        }))
    }
}

fn read_kind(row: &SqliteRow) -> sqlx::Result<EntryKind> {
    let columns = KindColumns {
        kind: row.try_get(1)?,
        seat: row.try_get::<Option<u8>, _>(2)?.map(Seat),
        number: row.try_get(4)?,
        action: row.try_get::<Option<&str>, _>(5)?.map(Into::into),
        drew: row.try_get(6)?,
    };
    columns.read().map_err(unreadable)
}

fn unreadable(what: &str) -> sqlx::Error {
    sqlx::Error::Decode(StoreError::Unreadable(format!("{what} in the journal")).into())
}
