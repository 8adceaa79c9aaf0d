//! Tables in PostgreSQL: the schema `engine`, made by `migrations/postgres/engine`.
//!
//! Any number of engines write at once. The key of the journal is their only lock.

mod changes;
mod heart;
mod journal_columns;
mod open;
mod review;
mod rows;
mod write;

use crate::journal::Entry;
use crate::series::Series;
use crate::store::heart::{Abort, Beat, Beaten};
use crate::store::review::{Look, Wanted};
use crate::store::{
    Appended, DueKind, EndRow, LiveTables, Opened, PlayedRow, Result, SeriesRow, StoreError, StoredTable,
    TableStore, TablesOf, Write, seed_column,
};
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::postgres::{
    Failure, PostgresDatabase, PostgresError, PostgresSettings, Session, is_answer,
};
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use async_trait::async_trait;
use rows::{OpenedRow, StoredEntry, TableRow};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryAs;
use sqlx::{PgConnection, Postgres};
use uuid::Uuid;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres/engine");
const SCHEMA: &str = "engine";

const TAIL: &str = "SELECT revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, \
    at, state_hash, spent, credit, runs FROM journal WHERE table_id = $1 AND revision > $2 ORDER BY revision";

type TablesQuery<'q> = QueryAs<'q, Postgres, (Uuid,), PgArguments>;

/// The tables of one database.
#[derive(Clone, Debug)]
pub struct PostgresTables {
    database: PostgresDatabase,
}

impl PostgresTables {
    /// Connects to the database, whose schema must be the one of this build.
    pub async fn open(settings: &PostgresSettings) -> std::result::Result<Self, PostgresError> {
        Ok(Self { database: PostgresDatabase::open(settings, SCHEMA, &MIGRATIONS).await? })
    }

    /// Makes or renews the schema.
    pub async fn migrate(settings: &PostgresSettings) -> std::result::Result<(), PostgresError> {
        PostgresDatabase::migrate(settings, SCHEMA, &MIGRATIONS).await
    }

    /// Closes every connection, once what they do is done.
    pub async fn close(&self) {
        self.database.close().await;
    }

    async fn load_at_once(&self, table: TableId) -> Result<Option<StoredTable>> {
        let mut transaction = self.database.snapshot().await?;
        let loaded = load(&mut transaction, table).await;
        transaction.end(loaded).await
    }
}

/// Nothing is written where this is used.
impl From<sqlx::Error> for StoreError {
    fn from(cause: sqlx::Error) -> Self {
        Self::Failed(cause)
    }
}

impl Failure for StoreError {
    fn sql(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failed(cause) | Self::Unknown(cause) => Some(cause),
            Self::Unreadable(_) => None,
        }
    }
}

#[async_trait]
impl TableStore for PostgresTables {
    async fn write(&self, batch: &[Write]) -> Result<Vec<Appended>> {
        if self.database.retry(|| self.write_all(batch)).await? {
            return Ok(vec![Appended::Yes; batch.len()]);
        }
        let some = || async { self.run_on(self.database.writer().await?, write::some(batch)?).await };
        let written = self.database.retry(some).await?;
        Ok(write::answers(batch, &written))
    }

    async fn opened(&self, table: TableId) -> Result<Option<Opened>> {
        let opened = self.database.rows(sqlx::query_as(open::OPENED).bind(table)).await?.pop();
        Ok(opened.map(|OpenedRow(opened)| opened))
    }

    async fn load(&self, table: TableId) -> Result<Option<StoredTable>> {
        self.database.transact(|| self.load_at_once(table)).await
    }

    async fn tail(&self, table: TableId, after: u32) -> Result<Vec<Entry>> {
        let tail = sqlx::query_as(TAIL).bind(table).bind(i64::from(after));
        Ok(self.database.rows(tail).await?.into_iter().map(StoredEntry::into).collect())
    }

    async fn entry_of(&self, table: TableId, actor: Seat, request: RequestId) -> Result<Option<Entry>> {
        let entry = sqlx::query_as(
            "SELECT revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, at, \
             state_hash, spent, credit, runs FROM journal WHERE table_id = $1 AND actor_seat = $2 AND request_id = $3",
        );
        let entry = entry.bind(table).bind(i16::from(actor.0)).bind(request);
        Ok(self.database.rows(entry).await?.pop().map(StoredEntry::into))
    }

