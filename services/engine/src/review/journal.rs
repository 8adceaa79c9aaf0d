//! The journal of a game that is over, as it leaves the engine: without accounts and requests.

use crate::ends::broke_down;
use crate::finished;
use crate::guard;
use crate::journal::{Entry, EntryKind};
use crate::outcome::Reason;
use crate::store::StoredTable;
use astragal_proto::engine::v1::{JournalEntry, JournalHead, StreamJournalResponse};
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::time_control::TimeControl;
use bytes::Bytes;

/// Entries of one message.
const ENTRIES: usize = 500;

/// Refuses a journal that nobody may have yet.
pub(super) fn check(stored: &StoredTable) -> Result<()> {
    match &stored.outcome {
        None => {
            Err(Problem::new(Code::GameInProgress, "the game goes on, its journal is shown when it is over"))
        }
        Some(outcome) if outcome.reason == Reason::Crashed => Err(broke_down()),
        Some(_) => Ok(()),
    }
}

/// The head, then the entries. The log of the head is that of a game which ends when it is played again.
pub(super) fn parts(
    registry: &Registry,
    stored: StoredTable,
) -> Result<impl Iterator<Item = StreamJournalResponse> + use<>> {
    let StoredTable { header, seed, outcome, series, entries } = stored;
    let (log, sitters) = finished::played(&header, seed, &entries)?;
    let end = guard::catch(|| registry.replay(&log)).map_err(|why| Problem::internal(&why))?;
    let log = FinishedLog::of(log, sitters, &*end).map_err(finished::refusal)?;
    let head = JournalHead {
        commitment: header.commitment.clone(),
        series_id: header.series_id.map(|id| id.to_string()).unwrap_or_default(),
        series: series.to_bytes(),
        outcome: outcome.map(|outcome| outcome.to_wire()),
        time_control: header.time_control.map(TimeControl::to_wire),
        started_at: Some(header.opened_at.into()),
        log: log.heading().map_err(|why| Problem::internal(&why))?.into(),
    };
    let mut entries = entries.into_iter();
    let entries = std::iter::from_fn(move || {
        let some: Vec<_> = entries.by_ref().take(ENTRIES).map(|entry| wire(&entry)).collect();
        (!some.is_empty()).then_some(StreamJournalResponse { head: None, entries: some })
    });
    Ok(std::iter::once(StreamJournalResponse { head: Some(head), entries: Vec::new() }).chain(entries))
}

fn wire(entry: &Entry) -> JournalEntry {
    let number_of = |seat: Option<Seat>| seat.map(|seat| seat.0.into());
    let mut wire = JournalEntry {
        revision: entry.revision,
        at_us: entry.at.timestamp_micros(),
        spent_us: entry.time.spent.num_microseconds().unwrap_or(i64::MAX),
        credit_us: entry.time.credit.num_microseconds().unwrap_or(i64::MAX),
        runs: number_of(entry.time.runs),
        state_hash: entry.state_hash.map(|hash| Bytes::copy_from_slice(&hash)).unwrap_or_default(),
        ..JournalEntry::default()
    };
    let kind = match &entry.kind {
        EntryKind::Move(logged) => {
            wire.seat = number_of(logged.seat);
            wire.number = logged.number;
            wire.content = Bytes::copy_from_slice(logged.action.as_bytes());
            wire.drew = logged.drew;
            "move"
        }
        EntryKind::Undo { number } => {
            wire.seat = number_of(entry.actor);
            wire.number = *number;
            "undo"
        }
        EntryKind::SeatTaken(occupant) => {
            wire.seat = Some(occupant.seat.0.into());
            wire.robot_level = occupant.robot_level.into();
            "seat_taken"
        }
        EntryKind::ClockStopped(why) => {
            wire.content = Bytes::from_static(why.as_str().as_bytes());
            "clock_stopped"
        }
        EntryKind::ClockResumed => "clock_resumed",
        EntryKind::Crashed { place } => {
            wire.content = Bytes::copy_from_slice(place.as_bytes());
            "crashed"
        }
    };
    kind.clone_into(&mut wire.kind);
    wire
}
