//! The database of production: PostgreSQL, a schema a role, several processes at once.
//!
//! It knows no table. Every call is bounded in time on both sides, so that a database that is away for
//! a while costs answers and nothing else.

mod error;
mod failure;
mod schema;
mod session;

use std::future::Future;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::query::QueryAs;
use sqlx::{ConnectOptions, Connection, FromRow, PgConnection, Postgres};

pub use self::error::PostgresError;
pub use self::failure::{Failure, is_answer};
pub use self::session::{PostgresTransaction, Session};

/// How often something is tried again that PostgreSQL broke off for the sake of another transaction.
const ATTEMPTS_MAX: u32 = 10;

/// A connection that was idle for longer is asked whether it is still there before it is used.
const TRUSTED_FOR: Duration = Duration::from_millis(500);

/// Where the database is, and how long and how much is asked of it.
#[derive(Debug, Clone)]
pub struct PostgresSettings {
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; never logged.
    pub url: String,
    /// How PostgreSQL names this process among its connections.
    pub application: &'static str,
    /// The most connections of this process.
    pub connections_max: u32,
    /// How long a request waits for one of them.
    pub acquire_timeout: Duration,
    /// After how long PostgreSQL breaks off a statement.
    pub statement_timeout: Duration,
    /// After how long PostgreSQL gives up waiting for the lock of another transaction.
    pub lock_timeout: Duration,
}

impl PostgresSettings {
    /// The usual bound of connections. What a process asks goes in batches, so these have time for it; more of them
    /// would share the cores of the database, and each would get them late when a crowd comes.
    pub const CONNECTIONS_MAX: u32 = 8;

    /// The usual bounds for a database.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            application: "astragal",
            connections_max: Self::CONNECTIONS_MAX,
            acquire_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(4),
            lock_timeout: Duration::from_secs(2),
        }
    }

    /// After this long without an answer the connection is given up; PostgreSQL would have broken off
    /// any statement before.
    fn answer_timeout(&self) -> Duration {
        self.statement_timeout + Duration::from_secs(1)
    }

    fn options(&self) -> Result<PgConnectOptions, PostgresError> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| self.url.starts_with(scheme)) {
            let cause = "it doesn't begin with postgres://";
            return Err(PostgresError::Address(sqlx::Error::Configuration(cause.into())));
        }
        let options: PgConnectOptions = self.url.parse().map_err(PostgresError::Address)?;
        Ok(options.application_name(self.application).disable_statement_logging())
    }
}

/// An open database; cheap to clone.
#[derive(Debug, Clone)]
pub struct PostgresDatabase {
    pool: PgPool,
    /// One connection for whoever writes batch after batch: what PostgreSQL keeps for it stays warm, which it
    /// would not if batches went through all connections by turns.
    writer: PgPool,
    acquire_timeout: Duration,
    answer_timeout: Duration,
}

impl PostgresDatabase {
    /// Connects to a role's schema, which must be the one that this build knows.
    pub async fn open(
        settings: &PostgresSettings,
        schema: &'static str,
        migrator: &Migrator,
    ) -> Result<Self, PostgresError> {
        let options = settings.options()?;
        let place = error::place(&options);
        let bounds = [
            ("search_path", schema.to_owned()),
            ("statement_timeout", millis(settings.statement_timeout)),
            ("lock_timeout", millis(settings.lock_timeout.min(settings.statement_timeout))),
            // A transaction whose process is gone or stuck must not keep its locks.
            ("idle_in_transaction_session_timeout", millis(settings.answer_timeout())),
            // Every statement finds its rows by an index, however many there are, and is about a batch at most. A
            // plan that is made while the tables are small must not read them whole when they have grown, and needs
            // no second making.
            ("enable_seqscan", "off".to_owned()),
            ("enable_hashjoin", "off".to_owned()),
            ("enable_mergejoin", "off".to_owned()),
            ("plan_cache_mode", "force_generic_plan".to_owned()),
        ];
        let options = options.options(bounds);
        // Once without the pool, which tries again and again and then doesn't say why it gave up.
        let mut first = connect(&options, &place, settings.acquire_timeout).await?;
        let checked = schema::check(&mut first, &place, schema, migrator).await;
        let _ = first.close().await;
        checked?;
        let pool = |connections_max| {
            PgPoolOptions::new()
                .max_connections(connections_max)
                .acquire_timeout(settings.acquire_timeout)
                .test_before_acquire(false)
                .before_acquire(|connection, usage| {
                    Box::pin(
                        async move { Ok(usage.idle_for < TRUSTED_FOR || connection.ping().await.is_ok()) },
                    )
                })
                .connect_lazy_with(options.clone())
        };
        let (others, writer) = match settings.connections_max {
            0 | 1 => (pool(1), None),
            connections_max => (pool(connections_max - 1), Some(pool(1))),
        };
        Ok(Self {
            writer: writer.unwrap_or_else(|| others.clone()),
            pool: others,
            acquire_timeout: settings.acquire_timeout,
            answer_timeout: settings.answer_timeout(),
        })
    }

