//! What the engine counts. Every instrument is looked up once, when the engine starts.

use crate::journal::{Entry, EntryKind};
use crate::store::Append;
use astragal_runtime::telemetry::metrics::{Errors, Metrics, seconds};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

const ROLE: &str = "engine";

/// The upper bounds of batches, in entries.
const ENTRIES: [f64; 11] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1_024.0];

/// The instruments; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct EngineMetrics {
    /// What was answered with an error on streams. Calls are counted where they come in.
    pub(crate) errors: Errors,
    /// The way of entries into the journal.
    pub(crate) appends: AppendMetrics,
    /// What came of the snapshots of long tables.
    pub(crate) snapshots: SnapshotMetrics,
    moves: Counter,
    entries: [Counter; KINDS.len()],
    ended: Family<EndLabels, Counter>,
}

/// Instruments of the group commit.
#[derive(Clone, Debug)]
pub(crate) struct AppendMetrics {
    /// Entries that wait to be written, with those that are being written.
    pub(crate) queued: Gauge,
    /// Entries of a batch.
    pub(crate) entries: Histogram,
    /// How long its transaction took.
    pub(crate) seconds: Histogram,
    /// Batches that were not written, or of which it is unknown.
    pub(crate) failures: Counter,
}

/// What came of asking for the snapshot of a table that was loaded.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotMetrics {
    /// It saved a replay.
    pub(crate) used: Counter,
    /// It was not believed.
    pub(crate) refused: Counter,
    /// There was none.
    pub(crate) missing: Counter,
}

/// The kinds of entries, as their label says.
const KINDS: [&str; 6] = ["move", "table_move", "undo", "seat_taken", "clock", "crash"];

fn kind(entry: &Entry) -> usize {
    match &entry.kind {
        EntryKind::Move(logged) if logged.seat.is_some() => 0,
        EntryKind::Move(_) => 1,
        EntryKind::Undo { .. } => 2,
        EntryKind::SeatTaken(_) => 3,
        EntryKind::ClockStopped(_) | EntryKind::ClockResumed => 4,
        EntryKind::Crashed { .. } => 5,
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EndLabels {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

impl EngineMetrics {
    pub(crate) fn new(metrics: &Metrics) -> Self {
        let (moves, ended) = (Counter::default(), Family::default());
        let entries = Family::<KindLabels, Counter>::default();
        metrics.register("moves", "Moves of seats that were committed", &moves);
        metrics.register("journal_entries", "Entries that were committed, by kind", &entries);
        metrics.register("games_ended", "Games that ended, by reason", &ended);
        Self {
            errors: metrics.errors(ROLE),
            appends: AppendMetrics::new(metrics),
            snapshots: SnapshotMetrics::new(metrics),
            moves,
            entries: KINDS.map(|kind| entries.get_or_create_owned(&KindLabels { kind })),
            ended,
        }
    }

    /// An entry is in the journal.
    pub(crate) fn committed(&self, append: &Append) {
        let kind = kind(&append.entry);
        self.entries[kind].inc();
        if kind == 0 {
            self.moves.inc();
        }
        if let Some(end) = &append.ended {
            self.ended.get_or_create(&EndLabels { reason: end.outcome.reason.as_str() }).inc();
        }
    }
}

impl SnapshotMetrics {
    fn new(metrics: &Metrics) -> Self {
        let asked = Family::<OutcomeLabels, Counter>::default();
        metrics.register("snapshots", "Snapshots that long tables were loaded with, by outcome", &asked);
        let of = |outcome| asked.get_or_create_owned(&OutcomeLabels { outcome });
        Self { used: of("used"), refused: of("refused"), missing: of("missing") }
    }
}

impl AppendMetrics {
    fn new(metrics: &Metrics) -> Self {
        let appends = Self {
            queued: Gauge::default(),
            entries: Histogram::new(ENTRIES),
            seconds: seconds(),
            failures: Counter::default(),
        };
        metrics.register("append_queue_entries", "Entries that wait to be committed", &appends.queued);
        metrics.register("append_batch_entries", "Entries of a batch", &appends.entries);
        metrics.register("append_batch_seconds", "How long a batch took to be committed", &appends.seconds);
        metrics.register("append_failures", "Batches that were not committed", &appends.failures);
        appends
    }
}
