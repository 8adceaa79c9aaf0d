//! One thing written at a time, or some entries together, for the tests of the stores.

use astragal_engine::store::{Append, Appended, NewTable, Opened, Result, TableStore, Write};
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
}

impl<S: TableStore> Direct for S {}
