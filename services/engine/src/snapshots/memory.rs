//! Snapshots in the memory of one process.

use super::{KEPT_FOR, SnapshotCache};
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use async_trait::async_trait;
use moka::sync::Cache;
use std::sync::Arc;

/// The most bytes of all that are kept.
const BYTES_MAX: u64 = 16 << 20;

/// The snapshots of one process.
#[derive(Debug)]
pub struct MemorySnapshots(Cache<TableId, Arc<str>>);

impl Default for MemorySnapshots {
    fn default() -> Self {
        let weigh = |_: &TableId, text: &Arc<str>| text.len() as u32;
        Self(Cache::builder().max_capacity(BYTES_MAX).weigher(weigh).time_to_live(KEPT_FOR).build())
    }
}

#[async_trait]
impl SnapshotCache for MemorySnapshots {
    async fn load(&self, table: TableId) -> Result<Option<String>> {
        Ok(self.0.get(&table).map(|text| text.as_ref().to_owned()))
    }

    async fn keep(&self, table: TableId, text: String) -> Result<()> {
        self.0.insert(table, text.into());
        Ok(())
    }
}
