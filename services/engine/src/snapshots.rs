//! Where snapshots of long tables are kept, so that a table that is loaded needs only its last moves: one
//! narrow trait, with Redis or the memory of one process behind it. It may lose all of them, and nothing
//! waits for it.

pub mod memory;
pub mod redis;

use crate::live::LiveTable;
use crate::metrics::SnapshotMetrics;
use crate::snapshot;
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use async_trait::async_trait;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Revisions from one snapshot of a table to the next.
pub(crate) const EVERY: u32 = 200;

/// How long a snapshot is of use.
pub(crate) const KEPT_FOR: Duration = Duration::from_hours(24 * 7);

/// How long a table that is loaded waits for one; then its log is replayed.
const LOAD_MAX: Duration = Duration::from_millis(250);

/// Snapshots that are written at once; more are left out.
const WRITING_MAX: usize = 64;

/// Keeps the newest snapshot of each table, as long as there is room.
#[async_trait]
pub trait SnapshotCache: Send + Sync + 'static {
    /// What was kept of a table.
    async fn load(&self, table: TableId) -> Result<Option<String>>;

    /// Keeps this in place of what was kept before.
    async fn keep(&self, table: TableId, text: String) -> Result<()>;
}

/// The cache as an engine uses it.
pub(crate) struct Snapshots {
    cache: RwLock<Arc<dyn SnapshotCache>>,
    writing: Arc<Semaphore>,
    metrics: SnapshotMetrics,
}

impl Snapshots {
    pub(crate) fn in_memory(metrics: SnapshotMetrics) -> Self {
        let cache: Arc<dyn SnapshotCache> = Arc::new(memory::MemorySnapshots::default());
        Self { cache: RwLock::new(cache), writing: Arc::new(Semaphore::new(WRITING_MAX)), metrics }
    }

    pub(crate) fn share(&self, cache: Arc<dyn SnapshotCache>) {
        *self.cache.write().unwrap_or_else(PoisonError::into_inner) = cache;
    }

    fn cache(&self) -> Arc<dyn SnapshotCache> {
        Arc::clone(&self.cache.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is known of a table; none if that is not to be had now.
    pub(crate) async fn load(&self, table: TableId) -> Option<String> {
        let loaded = match tokio::time::timeout(LOAD_MAX, self.cache().load(table)).await {
            Ok(Ok(text)) => text,
            Ok(Err(problem)) => {
                tracing::debug!(%table, %problem, "no snapshot can be had");
                None
            }
            Err(_) => None,
        };
        if loaded.is_none() {
            self.metrics.missing.inc();
        }
        loaded
    }

    /// Keeps the newest state of a table whose turn it is, beside whatever else goes on.
    pub(crate) fn note(&self, live: &LiveTable) {
        let revision = live.head.revision;
        let Some(position) = live.position.as_ref().filter(|_| revision.is_multiple_of(EVERY)) else {
            return;
        };
        let Ok(permit) = Arc::clone(&self.writing).try_acquire_owned() else { return };
        let (header, state, cache) = (Arc::clone(&live.header), Arc::clone(&position.state), self.cache());
        tokio::spawn(async move {
            let table = header.id;
            let kept = match snapshot::write(&header, revision, &*state) {
                Ok(text) => cache.keep(table, text).await.map_err(|problem| problem.to_string()),
                Err(why) => Err(why.to_string()),
            };
            if let Err(why) = kept {
                tracing::debug!(%table, why, "a snapshot is not kept");
            }
            drop(permit);
        });
    }

    pub(crate) const fn metrics(&self) -> &SnapshotMetrics {
        &self.metrics
    }
}
