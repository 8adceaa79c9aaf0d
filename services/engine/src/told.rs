//! Ends that were told: their rows of what is due go some times a second, all together, since a transaction
//! costs as much as many rows. An end whose row stays is told once more, no harm in that.

use crate::store::{DueKind, TableStore};
use crate::turns::complain;
use astragal_runtime::gather::{Gate, Gathering, gather};
use astragal_runtime::id::TableId;
use std::sync::Arc;
use std::time::Duration;

/// Ends that may wait at once.
const WAITING_MAX: usize = 8_192;

/// The most rows of one transaction.
const BATCH_MAX: usize = 1_024;

/// Shorter than the time after which an end counts as not told.
const PACE: Duration = Duration::from_millis(250);

/// Where ends are noted that were told; cheap to clone.
#[derive(Clone)]
pub(crate) struct Told(Gate<TableId, ()>);

impl Told {
    /// Notes them in a store, as long as any clone is there. Must be called inside a runtime.
    pub(crate) fn of(store: Arc<dyn TableStore>) -> Self {
        let (gate, ends) = gather(WAITING_MAX, BATCH_MAX);
        tokio::spawn(forget(store, ends.paced(PACE, BATCH_MAX)));
        Self(gate)
    }

    /// The end of a table was told.
    pub(crate) fn note(&self, table: TableId) {
        // Without room the row stays.
        let _ = self.0.send(table);
    }
}

async fn forget(store: Arc<dyn TableStore>, mut ends: Gathering<TableId, ()>) {
    while let Some(batch) = ends.next().await {
        let tables: Vec<TableId> = batch.iter().map(|job| job.what).collect();
        if let Err(error) = store.done(&tables, DueKind::Ended).await {
            complain(&error);
        }
    }
}
