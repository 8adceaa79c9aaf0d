//! Group commit, over a store that waits to be let go.

use super::*;
use crate::clocks::TimeMark;
use crate::journal::{Entry, EntryKind};
use crate::metrics::EngineMetrics;
use crate::store::heart::{Abort, Beat, Beaten};
use crate::store::{EndRow, LiveTables, Opened, PlayedRow, Result, StoredTable, TablesOf};
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{AccountId, RequestId};
use astragal_runtime::telemetry::metrics::Metrics;
use astragal_runtime::telemetry::span::Finished;
use astragal_runtime::telemetry::tracer::Recorder;
use async_trait::async_trait;
use chrono::DateTime;
use std::sync::Mutex;
use tokio::sync::Semaphore;

/// The revision of what is written; 0 for the opening of a table.
fn revision(write: &Write) -> u32 {
    write.entries().first().map_or(0, |entry| entry.revision)
}

/// Remembers its batches; each waits for a permit.
struct Gate {
    permits: Semaphore,
    batches: Mutex<Vec<Vec<(TableId, u32)>>>,
    broken: bool,
}

impl Gate {
    fn new(broken: bool) -> Arc<Self> {
        Arc::new(Self { permits: Semaphore::new(0), batches: Mutex::default(), broken })
    }

    fn batches(&self) -> Vec<Vec<(TableId, u32)>> {
        self.batches.lock().expect("batches").clone()
    }
}

#[async_trait]
impl TableStore for Gate {
    async fn write(&self, batch: &[Write]) -> Result<Vec<Appended>> {
        self.batches
            .lock()
            .expect("batches")
            .push(batch.iter().map(|write| (write.table(), revision(write))).collect());
        self.permits.acquire().await.expect("a permit").forget();
        if self.broken {
            return Err(StoreError::Unknown(sqlx::Error::WorkerCrashed));
        }
        Ok(vec![Appended::Yes; batch.len()])
    }

    async fn opened(&self, _: TableId) -> Result<Option<Opened>> {
        Ok(None)
    }
    async fn load(&self, _: TableId) -> Result<Option<StoredTable>> {
        Ok(None)
    }
    async fn tail(&self, _: TableId, _: u32) -> Result<Vec<Entry>> {
        Ok(Vec::new())
    }
    async fn entry_of(&self, _: TableId, _: Seat, _: RequestId) -> Result<Option<Entry>> {
        Ok(None)
    }
    async fn heads(&self, _: &[TableId]) -> Result<Vec<u32>> {
        Ok(Vec::new())
    }
    async fn ends(&self, _: &[TableId]) -> Result<Vec<EndRow>> {
        Ok(Vec::new())
    }
    async fn tables_of(&self, _: TablesOf) -> Result<Vec<TableId>> {
        Ok(Vec::new())
    }
    async fn playing(&self, _: &[AccountId]) -> Result<Vec<PlayedRow>> {
        Ok(Vec::new())
    }
    async fn live(&self, _: LiveTables) -> Result<Vec<TableId>> {
        Ok(Vec::new())
    }
    async fn find(&self, _: crate::store::review::Wanted) -> Result<Vec<TableId>> {
        Ok(Vec::new())
    }
    async fn note_look(&self, _: TableId, _: crate::store::review::Look) -> Result<()> {
        Ok(())
    }
    async fn looks(&self, _: TableId) -> Result<Vec<crate::store::review::Look>> {
        Ok(Vec::new())
    }
    async fn due(&self, _: Timestamp, _: u32) -> Result<Vec<(TableId, Timestamp)>> {
        Ok(Vec::new())
    }
    async fn postpone(&self, _: TableId, _: Timestamp) -> Result<()> {
        Ok(())
    }
    async fn move_flag(&self, _: TableId, _: Timestamp, _: Timestamp) -> Result<()> {
        Ok(())
    }
    async fn done(&self, _: &[TableId], _: crate::store::DueKind) -> Result<()> {
        Ok(())
    }
    async fn series(&self, _: astragal_runtime::id::SeriesId) -> Result<Vec<crate::store::SeriesRow>> {
        Ok(Vec::new())
    }
    async fn beat(&self, beat: Beat) -> Result<Beaten> {
        Ok(Beaten { at: Some(beat.now), outages: Vec::new() })
    }
    async fn allow_abort(&self, _: Abort) -> Result<bool> {
        Ok(true)
    }
}

fn append(table: TableId, revision: u32) -> Arc<Append> {
    let entry = Entry {
        revision,
        kind: EntryKind::ClockResumed,
        actor: None,
        stamp: None,
        at: DateTime::UNIX_EPOCH,
        state_hash: None,
        time: TimeMark::default(),
    };
    Arc::new(Append { table, entry, phase: None, ended: None, due: Vec::new() })
}

/// The channel over a store, watched by nobody.
fn channel(store: Arc<dyn TableStore>, queued_max: usize) -> (Appender, Committer) {
    let metrics = EngineMetrics::new(&Metrics::default());
    super::channel(store, queued_max, Tracer::default(), metrics.appends)
}

