//! An entry of the journal as a row: what stands in which column, in the order that the statements
//! use. It knows no SQL.

use crate::journal::{Entry, EntryKind};
use crate::occupant::Occupant;
use crate::request::Stamp;
use crate::store::StoreError;
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::Seat;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use chrono::DateTime;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

/// A row to write, as an array: bytes in hex, the rest as it is.
#[derive(Serialize)]
pub(super) struct NewRow<'e>(
    String,
    u32,
    &'static str,
    Option<Seat>,
    Option<Seat>,
    Option<u32>,
    Option<std::borrow::Cow<'e, str>>,
    bool,
    Option<String>,
    Option<String>,
    i64,
    Option<String>,
);

/// Who sat down, in the column of the action.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Seated {
    account: AccountId,
    robot_level: u8,
}

impl<'e> NewRow<'e> {
    pub(super) fn of(table: TableId, entry: &'e Entry) -> Self {
        let (kind, seat, number, action, drew) = match &entry.kind {
            EntryKind::Move(logged) => {
                ("move", logged.seat, Some(logged.number), Some((&*logged.action).into()), logged.drew)
            }
            EntryKind::Undo { number } => ("undo", None, Some(*number), None, false),
            EntryKind::SeatTaken(Occupant { seat, account, robot_level }) => {
                let seated = Seated { account: *account, robot_level: *robot_level };
                let text = serde_json::to_string(&seated).unwrap_or_default();
                ("seat_taken", Some(*seat), None, Some(text.into()), false)
            }
            EntryKind::ClockStopped => ("clock_stopped", None, None, None, false),
            EntryKind::ClockResumed => ("clock_resumed", None, None, None, false),
            EntryKind::Crashed { place } => ("crashed", None, None, Some(place.into()), false),
        };
        Self(
            hex_of(table.0),
            entry.revision,
            kind,
            seat,
            entry.actor,
            number,
            action,
            drew,
            entry.stamp.map(|stamp| hex_of(stamp.id.0)),
            entry.stamp.map(|stamp| hex::encode(stamp.hash)),
            entry.at.timestamp_micros(),
            entry.state_hash.map(hex::encode),
        )
    }
}

pub(super) fn hex_of(id: Uuid) -> String {
    id.simple().to_string()
}

/// A row that was read.
pub(super) struct StoredEntry(pub(super) Entry);

impl FromRow<'_, SqliteRow> for StoredEntry {
    /// Reads `revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, at, state_hash`.
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let stamp = match (row.try_get::<Option<Uuid>, _>(7)?, row.try_get::<Option<&[u8]>, _>(8)?) {
            (Some(id), Some(hash)) => Some(Stamp { id: RequestId(id), hash: digest(hash)? }),
            _ => None,
        };
        let at = DateTime::from_timestamp_micros(row.try_get(9)?).ok_or_else(|| unreadable("at"))?;
        let state_hash = row.try_get::<Option<&[u8]>, _>(10)?.map(digest).transpose()?;
        Ok(Self(Entry {
            revision: row.try_get(0)?,
            kind: read_kind(row)?,
            actor: row.try_get::<Option<u8>, _>(3)?.map(Seat),
            stamp,
            at,
            state_hash,
        }))
    }
}

fn read_kind(row: &SqliteRow) -> sqlx::Result<EntryKind> {
    let seat = row.try_get::<Option<u8>, _>(2)?.map(Seat);
    match row.try_get::<&str, _>(1)? {
        "move" => Ok(EntryKind::Move(LoggedMove {
            number: row.try_get(4)?,
            seat,
            action: row.try_get::<&str, _>(5)?.into(),
            drew: row.try_get(6)?,
        })),
        "undo" => Ok(EntryKind::Undo { number: row.try_get(4)? }),
        "seat_taken" => {
            let seat = seat.ok_or_else(|| unreadable("seat"))?;
            let seated: Seated =
                serde_json::from_str(row.try_get(5)?).map_err(|_| unreadable("the occupant of a seat"))?;
            Ok(EntryKind::SeatTaken(Occupant {
                seat,
                account: seated.account,
                robot_level: seated.robot_level,
            }))
        }
        "clock_stopped" => Ok(EntryKind::ClockStopped),
        "clock_resumed" => Ok(EntryKind::ClockResumed),
        "crashed" => Ok(EntryKind::Crashed { place: row.try_get(5)? }),
        _ => Err(unreadable("kind")),
    }
}

fn digest(bytes: &[u8]) -> sqlx::Result<[u8; 32]> {
    bytes.try_into().map_err(|_| unreadable("a digest"))
}

fn unreadable(what: &str) -> sqlx::Error {
    sqlx::Error::Decode(StoreError::Unreadable(format!("{what} in the journal")).into())
}
