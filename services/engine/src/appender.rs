//! Group commit without a timer: while one transaction is in flight the next batch gathers. An idle
//! system commits at once; a busy one commits many entries together. It knows no rules and no table.

use crate::store::{Append, Appended, StoreError, TableStore};
use astragal_runtime::id::TableId;
use std::collections::HashSet;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

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
}

/// The way into the queue; cheap to clone.
#[derive(Clone)]
pub(crate) struct Appender(mpsc::Sender<Job>);

/// The loop that commits; ends when every [`Appender`] is gone or it is stopped.
pub(crate) struct Committer {
    store: Arc<dyn TableStore>,
    jobs: mpsc::Receiver<Job>,
    /// Entries of tables that were in the batch already.
    held: Vec<Job>,
}

/// A queue for at most `queued_max` entries, and the loop that empties it.
pub(crate) fn channel(store: Arc<dyn TableStore>, queued_max: usize) -> (Appender, Committer) {
    let (sender, jobs) = mpsc::channel(queued_max);
    (Appender(sender), Committer { store, jobs, held: Vec::new() })
}

impl Appender {
    /// Appends one entry; answers when it is durable, or when it is known not to be written.
    pub(crate) async fn append(&self, append: Arc<Append>) -> Answer {
        let (answer, answered) = oneshot::channel();
        self.0.try_send(Job { append, answer }).map_err(|_| AppendError::Refused)?;
        answered.await.unwrap_or(Err(AppendError::Unknown))
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
        let (appends, answers): (Vec<_>, Vec<_>) =
            jobs.into_iter().map(|job| (job.append, job.answer)).unzip();
        let appended = match self.store.append(&appends).await {
            Ok(appended) => appended.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(refusal(&error, appends.len())); appends.len()],
        };
        for (answer, appended) in answers.into_iter().zip(appended) {
            // Who asked may have gone away; the journal is what counts.
            let _ = answer.send(appended);
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
