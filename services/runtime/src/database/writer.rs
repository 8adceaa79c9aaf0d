//! The pool of the one connection that writes a file, and when that connection is given up for another one.
//!
//! `SQLite` ends a transaction by itself when the disk is full or broken. The `ROLLBACK` after that fails, and sqlx goes on
//! counting a transaction that is none, so that no other one could ever begin there. In memory, where the connection
//! is the database, nothing is given up; there is no disk either.

use sqlx::Connection;
use sqlx::sqlite::{SqliteConnection, SqlitePoolOptions};

/// A pool whose connection is looked at before the next one has it.
pub(super) fn pool() -> SqlitePoolOptions {
    super::pool(1).after_release(|connection, _| Box::pin(is_sound(connection)))
}

async fn is_sound(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    if connection.is_in_transaction() {
        // One that was let go without a word is rolled back in the order of commands: once this is answered, it is over.
        connection.ping().await?;
    }
    let is_sound = !connection.is_in_transaction();
    if !is_sound {
        tracing::warn!("the database ended a transaction by itself; is its disk full?");
    }
    Ok(is_sound)
}

#[cfg(test)]
mod tests {
    use super::super::{Location, SqliteDatabase};
    use sqlx::migrate::Migrator;
    use sqlx::{AssertSqlSafe, Executor};

    const ROW: &str = "INSERT INTO pebbles VALUES (zeroblob(20000))";

    async fn limit(database: &SqliteDatabase, pages_max: u32) {
        let pragma = format!("PRAGMA max_page_count = {pages_max}");
        let mut writer = database.writer().await.expect("the writer");
        writer.execute(AssertSqlSafe(pragma)).await.expect("a limit");
    }

    async fn put(database: &SqliteDatabase) -> sqlx::Result<()> {
        let mut transaction = database.begin().await?;
        transaction.execute(ROW).await?;
        transaction.commit().await
    }

    /// G7, O2: a full disk refuses what is written meanwhile, and nothing once there is room again.
    #[tokio::test]
    async fn g7_a_file_is_written_again_once_its_disk_has_room() {
        let directory = tempfile::tempdir().expect("a directory");
        let location = Location::File(directory.path().join("test.sqlite"));
        let none = Migrator::with_migrations(Vec::new());
        let database = SqliteDatabase::open(&location, &none).await.expect("a database");
        let mut writer = database.writer().await.expect("the writer");
        writer.execute("CREATE TABLE pebbles (shape BLOB NOT NULL) STRICT").await.expect("a table");
        drop(writer);
        put(&database).await.expect("there is room");

        for _ in 0..3 {
            // A connection that is given up takes its limit along.
            limit(&database, 1).await;
            let refused = put(&database).await.expect_err("there is no room").to_string();
            assert!(refused.contains("full"), "{refused}");
        }
        limit(&database, 1_000_000).await;
        put(&database).await.expect("there is room again");
        let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM pebbles")
            .fetch_one(database.reader())
            .await
            .expect("a count");
        assert_eq!(kept, 2, "what was written before is still there, and nothing of what failed");
    }
}