/// Queues an entry, and lets the committer see it.
async fn queue(appender: &Appender, append: Arc<Append>) -> tokio::task::JoinHandle<Answer> {
    let appender = appender.clone();
    let queued = tokio::spawn(async move { appender.append(append).await });
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    queued
}

#[tokio::test]
async fn the_next_batch_gathers_while_one_is_in_flight_and_holds_a_table_once() {
    let gate = Gate::new(false);
    let (appender, committer) = channel(gate.clone(), 100);
    tokio::spawn(committer.run(std::future::pending()));
    let mut tables: [TableId; 3] = std::array::from_fn(|_| TableId::new());
    tables.sort();
    let [first, second, third] = tables;
    let mut queued = vec![queue(&appender, append(second, 1)).await];
    for (table, revision) in [(third, 1), (second, 3), (first, 1), (second, 2)] {
        queued.push(queue(&appender, append(table, revision)).await);
    }
    assert_eq!(gate.batches(), [[(second, 1)]]);
    gate.permits.add_permits(5);
    for queued in queued {
        assert_eq!(queued.await.expect("a task"), Ok(Appended::Yes));
    }
    assert_eq!(gate.batches()[1..], [vec![(first, 1), (second, 2), (third, 1)], vec![(second, 3)]]);
}

#[tokio::test]
async fn a_full_queue_refuses_and_a_broken_transaction_is_unknown() {
    let gate = Gate::new(true);
    let (appender, committer) = channel(gate.clone(), 1);
    tokio::spawn(committer.run(std::future::pending()));
    let in_flight = queue(&appender, append(TableId::new(), 1)).await;
    let waiting = queue(&appender, append(TableId::new(), 1)).await;
    assert_eq!(appender.append(append(TableId::new(), 1)).await, Err(AppendError::Refused));
    gate.permits.add_permits(2);
    assert_eq!(in_flight.await.expect("a task"), Err(AppendError::Unknown));
    assert_eq!(waiting.await.expect("a task"), Err(AppendError::Unknown));
}

#[tokio::test]
async fn g7_a_stop_writes_what_is_queued_and_takes_no_more() {
    let gate = Gate::new(false);
    let (appender, committer) = channel(gate.clone(), 100);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(committer.run(async {
        let _ = stopped.await;
    }));
    let first = queue(&appender, append(TableId::new(), 1)).await;
    let second = queue(&appender, append(TableId::new(), 1)).await;
    stop.send(()).expect("a committer");
    gate.permits.add_permits(2);
    running.await.expect("the end");
    assert_eq!(first.await.expect("a task"), Ok(Appended::Yes));
    assert_eq!(second.await.expect("a task"), Ok(Appended::Yes));
    assert_eq!(appender.append(append(TableId::new(), 1)).await, Err(AppendError::Refused));
}

/// Keeps the spans that are recorded.
#[derive(Clone, Default)]
struct Records(Arc<Mutex<Vec<Finished>>>);

impl Recorder for Records {
    fn record(&self, span: Finished) {
        self.0.lock().expect("records").push(span);
    }
}

#[tokio::test]
async fn o1_a_batch_is_part_of_one_move_that_waits_for_it_and_linked_to_the_others() {
    let (gate, records) = (Gate::new(false), Records::default());
    let entropy = ScriptedEntropy::expanded([1; 32]);
    let tracer = Tracer::new(1.0, Some(Box::new(records.clone())), &entropy).expect("a tracer");
    let metrics = Metrics::default();
    let (appender, committer) =
        super::channel(gate.clone(), 100, tracer.clone(), EngineMetrics::new(&metrics).appends);
    tokio::spawn(committer.run(std::future::pending()));
    // One is in flight while two more gather.
    let mut moves = vec![queue(&appender, append(TableId::new(), 1)).await];
    for _ in 0..2 {
        let (span, appender) = (tracer.root("play"), appender.clone());
        let appending = async move { appender.append(append(TableId::new(), 1)).await };
        moves.push(tokio::spawn(span.run(appending, |_| None)));
    }
    tokio::task::yield_now().await;
    gate.permits.add_permits(2);
    for made in moves {
        assert_eq!(made.await.expect("a task"), Ok(Appended::Yes));
    }
    let records = records.0.lock().expect("records");
    let named = |name: &str| records.iter().filter(|span| span.name == name).collect::<Vec<_>>();
    let [alone, batch] = named("commit")[..] else { panic!("two batches were expected: {records:?}") };
    assert_eq!((alone.parent, alone.links.len()), (None, 0));
    let mut waiting: Vec<_> = named("append").iter().map(|span| span.context.span_id).collect();
    let mut served: Vec<_> = batch.links.iter().map(|link| link.span_id).chain(batch.parent).collect();
    waiting.sort_unstable();
    served.sort_unstable();
    assert_eq!((served.len(), served), (2, waiting));
    assert_eq!(batch.notes, [("entries", Note::Count(2))]);
    let page = metrics.page().expect("a page");
    for line in ["entries_sum 3.0", "entries_count 2", "seconds_count 2"] {
        assert!(page.contains(&format!("astragal_append_batch_{line}\n")), "{line} is not in {page}");
    }
    assert!(page.contains("astragal_append_queue_entries 0\n"), "{page}");
}
