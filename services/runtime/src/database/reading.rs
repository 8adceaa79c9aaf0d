//! A database that is only looked at: it is not made where it isn't there, not brought up to date, and not written.

use std::path::Path;

use sqlx::SqlitePool;
use sqlx::migrate::Migrator;

use super::schema::{Difference, compare};
use super::{OpenError, READERS_MAX, SqliteDatabase, plain_options, pool};

impl SqliteDatabase {
    /// Opens the file at `path` if the newest of the role's migrations made its schema. Whatever would write, fails.
    pub async fn open_to_read(path: &Path, migrator: &Migrator) -> Result<Self, OpenError> {
        if !path.is_file() {
            return Err(OpenError::Missing { path: path.into() });
        }
        // The mode of its journal is the file's own business.
        let only = pool(READERS_MAX).connect_with(plain_options().filename(path).read_only(true)).await;
        let only = only.map_err(|cause| OpenError::of_sqlite(path, cause))?;
        check(&only, path, migrator).await?;
        Ok(Self { writer: only.clone(), reader: only })
    }
}

async fn check(database: &SqlitePool, path: &Path, migrator: &Migrator) -> Result<(), OpenError> {
    let applied =
        sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version");
    let applied: Vec<(i64, Vec<u8>)> =
        applied.fetch_all(database).await.map_err(|cause| OpenError::of_sqlite(path, cause))?;
    let place = path.display().to_string();
    compare(&applied, migrator).map_err(|difference| match difference {
        Difference::Newer(migration) => OpenError::Newer { place, migration },
        Difference::OtherBuild(migration) => OpenError::OtherBuild { place, migration },
        Difference::Older(migration) => OpenError::Older { place, migration },
    })
}

#[cfg(test)]
mod tests {
    use super::super::Location;
    use super::*;
    use sqlx::migrate::{Migration, MigrationType};
    use sqlx::{Executor, SqlSafeStr};
    use std::borrow::Cow;

    fn migrator(statements: &[&'static str]) -> Migrator {
        let migrations = statements.iter().zip(1..).map(|(statement, version)| {
            let (name, sql) = (Cow::Borrowed("test"), (*statement).into_sql_str());
            Migration::new(version, name, MigrationType::Simple, sql, false)
        });
        Migrator::with_migrations(migrations.collect())
    }

    const FIRST: &str = "CREATE TABLE pebbles (pit INTEGER NOT NULL) STRICT";
    const SECOND: &str = "CREATE TABLE stores (side INTEGER NOT NULL) STRICT";

    async fn refusal(path: &Path, statements: &[&'static str]) -> String {
        let opened = SqliteDatabase::open_to_read(path, &migrator(statements)).await;
        opened.map(drop).expect_err("a refusal").to_string()
    }

    /// P6, O3: what is only looked at is not made, and says so if it isn't there or of another version.
    #[tokio::test]
    async fn p6_a_database_that_is_only_read_is_neither_made_nor_brought_up_to_date() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("test.sqlite");
        let missing = refusal(&path, &[FIRST]).await;
        assert!(missing.contains("is not there") && !path.exists(), "{missing}");

        let made = SqliteDatabase::open(&Location::File(path.clone()), &migrator(&[FIRST])).await;
        made.expect("a database").close().await;
        let older = refusal(&path, &[FIRST, SECOND]).await;
        assert!(older.contains("an older version (without migration 2)"), "{older}");
        let newer = refusal(&path, &[]).await;
        assert!(newer.contains("a newer version (migration 1)"), "{newer}");
        let other = refusal(&path, &[SECOND]).await;
        assert!(other.contains("another build (migration 1 differs)"), "{other}");

        let read = SqliteDatabase::open_to_read(&path, &migrator(&[FIRST])).await.expect("a database");
        let pebbles: i64 = sqlx::query_scalar("SELECT count(*) FROM pebbles")
            .fetch_one(read.reader())
            .await
            .expect("a count");
        assert_eq!(pebbles, 0);
        let mut writer = read.writer().await.expect("a connection");
        let written = writer.execute("INSERT INTO pebbles VALUES (4)").await;
        assert!(written.expect_err("a refusal").to_string().contains("readonly"));
    }

    /// O3: a file that may be read and not written stops the start, and is named.
    #[tokio::test]
    async fn o3_a_file_that_can_t_be_written_is_named_at_the_start() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("test.sqlite");
        let made = SqliteDatabase::open(&Location::File(path.clone()), &migrator(&[FIRST])).await;
        made.expect("a database").close().await;
        // Whoever runs the tests may be allowed to write everything, so the connection is what may not.
        let read = SqliteDatabase::open_to_read(&path, &migrator(&[FIRST])).await.expect("a database");
        let refused = read.check_writable(&path).await.expect_err("a refusal").to_string();
        assert!(refused.starts_with("can't write") && refused.contains("test.sqlite"), "{refused}");
    }
}
