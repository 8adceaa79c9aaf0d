//! Tables in a `SQLite` file: the schema of `migrations/sqlite/engine`.

mod changes;
mod heart;
mod journal;
mod open;
mod review;
mod write;

use crate::header::TableHeader;
use crate::journal::Entry;
use crate::outcome::TableOutcome;
use crate::series::Series;
use crate::store::heart::{Abort, Beat, Beaten};
use crate::store::journal_row::{StoredEntry, hex_of};
use crate::store::kind_columns::time_control;
use crate::store::review::{Look, Wanted};
use crate::store::{
    Appended, DueKind, EndRow, LiveTables, Opened, PlayedRow, Result, SeriesRow, StoreError, StoredTable,
    TableStore, TablesOf, Write, seed_column,
};
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::{Location, OpenError, SqliteDatabase};
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use async_trait::async_trait;
use chrono::DateTime;
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use std::path::Path;
use uuid::Uuid;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite/engine");

const TAIL: &str = "SELECT revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, \
    at, state_hash, spent, credit, runs FROM journal WHERE table_id = $1 AND revision > $2 ORDER BY revision";

/// The tables of one database file.
#[derive(Clone, Debug)]
pub struct SqliteTables {
    database: SqliteDatabase,
}

impl SqliteTables {
    /// Opens the database, and makes or renews its schema.
    pub async fn open(location: &Location) -> std::result::Result<Self, OpenError> {
        Ok(Self { database: SqliteDatabase::open(location, &MIGRATIONS).await? })
    }

    /// Opens the file to read it, as it is.
    pub async fn open_to_read(path: &Path) -> std::result::Result<Self, OpenError> {
        Ok(Self { database: SqliteDatabase::open_to_read(path, &MIGRATIONS).await? })
    }

    /// The database, to look at what it does for the tables.
    pub fn database(&self) -> &SqliteDatabase {
        &self.database
    }

    /// Closes every connection, once what they do is done.
    pub async fn close(&self) {
        self.database.close().await;
    }
}

#[async_trait]
impl TableStore for SqliteTables {
    async fn write(&self, batch: &[Write]) -> Result<Vec<Appended>> {
        if write::write_all(&self.database, batch).await.map_err(StoreError::Unknown)? {
            return Ok(vec![Appended::Yes; batch.len()]);
        }
        let mut transaction = self.database.begin().await.map_err(StoreError::Failed)?;
        let written = write::write_some(&mut transaction, batch).await.map_err(StoreError::Failed)?;
        transaction.commit().await.map_err(StoreError::Unknown)?;
        Ok(written)
    }

    async fn opened(&self, table: TableId) -> Result<Option<Opened>> {
        let found: Option<(String, u32, u32)> = sqlx::query_as(open::OPENED)
            .bind(table)
            .fetch_optional(self.database.reader())
            .await
            .map_err(StoreError::Failed)?;
        Ok(found.map(|(commitment, version, revision)| Opened { commitment, version, revision }))
    }

    async fn load(&self, table: TableId) -> Result<Option<StoredTable>> {
        // One snapshot: the row of the table and its journal are of the same instant.
        let mut transaction = self.database.reader().begin().await.map_err(StoreError::Failed)?;
        let row = sqlx::query(
            "SELECT game, version, variant, options, seats, first_seat, commitment, series_id, opened_at, \
             series, outcome, time_control, best_of, follows FROM tables WHERE id = $1",
        )
        .bind(table)
        .fetch_optional(&mut *transaction)
        .await
        .map_err(StoreError::Failed)?;
        let Some(row) = row else { return Ok(None) };
        let header = read_header(table, &row).map_err(StoreError::Failed)?;
        let series = Series::of_store(row.try_get(9).map_err(StoreError::Failed)?);
        let outcome = read_outcome(&row, 10)?;
        let seed = seed_column::read(&mut transaction, table).await?;
        let entries = tail(&mut transaction, table, 0).await?;
        Ok(Some(StoredTable { header, seed, outcome, series, entries }))
    }

    async fn tail(&self, table: TableId, after: u32) -> Result<Vec<Entry>> {
        let mut connection = self.database.reader().acquire().await.map_err(StoreError::Failed)?;
        tail(&mut connection, table, after).await
    }

    async fn entry_of(&self, table: TableId, actor: Seat, request: RequestId) -> Result<Option<Entry>> {
        let found: Option<StoredEntry> = sqlx::query_as(
            "SELECT revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, at, \
             state_hash, spent, credit, runs FROM journal WHERE table_id = $1 AND actor_seat = $2 AND request_id = $3",
        )
        .bind(table)
        .bind(actor.0)
        .bind(request)
        .fetch_optional(self.database.reader())
        .await
        .map_err(StoreError::Failed)?;
        Ok(found.map(|StoredEntry(entry)| entry))
    }

