//! The finished log: for anyone, seed included, once the game is over, and for nobody before.

use crate::ends::broke_down;
use crate::header::TableHeader;
use crate::journal::{Entry, fold};
use crate::outcome::Reason;
use crate::tables::{Tables, not_there, store_problem};
use astragal_rules::error::FinishedLogError;
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::log::TableLog;
use astragal_rules::seed::Seed;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use std::sync::Arc;

impl Tables {
    /// The finished log of a table, as its canonical JSON.
    pub(crate) async fn finished_log(&self, table: TableId) -> Result<String> {
        let state = {
            let slot = self.slot(table);
            let mut held = slot.lock().await;
            let live = self.with_end(table, &mut held).await?;
            if live.outcome.as_ref().is_some_and(|outcome| outcome.reason == Reason::Crashed) {
                return Err(broke_down());
            }
            let position = live.position.as_ref().ok_or_else(|| refusal(FinishedLogError::GameInProgress))?;
            Arc::clone(&position.state)
        };
        if state.outcome().is_none() {
            return Err(refusal(FinishedLogError::GameInProgress));
        }
        let stored = self.store.load(table).await.map_err(|error| store_problem(&error))?;
        let stored = stored.ok_or_else(|| not_there(table))?;
        let write = move || {
            let (log, sitters) = played(&stored.header, stored.seed, &stored.entries)?;
            let finished = FinishedLog::of(log, sitters, &*state).map_err(refusal)?;
            finished.to_json().map_err(|why| Problem::internal(&why))
        };
        tokio::task::spawn_blocking(write).await.map_err(|error| Problem::internal(&error))?
    }
}

/// What was played at a table, and who sat there.
pub(crate) fn played(header: &TableHeader, seed: Seed, entries: &[Entry]) -> Result<(TableLog, Vec<Sitter>)> {
    let folded = fold(header.seats, entries).map_err(|error| Problem::internal(&error))?;
    let log = TableLog::new(header.opening(seed), folded.moves).map_err(|why| Problem::internal(&why))?;
    Ok((log, folded.head.occupants.sitters()))
}

pub(crate) fn refusal(error: FinishedLogError) -> Problem {
    let code = match error {
        FinishedLogError::GameInProgress => Code::GameInProgress,
        FinishedLogError::ConcurrentMove => Code::ConcurrentMove,
    };
    Problem::new(code, error.to_string())
}
