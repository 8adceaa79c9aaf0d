//! What administrators and replays ask for: tables by what they look for, journals of games that are over,
//! and what a table looks like with all hands open. A look at a game that goes on is written down before
//! anything is shown.

mod journal;
mod steps;

use crate::snapshots::EVERY;
use crate::store::StoredTable;
use crate::store::review::{Look, Wanted};
use crate::tables::{Tables, not_there, store_problem};
use crate::view::summary;
use astragal_proto::engine::v1::{StreamJournalResponse, StreamStepsRequest, TableView};
use astragal_proto::replay::v1::TimelinePart;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

/// Messages that wait for a slow reader; whoever makes them waits then.
const WAITING_MAX: usize = 4;

/// The most bytes of the name of somebody who looks.
const LOOKER_BYTES_MAX: usize = 200;

/// One message of a stream after the other; made as fast as they are read.
pub(crate) type Pieces<T> = ReceiverStream<std::result::Result<T, Status>>;

impl Tables {
    /// Tables that an administrator looks for, newest first; what everyone may know of them.
    pub(crate) async fn find(&self, wanted: Wanted) -> Result<Vec<TableView>> {
        let tables = self.store.find(wanted).await.map_err(|error| store_problem(&error))?;
        let heads = self.store.heads(&tables).await.map_err(|error| store_problem(&error))?;
        let mut found = Vec::with_capacity(tables.len());
        for (table, newest) in tables.into_iter().zip(heads) {
            let slot = self.slot(table);
            let mut held = slot.lock().await;
            let live = match self.live(table, &mut held).await {
                Ok(live) if live.head.revision < newest => {
                    self.catch_up(table, &mut held).await?;
                    self.live(table, &mut held).await
                }
                known => known,
            };
            match live {
                Ok(live) => found.push(summary(live, self.pulse.now())),
                Err(problem) if problem.code == Code::Unavailable => return Err(problem),
                Err(problem) => tracing::warn!(%table, %problem, "a table is left out of a list"),
            }
        }
        Ok(found)
    }

    /// The looks at a table while it went on, oldest first.
    pub(crate) async fn looks(&self, table: TableId) -> Result<Vec<Look>> {
        self.store.looks(table).await.map_err(|error| store_problem(&error))
    }

    /// Everything that happened at a table, once it is over.
    pub(crate) async fn journal(&self, table: TableId) -> Result<Pieces<StreamJournalResponse>> {
        let stored = self.stored(table).await?;
        journal::check(&stored)?;
        let (answers, answered) = mpsc::channel(WAITING_MAX);
        tokio::spawn(journal::send(self.registry.clone(), stored, answers));
        Ok(ReceiverStream::new(answered))
    }

    /// A table step by step with all hands open.
    pub(crate) async fn steps(
        &self,
        table: TableId,
        asked: StreamStepsRequest,
    ) -> Result<Pieces<TimelinePart>> {
        let stored = self.stored(table).await?;
        if steps::is_hidden(&stored) {
            let revision = stored.entries.last().map_or(0, |last| last.revision);
            let look = Look { looker: looker(asked.looker)?, at: self.pulse.now(), revision };
            self.store.note_look(table, look).await.map_err(|error| store_problem(&error))?;
        }
        let kept = if asked.from > EVERY { self.snapshots.load(table).await } else { None };
        let registry = self.registry.clone();
        let (answers, answered) = mpsc::channel(WAITING_MAX);
        let (from, to) = (asked.from, asked.to.unwrap_or(u32::MAX));
        tokio::task::spawn_blocking(move || {
            steps::send(&registry, stored, kept.as_deref(), from..=to, &answers);
        });
        Ok(ReceiverStream::new(answered))
    }

    async fn stored(&self, table: TableId) -> Result<StoredTable> {
        let stored = self.store.load(table).await.map_err(|error| store_problem(&error))?;
        stored.ok_or_else(|| not_there(table))
    }
}

fn looker(name: String) -> Result<String> {
    if name.is_empty() || name.len() > LOOKER_BYTES_MAX || name.chars().any(char::is_control) {
        let why = format!("looker must name who looks, in at most {LOOKER_BYTES_MAX} bytes");
        return Err(Problem::invalid_argument(why));
    }
    Ok(name)
}
