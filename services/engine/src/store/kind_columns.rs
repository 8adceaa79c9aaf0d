//! The kind of an entry, and what else is kept alike, as columns: the same ones in every database. It
//! knows no SQL.

use crate::journal::{EntryKind, StopReason};
use crate::occupant::Occupant;
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::Seat;
use astragal_runtime::id::AccountId;
use astragal_runtime::time_control::TimeControl;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What stands in the columns `kind, seat, number, action, drew`.
pub(super) struct KindColumns<'e> {
    pub(super) kind: &'e str,
    pub(super) seat: Option<Seat>,
    pub(super) number: Option<u32>,
    pub(super) action: Option<Cow<'e, str>>,
    pub(super) drew: bool,
}

/// A span as the databases keep it.
pub(super) fn micros(span: TimeDelta) -> i64 {
    span.num_microseconds().unwrap_or(i64::MAX)
}

/// A SHA-256 in a column.
pub(super) fn digest(bytes: &[u8]) -> Result<[u8; 32], &'static str> {
    bytes.try_into().map_err(|_| "a digest")
}

/// The column that says how time is counted.
pub(super) fn time_control(text: Option<&str>) -> Result<Option<TimeControl>, &'static str> {
    text.map(|text| TimeControl::of_text(text).ok_or("how time is counted at a table")).transpose()
}

/// Who sat down, in the column of the action.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Seated {
    account: AccountId,
    robot_level: u8,
}

impl<'e> From<&'e EntryKind> for KindColumns<'e> {
    fn from(kind: &'e EntryKind) -> Self {
        let word = |kind| Self { kind, seat: None, number: None, action: None, drew: false };
        match kind {
            EntryKind::Move(logged) => Self {
                seat: logged.seat,
                number: Some(logged.number),
                action: Some((&*logged.action).into()),
                drew: logged.drew,
                ..word("move")
            },
            EntryKind::Undo { number } => Self { number: Some(*number), ..word("undo") },
            EntryKind::SeatTaken(Occupant { seat, account, robot_level }) => {
                let seated = Seated { account: *account, robot_level: *robot_level };
                let text = serde_json::to_string(&seated).unwrap_or_default();
                Self { seat: Some(*seat), action: Some(text.into()), ..word("seat_taken") }
            }
            EntryKind::ClockStopped(why) => {
                Self { action: Some(why.as_str().into()), ..word("clock_stopped") }
            }
            EntryKind::ClockResumed => word("clock_resumed"),
            EntryKind::Crashed { place } => Self { action: Some(place.into()), ..word("crashed") },
        }
    }
}

impl KindColumns<'_> {
    /// Reads the kind; else the name of the column that holds what no version writes.
    pub(super) fn read(self) -> Result<EntryKind, &'static str> {
        let (seat, drew) = (self.seat, self.drew);
        let number = self.number.ok_or("number");
        let action = self.action.ok_or("action");
        match self.kind {
            "move" => {
                let action = action?.as_ref().into();
                Ok(EntryKind::Move(LoggedMove { number: number?, seat, action, drew }))
            }
            "undo" => Ok(EntryKind::Undo { number: number? }),
            "seat_taken" => {
                let seat = seat.ok_or("seat")?;
                let Seated { account, robot_level } =
                    serde_json::from_str(&action?).map_err(|_| "the occupant of a seat")?;
                Ok(EntryKind::SeatTaken(Occupant { seat, account, robot_level }))
            }
            "clock_stopped" => {
                StopReason::of_word(&action?).map(EntryKind::ClockStopped).ok_or("why the clocks stand")
            }
            "clock_resumed" => Ok(EntryKind::ClockResumed),
            "crashed" => Ok(EntryKind::Crashed { place: action?.into_owned() }),
            _ => Err("kind"),
        }
    }
}