    /// Brings a role's schema up to the newest migration of this build. Safe to run twice and at once:
    /// an advisory lock lets one after the other do it. A schema that is newer is left alone.
    pub async fn migrate(
        settings: &PostgresSettings,
        schema: &'static str,
        migrator: &Migrator,
    ) -> Result<(), PostgresError> {
        let options = settings.options()?;
        let place = error::place(&options);
        // No timeouts here but for reaching it: a migration may take its time, and may wait for another one.
        let options = options.options([("search_path", schema)]);
        let mut connection = connect(&options, &place, settings.acquire_timeout).await?;
        let migrated = schema::migrate(&mut connection, &place, schema, migrator).await;
        // The lock goes with the connection, if it wasn't given back.
        let _ = connection.close().await;
        migrated
    }

    /// A connection for one caller.
    pub async fn session(&self) -> sqlx::Result<Session> {
        self.pool.acquire().await.map(Session::new)
    }

    /// The connection of whoever writes batch after batch.
    pub async fn writer(&self) -> sqlx::Result<Session> {
        self.writer.acquire().await.map(Session::new)
    }

    /// Begins a transaction on the connection of whoever writes batch after batch.
    pub async fn begin(&self) -> sqlx::Result<PostgresTransaction> {
        PostgresTransaction::begin(self.writer().await?, "BEGIN").await
    }

    /// Begins a transaction that reads, and sees everything as of one instant.
    pub async fn snapshot(&self) -> sqlx::Result<PostgresTransaction> {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
        PostgresTransaction::begin(self.session().await?, begin).await
    }

    /// Waits for an answer of the database for as long as it may take.
    pub async fn answer<T>(&self, asked: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        tokio::time::timeout(self.answer_timeout, asked).await.unwrap_or_else(|_| Err(silence()))
    }

    /// All rows that one statement gives.
    pub async fn rows<T>(&self, query: QueryAs<'_, Postgres, T, PgArguments>) -> sqlx::Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut session = self.session().await?;
        let rows = self.answer(query.fetch_all(&mut *session)).await?;
        session.keep();
        Ok(rows)
    }

    /// Tries something that is one transaction, and tries it again where PostgreSQL broke it off to
    /// undo a deadlock or to keep the order of transactions.
    pub async fn retry<T, E, F>(&self, attempt: impl Fn() -> F) -> Result<T, E>
    where
        E: Failure,
        F: Future<Output = Result<T, E>>,
    {
        let mut attempts_left = ATTEMPTS_MAX;
        loop {
            let outcome = attempt().await;
            attempts_left -= 1;
            match &outcome {
                Err(error) if attempts_left > 0 && error.sql().is_some_and(failure::is_broken_off) => {}
                _ => return outcome,
            }
        }
    }

    /// Tries a transaction of several statements as [`Self::retry`] does, each time for as long as a
    /// connection and an answer may take.
    pub async fn transact<T, E, F>(&self, attempt: impl Fn() -> F) -> Result<T, E>
    where
        E: Failure,
        F: Future<Output = Result<T, E>>,
    {
        let bound = self.acquire_timeout + self.answer_timeout;
        let bounded = || async {
            let outcome = tokio::time::timeout(bound, attempt()).await;
            outcome.unwrap_or_else(|_| Err(silence().into()))
        };
        self.retry(bounded).await
    }

    /// Closes every connection, once what they do is done.
    pub async fn close(&self) {
        self.pool.close().await;
        self.writer.close().await;
    }
}

async fn connect(
    options: &PgConnectOptions,
    place: &str,
    timeout: Duration,
) -> Result<PgConnection, PostgresError> {
    let connected = tokio::time::timeout(timeout, PgConnection::connect_with(options)).await;
    let connected = connected.unwrap_or_else(|_| Err(silence()));
    connected.map_err(|cause| PostgresError::Unreachable { place: place.to_owned(), cause })
}

fn millis(duration: Duration) -> String {
    duration.as_millis().to_string()
}

fn silence() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "the database gives no answer"))
}

#[cfg(test)]
mod tests;
