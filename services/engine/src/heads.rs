//! How far tables have come in the database: whoever asks while an answer is on its way is asked for
//! together with all others afterwards.

use crate::store::TableStore;
use crate::tables::store_problem;
use astragal_runtime::error::Result;
use astragal_runtime::gather::{Gate, Gathering, answer_all, gather};
use astragal_runtime::id::TableId;
use std::sync::Arc;

/// Questions that may wait at once.
const WAITING_MAX: usize = 8_192;

/// The most tables of one question to the database.
const BATCH_MAX: usize = 256;

/// The way to ask; cheap to clone.
#[derive(Clone)]
pub(crate) struct Heads(Gate<TableId, Result<u32>>);

impl Heads {
    /// Asks a store, as long as any clone is there. Must be called inside a runtime.
    pub(crate) fn of(store: Arc<dyn TableStore>) -> Self {
        let (gate, questions) = gather(WAITING_MAX, BATCH_MAX);
        tokio::spawn(answer(store, questions));
        Self(gate)
    }

    /// The newest revision of a table, as of now; 0 for one that is unknown or only opened.
    pub(crate) async fn newest(&self, table: TableId) -> Result<u32> {
        self.0.ask(table, "too many tables are asked for at once; ask again").await
    }
}

async fn answer(store: Arc<dyn TableStore>, mut questions: Gathering<TableId, Result<u32>>) {
    while let Some(batch) = questions.next().await {
        let tables: Vec<TableId> = batch.iter().map(|job| job.what).collect();
        answer_all(batch, store.heads(&tables).await.map_err(|error| store_problem(&error)));
    }
}
