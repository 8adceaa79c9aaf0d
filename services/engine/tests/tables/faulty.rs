//! A store that waits, or that loses its connection after the transaction was sent.

use astragal_engine::journal::Entry;
use astragal_engine::store::heart::{Abort, Beat, Beaten};
use astragal_engine::store::review::{Look, Wanted};
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::store::{
    Appended, DueKind, EndRow, LiveTables, Opened, PlayedRow, Result, SeriesRow, StoreError, StoredTable,
    TableStore, TablesOf, Write,
};
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use async_trait::async_trait;
use sqlx::{Connection, SqliteConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tokio::sync::Mutex;

/// A store with faults that a test switches on.
pub(crate) struct Faulty {
    pub(crate) store: SqliteTables,
    /// Held by a test: nothing is written.
    pub(crate) gate: Mutex<()>,
    /// The next batch is written, but its answer is lost.
    pub(crate) lose_the_answer: AtomicBool,
    /// Whoever loads a table panics.
    pub(crate) panics: AtomicBool,
    /// Nobody can load a table.
    pub(crate) fails: AtomicBool,
    /// Nothing is written: the database is read-only.
    pub(crate) read_only: AtomicBool,
    /// How often somebody tried nevertheless.
    pub(crate) failures: AtomicU32,
}

impl Faulty {
    pub(crate) fn new(store: SqliteTables) -> Arc<Self> {
        Arc::new(Self {
            store,
            gate: Mutex::default(),
            lose_the_answer: AtomicBool::default(),
            panics: AtomicBool::default(),
            fails: AtomicBool::default(),
            read_only: AtomicBool::default(),
            failures: AtomicU32::default(),
        })
    }
}

impl Faulty {
    /// What a database that takes no writes says itself.
    async fn check_writable(&self) -> Result<()> {
        if !self.read_only.load(Ordering::SeqCst) {
            return Ok(());
        }
        let mut refusing = SqliteConnection::connect("sqlite::memory:").await.map_err(StoreError::Failed)?;
        sqlx::raw_sql("PRAGMA query_only = ON; CREATE TABLE things (id INTEGER)")
            .execute(&mut refusing)
            .await
            .map(drop)
            .map_err(StoreError::Failed)
    }
}

#[async_trait]
impl TableStore for Faulty {
    async fn write(&self, batch: &[Write]) -> Result<Vec<Appended>> {
        let _gate = self.gate.lock().await;
        self.check_writable().await?;
        let appended = self.store.write(batch).await?;
        if self.lose_the_answer.swap(false, Ordering::SeqCst) {
            return Err(StoreError::Unknown(sqlx::Error::WorkerCrashed));
        }
        Ok(appended)
    }

    async fn opened(&self, table: TableId) -> Result<Option<Opened>> {
        self.store.opened(table).await
    }

    async fn load(&self, table: TableId) -> Result<Option<StoredTable>> {
        assert!(!self.panics.load(Ordering::SeqCst), "a bug in a store");
        if self.fails.load(Ordering::SeqCst) {
            self.failures.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Failed(sqlx::Error::PoolTimedOut));
        }
        self.store.load(table).await
    }

    async fn tail(&self, table: TableId, after: u32) -> Result<Vec<Entry>> {
        self.store.tail(table, after).await
    }

    async fn entry_of(&self, table: TableId, actor: Seat, request: RequestId) -> Result<Option<Entry>> {
        self.store.entry_of(table, actor, request).await
    }

    async fn heads(&self, tables: &[TableId]) -> Result<Vec<u32>> {
        self.store.heads(tables).await
    }

    async fn ends(&self, tables: &[TableId]) -> Result<Vec<EndRow>> {
        self.store.ends(tables).await
    }

    async fn tables_of(&self, asked: TablesOf) -> Result<Vec<TableId>> {
        self.store.tables_of(asked).await
    }

    async fn playing(&self, people: &[AccountId]) -> Result<Vec<PlayedRow>> {
        self.store.playing(people).await
    }

    async fn live(&self, asked: LiveTables) -> Result<Vec<TableId>> {
        self.store.live(asked).await
    }

    async fn due(&self, by: Timestamp, limit: u32) -> Result<Vec<(TableId, Timestamp)>> {
        self.store.due(by, limit).await
    }

    async fn postpone(&self, table: TableId, until: Timestamp) -> Result<()> {
        self.store.postpone(table, until).await
    }

    async fn move_flag(&self, table: TableId, was_due_by: Timestamp, at: Timestamp) -> Result<()> {
        self.store.move_flag(table, was_due_by, at).await
    }

    async fn done(&self, tables: &[TableId], kind: DueKind) -> Result<()> {
        self.store.done(tables, kind).await
    }

    async fn series(&self, series: SeriesId) -> Result<Vec<SeriesRow>> {
        self.store.series(series).await
    }

    async fn beat(&self, beat: Beat) -> Result<Beaten> {
        self.check_writable().await?;
        self.store.beat(beat).await
    }

    async fn find(&self, wanted: Wanted) -> Result<Vec<TableId>> {
        self.store.find(wanted).await
    }

    async fn note_look(&self, table: TableId, look: Look) -> Result<()> {
        self.store.note_look(table, look).await
    }

    async fn looks(&self, table: TableId) -> Result<Vec<Look>> {
        self.store.looks(table).await
    }

    async fn allow_abort(&self, abort: Abort) -> Result<bool> {
        self.store.allow_abort(abort).await
    }
}