    async fn heads(&self, tables: &[TableId]) -> Result<Vec<u32>> {
        let asked: Vec<_> = tables.iter().map(|table| hex_of(table.0)).collect();
        sqlx::query_scalar(
            "SELECT COALESCE((SELECT revision FROM journal WHERE table_id = unhex(asked.value) \
             ORDER BY revision DESC LIMIT 1), 0) FROM json_each($1) AS asked ORDER BY asked.id",
        )
        .bind(sqlx::types::Json(asked))
        .fetch_all(self.database.reader())
        .await
        .map_err(StoreError::Failed)
    }

    async fn ends(&self, tables: &[TableId]) -> Result<Vec<EndRow>> {
        let asked: Vec<_> = tables.iter().map(|table| hex_of(table.0)).collect();
        let rows = sqlx::query(
            "SELECT id, outcome, ended_at FROM tables WHERE phase = 'over' AND id IN \
             (SELECT unhex(value) FROM json_each($1))",
        )
        .bind(sqlx::types::Json(asked))
        .fetch_all(self.database.reader())
        .await
        .map_err(StoreError::Failed)?;
        let ends: Result<Vec<_>> = rows.iter().map(read_end).collect();
        Ok(ends?.into_iter().flatten().collect())
    }

    async fn tables_of(&self, asked: TablesOf) -> Result<Vec<TableId>> {
        let newest = if asked.in_progress {
            sqlx::query_scalar(
                "SELECT table_id FROM seats WHERE account_id = $1 AND over = 0 AND ($2 IS NULL OR \
                 (opened_at, table_id) < (SELECT opened_at, id FROM tables WHERE id = $2)) \
                 ORDER BY opened_at DESC, table_id DESC LIMIT $3",
            )
        } else {
            sqlx::query_scalar(
                "SELECT table_id FROM seats WHERE account_id = $1 AND ($2 IS NULL OR \
                 (opened_at, table_id) < (SELECT opened_at, id FROM tables WHERE id = $2)) \
                 ORDER BY opened_at DESC, table_id DESC LIMIT $3",
            )
        };
        newest
            .bind(asked.account)
            .bind(asked.after)
            .bind(asked.limit)
            .fetch_all(self.database.reader())
            .await
            .map_err(StoreError::Failed)
    }

    async fn playing(&self, people: &[AccountId]) -> Result<Vec<PlayedRow>> {
        let people: Vec<_> = people.iter().map(|account| hex_of(account.0)).collect();
        let rows = sqlx::query(
            "SELECT DISTINCT id, time_control FROM seats JOIN tables ON id = table_id WHERE account_id IN \
             (SELECT unhex(value) FROM json_each($1)) AND over = 0 AND robot_level = 0 AND phase = 'playing' \
             LIMIT 100",
        )
        .bind(sqlx::types::Json(people))
        .fetch_all(self.database.reader())
        .await
        .map_err(StoreError::Failed)?;
        rows.iter().map(read_played).collect()
    }

    async fn live(&self, asked: LiveTables) -> Result<Vec<TableId>> {
        sqlx::query_scalar(
            "SELECT id FROM tables WHERE listed = 1 AND phase = 'playing' AND ($1 IS NULL OR game = $1) AND \
             ($2 IS NULL OR (opened_at, id) < (SELECT opened_at, id FROM tables WHERE id = $2)) \
             ORDER BY opened_at DESC, id DESC LIMIT $3",
        )
        .bind(asked.game)
        .bind(asked.after)
        .bind(asked.limit)
        .fetch_all(self.database.reader())
        .await
        .map_err(StoreError::Failed)
    }

    async fn due(&self, by: Timestamp, limit: u32) -> Result<Vec<(TableId, Timestamp)>> {
        let rows: Vec<(TableId, i64)> =
            sqlx::query_as("SELECT table_id, at FROM due WHERE at <= $1 ORDER BY at LIMIT $2")
                .bind(by.timestamp_micros())
                .bind(limit)
                .fetch_all(self.database.reader())
                .await
                .map_err(StoreError::Failed)?;
        let due = |(table, at)| Some((table, DateTime::from_timestamp_micros(at)?));
        Ok(rows.into_iter().filter_map(due).collect())
    }

    async fn postpone(&self, table: TableId, until: Timestamp) -> Result<()> {
        let mut transaction = self.database.begin().await.map_err(StoreError::Failed)?;
        sqlx::query("UPDATE due SET at = $2 WHERE table_id = $1 AND at < $2")
            .bind(table)
            .bind(until.timestamp_micros())
            .execute(&mut *transaction)
            .await
            .map_err(StoreError::Failed)?;
        transaction.commit().await.map_err(StoreError::Unknown)
    }

    async fn move_flag(&self, table: TableId, was_due_by: Timestamp, at: Timestamp) -> Result<()> {
        let mut writer = self.database.writer().await.map_err(StoreError::Failed)?;
        sqlx::query("UPDATE due SET at = $3 WHERE table_id = $1 AND kind = 'flag' AND at <= $2")
            .bind(table)
            .bind(was_due_by.timestamp_micros())
            .bind(at.timestamp_micros())
            .execute(&mut *writer)
            .await
            .map(drop)
            .map_err(StoreError::Unknown)
    }

