//! A whole transaction as one text of several statements, which costs one way to the database
//! instead of one a statement. Placeholders count over all of its statements.

use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Executor, Sqlite, SqliteConnection};

use super::SqliteDatabase;

/// Statements, and what stands in their placeholders.
#[derive(Debug)]
pub struct Script {
    /// The statements.
    pub text: &'static str,
    /// What stands in their placeholders.
    pub arguments: SqliteArguments,
}

impl SqliteDatabase {
    /// Runs a script of the form `BEGIN IMMEDIATE; …; COMMIT`, or of a single statement. If it fails, nothing was written, unless
    /// the failure was the commit's own. It goes on to its end even if the caller goes away, so that no
    /// transaction stays open.
    pub async fn transact(&self, script: &'static str, arguments: SqliteArguments) -> sqlx::Result<()> {
        let writer = self.writer.clone();
        let run = async move {
            let mut connection = writer.acquire().await?;
            let ran = connection.execute(sqlx::query_with::<Sqlite, _>(script, arguments)).await;
            if ran.is_err() {
                take_back(&mut connection).await;
            }
            ran.map(drop)
        };
        tokio::spawn(run).await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// Runs a script of the form `BEGIN IMMEDIATE; SELECT …`, and then the one of the form `…; COMMIT`
    /// that `decide` makes of its rows: what was read stays true until the end. If it fails, nothing was
    /// written, as with [`Self::transact`], and as there it goes on to its end.
    pub async fn transact_on<T, E>(
        &self,
        reading: Script,
        decide: impl FnOnce(Vec<SqliteRow>) -> Result<(T, Script), E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<sqlx::Error> + Send + 'static,
    {
        let writer = self.writer.clone();
        let run = async move {
            let mut connection = writer.acquire().await?;
            let done = read_and_write(&mut connection, reading, decide).await;
            if done.is_err() {
                take_back(&mut connection).await;
            }
            done
        };
        tokio::spawn(run).await.unwrap_or_else(|_| Err(sqlx::Error::WorkerCrashed.into()))
    }
}

async fn read_and_write<T, E: From<sqlx::Error>>(
    connection: &mut SqliteConnection,
    reading: Script,
    decide: impl FnOnce(Vec<SqliteRow>) -> Result<(T, Script), E>,
) -> Result<T, E> {
    let read = sqlx::query_with::<Sqlite, _>(reading.text, reading.arguments);
    let (decided, writing) = decide(read.fetch_all(&mut *connection).await?)?;
    connection.execute(sqlx::query_with::<Sqlite, _>(writing.text, writing.arguments)).await?;
    Ok(decided)
}

async fn take_back(connection: &mut SqliteConnection) {
    // Without an open transaction there is nothing to take back, and this fails.
    let _ = connection.execute("ROLLBACK").await;
}