    async fn heads(&self, tables: &[TableId]) -> Result<Vec<u32>> {
        let asked: Vec<Uuid> = tables.iter().map(|table| table.0).collect();
        let heads = sqlx::query_as(
            "SELECT COALESCE((SELECT revision FROM journal WHERE journal.table_id = asked.table_id \
             ORDER BY revision DESC LIMIT 1), 0) \
             FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (table_id, place) ORDER BY place",
        );
        let heads: Vec<(i32,)> = self.database.rows(heads.bind(asked)).await?;
        let heads = heads.into_iter().map(|(head,)| rows::count(head, "a revision"));
        Ok(heads.collect::<sqlx::Result<_>>()?)
    }

    async fn ends(&self, tables: &[TableId]) -> Result<Vec<EndRow>> {
        let asked: Vec<Uuid> = tables.iter().map(|table| table.0).collect();
        let ends =
            sqlx::query_as("SELECT id, outcome, ended_at FROM tables WHERE id = ANY($1) AND phase = 'over'");
        let ends: Vec<rows::Ended> = self.database.rows(ends.bind(asked)).await?;
        Ok(ends.into_iter().filter_map(|rows::Ended(end)| end).collect())
    }

    async fn tables_of(&self, asked: TablesOf) -> Result<Vec<TableId>> {
        let newest = if asked.in_progress {
            sqlx::query_as(
                "SELECT table_id FROM seats WHERE account_id = $1 AND NOT over AND ($2::uuid IS NULL OR \
                 (opened_at, table_id) < (SELECT opened_at, id FROM tables WHERE id = $2)) \
                 ORDER BY opened_at DESC, table_id DESC LIMIT $3",
            )
        } else {
            sqlx::query_as(
                "SELECT table_id FROM seats WHERE account_id = $1 AND ($2::uuid IS NULL OR \
                 (opened_at, table_id) < (SELECT opened_at, id FROM tables WHERE id = $2)) \
                 ORDER BY opened_at DESC, table_id DESC LIMIT $3",
            )
        };
        self.tables(newest.bind(asked.account).bind(asked.after).bind(i64::from(asked.limit))).await
    }

    async fn playing(&self, people: &[AccountId]) -> Result<Vec<PlayedRow>> {
        let people: Vec<Uuid> = people.iter().map(|account| account.0).collect();
        let played = sqlx::query_as(
            "SELECT DISTINCT id, time_control FROM seats JOIN tables ON id = table_id \
             WHERE account_id = ANY($1) AND NOT over AND robot_level = 0 AND phase = 'playing' LIMIT 100",
        );
        let played: Vec<rows::Played> = self.database.rows(played.bind(people)).await?;
        Ok(played.into_iter().map(|rows::Played(row)| row).collect())
    }

    async fn live(&self, asked: LiveTables) -> Result<Vec<TableId>> {
        let newest = sqlx::query_as(
            "SELECT id FROM tables WHERE listed AND phase = 'playing' AND ($1::text IS NULL OR game = $1) AND \
             ($2::uuid IS NULL OR (opened_at, id) < (SELECT opened_at, id FROM tables WHERE id = $2)) \
             ORDER BY opened_at DESC, id DESC LIMIT $3",
        );
        self.tables(newest.bind(asked.game).bind(asked.after).bind(i64::from(asked.limit))).await
    }

    async fn due(&self, by: Timestamp, limit: u32) -> Result<Vec<(TableId, Timestamp)>> {
        let due = sqlx::query_as("SELECT table_id, at FROM due WHERE at <= $1 ORDER BY at LIMIT $2");
        Ok(self.database.rows(due.bind(by).bind(i64::from(limit))).await?)
    }

    async fn postpone(&self, table: TableId, until: Timestamp) -> Result<()> {
        let postpone = "UPDATE due SET at = $2 WHERE table_id = $1 AND at < $2 RETURNING table_id";
        let postpone = || self.run(Ok(sqlx::query_as(postpone).bind(table).bind(until)));
        self.database.retry(postpone).await.map(drop)
    }

