//! The embedded database: one SQLite file a role, one connection that writes, several that read.
//! The database of production is beside it, in [`postgres`].
//!
//! It knows no table. A role brings its migrations and its SQL.

pub mod postgres;

mod error;
mod reading;
mod schema;
pub mod script;
mod unwritable;
mod writer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Sqlite, Transaction};

pub use self::error::OpenError;
pub use self::unwritable::refuses_writes;

/// How long a writer waits for the writer of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const READERS_MAX: u32 = 4;

/// Rows that are read ahead, so that long journals don't go from thread to thread row by row.
const ROWS_WAITING_MAX: usize = 500;

/// Pages in the write-ahead log (32 MB) after which they go into the database; the fewer times a page
/// that is written again and again goes there, the better.
const CHECKPOINT_PAGES: &str = "8192";

/// Where a database lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// In a file, made with its directory if it isn't there.
    File(PathBuf),
    /// In memory; gone with the process.
    Memory,
}

/// An open database; cheap to clone.
#[derive(Debug, Clone)]
pub struct SqliteDatabase {
    writer: SqlitePool,
    reader: SqlitePool,
}

impl SqliteDatabase {
    /// Opens the database at `location`, and brings it up to the newest of the role's migrations.
    pub async fn open(location: &Location, migrator: &Migrator) -> Result<Self, OpenError> {
        let database = match location {
            Location::File(path) => Self::connect(path).await?,
            Location::Memory => Self::connect_in_memory().await.map_err(OpenError::memory)?,
        };
        if let Err(cause) = migrator.run(&database.writer).await {
            return Err(OpenError::of_migration(location, cause));
        }
        if let Location::File(path) = location {
            database.check_writable(path).await?;
        }
        Ok(database)
    }

    /// A file that may only be read opens without a word, and so does one whose schema needs nothing.
    async fn check_writable(&self, path: &Path) -> Result<(), OpenError> {
        let writing = async {
            let mut transaction = self.begin().await?;
            // A number that nobody uses, and it is taken back.
            sqlx::query("PRAGMA user_version = 0").execute(&mut *transaction).await?;
            transaction.rollback().await
        };
        writing.await.map_err(|cause| OpenError::of_sqlite(path, cause))
    }

    async fn connect(path: &Path) -> Result<Self, OpenError> {
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)
                .map_err(|cause| OpenError::Directory { path: directory.into(), cause })?;
        }
        let options = options().filename(path).create_if_missing(true);
        let writer = writer::pool().connect_with(options.clone()).await;
        let writer = writer.map_err(|cause| OpenError::of_sqlite(path, cause))?;
        let reader = pool(READERS_MAX).connect_lazy_with(options.read_only(true).create_if_missing(false));
        Ok(Self { writer, reader })
    }

    /// Every connection to `:memory:` is a database of its own, so a single one reads and writes.
    async fn connect_in_memory() -> Result<Self, sqlx::Error> {
        let only = pool(1).connect_with(options().in_memory(true)).await?;
        Ok(Self { writer: only.clone(), reader: only })
    }

    /// Begins a transaction that writes: nobody else writes until it ends, so what it reads stays true.
    /// While it runs, don't read from [`Self::reader`]: in memory both are the same connection.
    pub async fn begin(&self) -> sqlx::Result<Transaction<'static, Sqlite>> {
        self.writer.begin_with("BEGIN IMMEDIATE").await
    }

    /// The connection that writes, for a single statement that is a transaction of its own.
    pub async fn writer(&self) -> sqlx::Result<PoolConnection<Sqlite>> {
        self.writer.acquire().await
    }

    /// Connections that only read.
    pub fn reader(&self) -> &SqlitePool {
        &self.reader
    }

    /// Closes every connection, once what they do is done.
    pub async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }
}

fn options() -> SqliteConnectOptions {
    plain_options()
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        // What a statement would need to be taken back alone is forgotten when it ends, and needs no file till then.
        .pragma("temp_store", "memory")
}

/// Those of every connection, whatever it may do to the file.
fn plain_options() -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .row_buffer_size(ROWS_WAITING_MAX)
        .disable_statement_logging()
        .busy_timeout(BUSY_TIMEOUT)
}

fn pool(connections_max: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections_max)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

#[cfg(test)]
mod tests;
