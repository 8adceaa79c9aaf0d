//! A whole transaction as one text of several statements, which costs one way to the database
//! instead of one a statement. Placeholders count over all of its statements.

use sqlx::sqlite::SqliteArguments;
use sqlx::{Executor, Sqlite};

use super::SqliteDatabase;

impl SqliteDatabase {
    /// Runs a script of the form `BEGIN IMMEDIATE; …; COMMIT`. If it fails, nothing was written, unless
    /// the failure was the commit's own. It goes on to its end even if the caller goes away, so that no
    /// transaction stays open.
    pub async fn transact(&self, script: &'static str, arguments: SqliteArguments) -> sqlx::Result<()> {
        let writer = self.writer.clone();
        let run = async move {
            let mut connection = writer.acquire().await?;
            let ran = connection.execute(sqlx::query_with::<Sqlite, _>(script, arguments)).await;
            if let Err(error) = ran {
                // Without an open transaction there is nothing to take back, and this fails.
                let _ = connection.execute("ROLLBACK").await;
                return Err(error);
            }
            Ok(())
        };
        tokio::spawn(run).await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }
}