    async fn done(&self, tables: &[TableId], kind: DueKind) -> Result<()> {
        let tables: Vec<_> = tables.iter().map(|table| hex_of(table.0)).collect();
        let mut writer = self.database.writer().await.map_err(StoreError::Failed)?;
        sqlx::query(
            "DELETE FROM due WHERE kind = $2 AND table_id IN (SELECT unhex(value) FROM json_each($1))",
        )
        .bind(sqlx::types::Json(tables))
        .bind(kind.as_str())
        .execute(&mut *writer)
        .await
        .map(drop)
        .map_err(StoreError::Unknown)
    }

    async fn series(&self, series: SeriesId) -> Result<Vec<SeriesRow>> {
        let rows = sqlx::query(
            "SELECT id, first_seat, outcome FROM tables WHERE series_id = $1 ORDER BY opened_at, id LIMIT 1000",
        );
        let rows = rows.bind(series).fetch_all(self.database.reader()).await.map_err(StoreError::Failed)?;
        rows.iter().map(read_series_row).collect()
    }

    async fn beat(&self, beat: Beat) -> Result<Beaten> {
        heart::beat(&self.database, beat).await.map_err(StoreError::Unknown)
    }

    async fn find(&self, wanted: Wanted) -> Result<Vec<TableId>> {
        review::find(&self.database, wanted).await.map_err(StoreError::Failed)
    }

    async fn note_look(&self, table: TableId, look: Look) -> Result<()> {
        review::note(&self.database, table, look).await.map_err(StoreError::Unknown)
    }

    async fn looks(&self, table: TableId) -> Result<Vec<Look>> {
        review::looks(&self.database, table).await.map_err(StoreError::Failed)
    }

    async fn allow_abort(&self, abort: Abort) -> Result<bool> {
        heart::allow_abort(&self.database, abort).await.map_err(StoreError::Unknown)
    }
}

async fn tail(connection: &mut SqliteConnection, table: TableId, after: u32) -> Result<Vec<Entry>> {
    let rows: Vec<StoredEntry> = sqlx::query_as(TAIL)
        .bind(table)
        .bind(after)
        .fetch_all(connection)
        .await
        .map_err(StoreError::Failed)?;
    Ok(rows.into_iter().map(|StoredEntry(entry)| entry).collect())
}

fn read_header(id: TableId, row: &SqliteRow) -> sqlx::Result<TableHeader> {
    let opened_at = DateTime::from_timestamp_micros(row.try_get(8)?);
    Ok(TableHeader {
        id,
        game: row.try_get(0)?,
        version: row.try_get(1)?,
        variant: row.try_get(2)?,
        options: row.try_get(3)?,
        seats: row.try_get(4)?,
        first_seat: Seat(row.try_get(5)?),
        commitment: row.try_get(6)?,
        series_id: row.try_get::<Option<Uuid>, _>(7)?,
        opened_at: opened_at.ok_or_else(|| sqlx::Error::Decode("opened_at is no instant".into()))?,
        time_control: time_control(row.try_get(11)?).map_err(|what| sqlx::Error::Decode(what.into()))?,
        best_of: row.try_get(12)?,
        follows: row.try_get(13)?,
    })
}

fn read_series_row(row: &SqliteRow) -> Result<SeriesRow> {
    let id = row.try_get(0).map_err(StoreError::Failed)?;
    let first_seat = Seat(row.try_get(1).map_err(StoreError::Failed)?);
    Ok(SeriesRow { id, first_seat, outcome: read_outcome(row, 2)? })
}

fn read_end(row: &SqliteRow) -> Result<Option<EndRow>> {
    let id = row.try_get(0).map_err(StoreError::Failed)?;
    let at: Option<i64> = row.try_get(2).map_err(StoreError::Failed)?;
    let at = at.and_then(DateTime::from_timestamp_micros);
    Ok(read_outcome(row, 1)?.zip(at).map(|(end, at)| EndRow { id, reason: end.reason, at }))
}

fn read_played(row: &SqliteRow) -> Result<PlayedRow> {
    let clock = time_control(row.try_get(1).map_err(StoreError::Failed)?);
    let time_control = clock.map_err(|what| StoreError::Unreadable(what.to_owned()))?;
    Ok(PlayedRow { id: row.try_get(0).map_err(StoreError::Failed)?, time_control })
}

fn read_outcome(row: &SqliteRow, column: usize) -> Result<Option<TableOutcome>> {
    let text: Option<&str> = row.try_get(column).map_err(StoreError::Failed)?;
    let read = text.map(serde_json::from_str).transpose();
    read.map_err(|_| StoreError::Unreadable("the outcome of a table".to_owned()))
}
