//! Group commit: while one transaction is in flight the next batch gathers, of entries and of tables to
//! open. An idle system commits at once; a busy one commits many together. It knows no rules.

use crate::metrics::AppendMetrics;
use crate::store::{Append, Appended, NewTable, StoreError, TableStore, Write};
use astragal_runtime::error::Code;
use astragal_runtime::gather::{Gate, Gathering, Job, gather};
use astragal_runtime::id::TableId;
use astragal_runtime::telemetry::context::TraceContext;
use astragal_runtime::telemetry::span::{self, Note, Span};
use astragal_runtime::telemetry::tracer::Tracer;
use std::collections::HashSet;
use std::sync::Arc;
use tokio::time::Instant;

/// The most entries and openings of one transaction.
const BATCH_MAX: usize = 512;

/// Why an entry was not appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AppendError {
    /// It was not even tried: the queue is full, or the process stops.
    #[error("too much is being written at once, or this process stops")]
    Refused,
    /// For the moment nothing is written.
    #[error("the database refuses to write")]
    Unwritable,
    /// It was not written.
    #[error("the database does not answer")]
    Unanswered,
    /// It may be in the journal or not.
    #[error("whether it was written is unknown")]
    Unknown,
}

type Answer = Result<Appended, AppendError>;

/// What waits to be written, and the trace that waits for it.
type Queued = (Write, Option<TraceContext>);

/// The way into the queue; cheap to clone.
#[derive(Clone)]
pub(crate) struct Appender {
    jobs: Gate<Queued, Answer>,
    metrics: AppendMetrics,
}

/// The loop that commits; ends when every [`Appender`] is gone or it is stopped.
pub(crate) struct Committer {
    store: Arc<dyn TableStore>,
    jobs: Gathering<Queued, Answer>,
    tracer: Tracer,
    metrics: AppendMetrics,
}

/// A queue for at most `queued_max` entries, and the loop that empties it.
pub(crate) fn channel(
    store: Arc<dyn TableStore>,
    queued_max: usize,
    tracer: Tracer,
    metrics: AppendMetrics,
) -> (Appender, Committer) {
    let (gate, jobs) = gather(queued_max, BATCH_MAX);
    let appender = Appender { jobs: gate, metrics: metrics.clone() };
    (appender, Committer { store, jobs, tracer, metrics })
}

impl Appender {
    /// Appends one entry; answers when it is durable, or when it is known not to be written.
    pub(crate) async fn append(&self, append: Arc<Append>) -> Answer {
        self.write(Write::Append(append), "append").await
    }

    /// Opens a table; answers as [`Self::append`] does.
    pub(crate) async fn open(&self, table: Arc<NewTable>) -> Answer {
        self.write(Write::Open(table), "open").await
    }

    async fn write(&self, write: Write, name: &'static str) -> Answer {
        let span = span::part(name);
        self.metrics.queued.inc();
        let Ok(answered) = self.jobs.send((write, span.context())) else {
            self.metrics.queued.dec();
            span.end(Some(Code::Unavailable));
            return Err(AppendError::Refused);
        };
        let answered = answered.await.unwrap_or(Err(AppendError::Unknown));
        span.end(answered.is_err().then_some(Code::Unavailable));
        answered
    }
}

impl Committer {
    /// Commits until the queue is closed and empty. `stop` closes it.
    pub(crate) async fn run(mut self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut open = true;
        loop {
            tokio::select! {
                () = &mut stop, if open => {
                    open = false;
                    self.jobs.close();
                }
                batch = self.jobs.next() => match batch {
                    Some(batch) => self.commit(batch).await,
                    None => return,
                }
            }
        }
    }

    async fn commit(&mut self, mut batch: Vec<Job<Queued, Answer>>) {
        let place = |write: &Write| (write.table(), write.entries().first().map(|entry| entry.revision));
        batch.sort_by_key(|job| place(&job.what.0));
        let mut tables: HashSet<TableId> = HashSet::with_capacity(batch.len());
        // At most one of a table is written; what else there is of it comes next.
        let (jobs, held): (Vec<_>, _) = batch.into_iter().partition(|job| tables.insert(job.what.0.table()));
        self.jobs.hold(held);
        let (queued, answers): (Vec<_>, Vec<_>) = jobs.into_iter().map(Job::into_parts).unzip();
        let (writes, traces): (Vec<_>, Vec<_>) = queued.into_iter().unzip();
        let (span, began) = (self.span(&traces), Instant::now());
        let failure = |written: &Result<_, StoreError>| written.is_err().then_some(Code::Unavailable);
        let written = span.run(self.store.write(&writes), failure).await;
        self.count(writes.len(), began, written.is_ok());
        let written = match written {
            Ok(written) => written.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(refusal(&error, writes.len())); writes.len()],
        };
        for (answer, written) in answers.into_iter().zip(written) {
            // Who asked may have gone away; the journal is what counts.
            let _ = answer.send(written);
        }
    }

    /// The span of a batch: part of one of the traces that wait for it, linked to the others.
    fn span(&self, traces: &[Option<TraceContext>]) -> Span {
        let mut waiting: Vec<_> = traces.iter().flatten().filter(|trace| trace.sampled).copied().collect();
        let Some(whole) = waiting.pop().or_else(|| traces.iter().copied().flatten().next()) else {
            return self.tracer.root("commit");
        };
        let mut span = span::part_of(&self.tracer, "commit", whole);
        span.note("entries", || Note::Count(traces.len() as u64));
        for context in waiting {
            span.link(context);
        }
        span
    }

    fn count(&self, entries: usize, began: Instant, written: bool) {
        self.metrics.queued.dec_by(i64::try_from(entries).unwrap_or(i64::MAX));
        self.metrics.entries.observe(f64::from(u32::try_from(entries).unwrap_or(u32::MAX)));
        self.metrics.seconds.observe(began.elapsed().as_secs_f64());
        if !written {
            self.metrics.failures.inc();
        }
    }
}

fn refusal(error: &StoreError, entries: usize) -> AppendError {
    tracing::error!(%error, entries, "a batch of journal entries was not written");
    match error {
        _ if error.refuses_writes() => AppendError::Unwritable,
        StoreError::Failed(_) | StoreError::Unreadable(_) => AppendError::Unanswered,
        StoreError::Unknown(_) => AppendError::Unknown,
    }
}

#[cfg(test)]
#[path = "appender_tests.rs"]
mod tests;
