//! Group commit without a timer: while one transaction is in flight the next batch gathers. An idle
//! system commits at once; a busy one commits many entries together. It knows no rules and no table.

use crate::metrics::AppendMetrics;
use crate::store::{Append, Appended, StoreError, TableStore};
use astragal_runtime::error::Code;
use astragal_runtime::id::TableId;
use astragal_runtime::telemetry::context::TraceContext;
use astragal_runtime::telemetry::span::{self, Note, Span};
use astragal_runtime::telemetry::tracer::Tracer;
use std::collections::HashSet;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// The most entries of one transaction.
const BATCH_MAX: usize = 1_024;

/// Why an entry was not appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AppendError {
    /// It was not even tried: the queue is full, or the process stops.
    #[error("too much is being written at once, or this process stops")]
    Refused,
    /// It may be in the journal or not.
    #[error("whether it was written is unknown")]
    Unknown,
}

type Answer = Result<Appended, AppendError>;

struct Job {
    append: Arc<Append>,
    answer: oneshot::Sender<Answer>,
    /// What waits for it.
    trace: Option<TraceContext>,
}

/// The way into the queue; cheap to clone.
#[derive(Clone)]
pub(crate) struct Appender {
    jobs: mpsc::Sender<Job>,
    metrics: AppendMetrics,
}

/// The loop that commits; ends when every [`Appender`] is gone or it is stopped.
pub(crate) struct Committer {
    store: Arc<dyn TableStore>,
    jobs: mpsc::Receiver<Job>,
    /// Entries of tables that were in the batch already.
    held: Vec<Job>,
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
    let (sender, jobs) = mpsc::channel(queued_max);
    let appender = Appender { jobs: sender, metrics: metrics.clone() };
    (appender, Committer { store, jobs, held: Vec::new(), tracer, metrics })
}

impl Appender {
    /// Appends one entry; answers when it is durable, or when it is known not to be written.
    pub(crate) async fn append(&self, append: Arc<Append>) -> Answer {
        let (answer, answered) = oneshot::channel();
        let span = span::part("append");
        self.metrics.queued.inc();
        if self.jobs.try_send(Job { append, answer, trace: span.context() }).is_err() {
            self.metrics.queued.dec();
            span.end(Some(Code::Unavailable));
            return Err(AppendError::Refused);
        }
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
            // Whoever is ready to add an entry does so before the next transaction begins.
            tokio::task::yield_now().await;
            let mut batch = std::mem::take(&mut self.held);
            let room = BATCH_MAX.saturating_sub(batch.len());
            if batch.is_empty() {
                tokio::select! {
                    () = &mut stop, if open => {
                        open = false;
                        self.jobs.close();
                        continue;
                    }
                    count = self.jobs.recv_many(&mut batch, room) => {
                        if count == 0 {
                            return;
                        }
                    }
                }
            } else {
                while batch.len() < BATCH_MAX
                    && let Ok(job) = self.jobs.try_recv()
                {
                    batch.push(job);
                }
            }
            self.commit(batch).await;
        }
    }

    async fn commit(&mut self, mut batch: Vec<Job>) {
        batch.sort_by_key(|job| (job.append.table, job.append.entry.revision));
        let mut tables: HashSet<TableId> = HashSet::with_capacity(batch.len());
        let (jobs, held): (Vec<_>, _) = batch.into_iter().partition(|job| tables.insert(job.append.table));
        self.held = held;
        let (span, began) = (self.span(&jobs), Instant::now());
        let (appends, answers): (Vec<_>, Vec<_>) =
            jobs.into_iter().map(|job| (job.append, job.answer)).unzip();
        let failure = |appended: &Result<_, StoreError>| appended.is_err().then_some(Code::Unavailable);
        let appended = span.run(self.store.append(&appends), failure).await;
        self.count(appends.len(), began, appended.is_ok());
        let appended = match appended {
            Ok(appended) => appended.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(refusal(&error, appends.len())); appends.len()],
        };
        for (answer, appended) in answers.into_iter().zip(appended) {
            // Who asked may have gone away; the journal is what counts.
            let _ = answer.send(appended);
        }
    }

    /// The span of a batch: part of one of the traces that wait for it, linked to the others.
    fn span(&self, jobs: &[Job]) -> Span {
        let mut waiting: Vec<_> =
            jobs.iter().filter_map(|job| job.trace.filter(|trace| trace.sampled)).collect();
        let Some(whole) = waiting.pop().or_else(|| jobs.iter().find_map(|job| job.trace)) else {
            return self.tracer.root("commit");
        };
        let mut span = span::part_of(&self.tracer, "commit", whole);
        span.note("entries", || Note::Count(jobs.len() as u64));
        waiting.into_iter().for_each(|context| span.link(context));
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
        StoreError::Failed(_) | StoreError::Unreadable(_) => AppendError::Refused,
        StoreError::Unknown(_) => AppendError::Unknown,
    }
}

#[cfg(test)]
#[path = "appender_tests.rs"]
mod tests;
