//! One thing written at a time, or some entries together, for the tests of the stores.

use astragal_engine::store::{Append, Appended, NewTable, Opened, Result, TableStore, Write};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use async_trait::async_trait;
use std::sync::Arc;

/// Writes without a queue.
#[async_trait]
pub(crate) trait Direct: TableStore {
    async fn append(&self, batch: &[Arc<Append>]) -> Result<Vec<Appended>> {
        let batch: Vec<_> = batch.iter().cloned().map(Write::Append).collect();
        self.write(&batch).await
    }

    async fn open_table(&self, table: NewTable) -> Result<Opened> {
        let id = table.header.id;
        self.write(&[Write::Open(Arc::new(table))]).await?;
        Ok(self.opened(id).await?.expect("a table that was opened"))
    }

    /// Whether anything is due of a table by then.
    async fn is_due(&self, table: TableId, by: Timestamp) -> bool {
        let due = self.due(by, 10_000).await.expect("what is due");
        assert!(due.is_sorted_by_key(|(_, at)| *at) && due.iter().all(|(_, at)| *at <= by));
        due.iter().any(|(of, _)| *of == table)
    }
}

impl<S: TableStore> Direct for S {}
