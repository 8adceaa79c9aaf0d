//! The journal of a game that is over, as it leaves the engine: without accounts and requests.

use crate::ends::broke_down;
use crate::finished;
use crate::guard;
use crate::header::TableHeader;
use crate::journal::{Entry, EntryKind};
use crate::outcome::Reason;
use crate::store::StoredTable;
use astragal_proto::engine::v1::{JournalEntry, JournalHead, StreamJournalResponse};
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::time_control::TimeControl;
use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::mpsc;
use tonic::Status;

/// Entries of one message.
const ENTRIES: usize = 500;

/// Where the messages go.
type Answers = mpsc::Sender<std::result::Result<StreamJournalResponse, Status>>;

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

/// The entries, and the head last: the log of the head is that of a game which ends when it is played again,
/// and that goes on while the entries are read.
pub(super) async fn send(registry: Registry, stored: StoredTable, answers: Answers) {
    let StoredTable { header, seed, outcome, series, entries } = stored;
    let entries: Arc<[Entry]> = entries.into();
    let played = Arc::clone(&entries);
    let head = tokio::task::spawn_blocking(move || {
        let outcome = outcome.map(|outcome| outcome.to_wire());
        Ok(JournalHead { outcome, series: series.to_bytes(), ..head(&registry, &header, seed, &played)? })
    });
    for some in entries.chunks(ENTRIES) {
        let entries = some.iter().map(wire).collect();
        if answers.send(Ok(StreamJournalResponse { head: None, entries })).await.is_err() {
            return;
        }
    }
    let head = head.await.map_err(|error| Problem::internal(&error)).flatten();
    let last = head.map(|head| StreamJournalResponse { head: Some(head), entries: Vec::new() });
    // Whoever asked may have gone.
    let _ = answers.send(last.map_err(Status::from)).await;
}

fn head(registry: &Registry, header: &TableHeader, seed: Seed, entries: &[Entry]) -> Result<JournalHead> {
    let (log, sitters) = finished::played(header, seed, entries)?;
    let end = guard::catch(|| registry.replay(&log)).map_err(|why| Problem::internal(&why))?;
    let log = FinishedLog::of(log, sitters, &*end).map_err(finished::refusal)?;
    Ok(JournalHead {
        commitment: header.commitment.clone(),
        series_id: header.series_id.map(|id| id.to_string()).unwrap_or_default(),
        time_control: header.time_control.map(TimeControl::to_wire),
        started_at: Some(header.opened_at.into()),
        log: log.heading().map_err(|why| Problem::internal(&why))?.into(),
        ..JournalHead::default()
    })
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