    async fn move_flag(&self, table: TableId, was_due_by: Timestamp, at: Timestamp) -> Result<()> {
        let query = "UPDATE due SET at = $3 WHERE table_id = $1 AND kind = 'flag' AND at <= $2 \
            RETURNING table_id";
        let moved = || self.run(Ok(sqlx::query_as(query).bind(table).bind(was_due_by).bind(at)));
        self.database.retry(moved).await.map(drop)
    }

    async fn done(&self, tables: &[TableId], kind: DueKind) -> Result<()> {
        let tables: Vec<Uuid> = tables.iter().map(|table| table.0).collect();
        let query = "DELETE FROM due WHERE table_id = ANY($1) AND kind = $2 RETURNING table_id";
        let done = || self.run(Ok(sqlx::query_as(query).bind(&tables).bind(kind.as_str())));
        self.database.retry(done).await.map(drop)
    }

    async fn series(&self, series: SeriesId) -> Result<Vec<SeriesRow>> {
        let rows = sqlx::query_as(
            "SELECT id, first_seat, outcome FROM tables WHERE series_id = $1 ORDER BY opened_at, id LIMIT 1000",
        );
        let rows: Vec<rows::SeriesGame> = self.database.rows(rows.bind(series)).await?;
        Ok(rows.into_iter().map(|rows::SeriesGame(row)| row).collect())
    }

    async fn beat(&self, beat: Beat) -> Result<Beaten> {
        self.beat_once(beat).await
    }

    async fn find(&self, wanted: Wanted) -> Result<Vec<TableId>> {
        self.find_wanted(wanted).await
    }

    async fn note_look(&self, table: TableId, look: Look) -> Result<()> {
        self.note_look_once(table, look).await
    }

    async fn looks(&self, table: TableId) -> Result<Vec<Look>> {
        self.list_looks(table).await
    }

    async fn allow_abort(&self, abort: Abort) -> Result<bool> {
        self.take_place(abort).await
    }
}

impl PostgresTables {
    async fn tables(&self, query: TablesQuery<'_>) -> Result<Vec<TableId>> {
        Ok(self.database.rows(query).await?.into_iter().map(|(table,)| TableId(table)).collect())
    }

    /// Writes a whole batch; false if a part of it conflicts, and then nothing was written.
    async fn write_all(&self, batch: &[Write]) -> Result<bool> {
        let mut session = self.database.writer().await?;
        let written = self.database.answer(write::all(batch)?.execute(&mut *session)).await;
        let is_whole = match written {
            Ok(_) => true,
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => false,
            Err(error) => return Err(failed_or_unknown(error)),
        };
        session.keep();
        Ok(is_whole)
    }

    /// Runs one statement that is a transaction of its own, and gives the tables that it touched.
    async fn run(&self, query: sqlx::Result<TablesQuery<'_>>) -> Result<Vec<TableId>> {
        self.run_on(self.database.session().await?, query?).await
    }

    async fn run_on(&self, mut session: Session, query: TablesQuery<'_>) -> Result<Vec<TableId>> {
        let written = self.database.answer(query.fetch_all(&mut *session)).await;
        let written = written.map_err(failed_or_unknown)?;
        session.keep();
        Ok(written.into_iter().map(|(table,)| TableId(table)).collect())
    }
}

fn failed_or_unknown(error: sqlx::Error) -> StoreError {
    if is_answer(&error) { StoreError::Failed(error) } else { StoreError::Unknown(error) }
}

async fn load(connection: &mut PgConnection, table: TableId) -> Result<Option<StoredTable>> {
    let row: Option<TableRow> = sqlx::query_as(
        "SELECT id, game, version, variant, options, seats, first_seat, commitment, series_id, opened_at, \
         series, outcome, time_control, best_of, follows FROM tables WHERE id = $1",
    )
    .bind(table)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(TableRow { header, series, outcome }) = row else { return Ok(None) };
    let seed = seed_column::read_postgres(&mut *connection, table).await?;
    let entries: Vec<StoredEntry> =
        sqlx::query_as(TAIL).bind(table).bind(0_i64).fetch_all(&mut *connection).await?;
    let entries = entries.into_iter().map(StoredEntry::into).collect();
    Ok(Some(StoredTable { header, seed, outcome, series: Series::of_store(series), entries }))
}
