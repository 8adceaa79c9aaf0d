//! Opening, and every way in which it fails.

use std::borrow::Cow;
use std::future::Future;

use sqlx::migrate::{Migration, MigrationType};
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, AssertSqlSafe, SqlSafeStr};

use super::*;

fn migrator(statements: &[&'static str]) -> Migrator {
    let migrations = statements.iter().zip(1..).map(|(statement, version)| {
        let sql = AssertSqlSafe(*statement).into_sql_str();
        Migration::new(version, Cow::Borrowed("test"), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

const FIRST: &str = "CREATE TABLE pebbles (pit INTEGER NOT NULL) STRICT";
const SECOND: &str = "CREATE TABLE stores (side INTEGER NOT NULL) STRICT";

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

async fn message(path: &Path, statements: &[&'static str]) -> String {
    let location = Location::File(path.into());
    SqliteDatabase::open(&location, &migrator(statements)).await.expect_err("an error").to_string()
}

async fn count(database: &SqliteDatabase) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM pebbles").fetch_one(database.reader()).await.expect("a count")
}

async fn put(database: &SqliteDatabase) {
    let mut transaction = database.begin().await.expect("a transaction");
    sqlx::query("INSERT INTO pebbles VALUES (4)").execute(&mut *transaction).await.expect("a row");
    transaction.commit().await.expect("a commit");
}

#[tokio::test]
async fn a_file_is_made_with_its_directory_and_keeps_what_was_written() {
    let directory = directory();
    let location = Location::File(directory.path().join("deep/down/test.sqlite"));
    let database = SqliteDatabase::open(&location, &migrator(&[FIRST])).await.expect("a database");
    put(&database).await;
    assert_eq!(count(&database).await, 1);
    database.close().await;

    let again = SqliteDatabase::open(&location, &migrator(&[FIRST, SECOND])).await.expect("a database");
    assert_eq!(count(&again).await, 1);
}

#[tokio::test]
async fn memory_is_one_database_for_reading_and_writing() {
    let database = SqliteDatabase::open(&Location::Memory, &migrator(&[FIRST])).await.expect("a database");
    put(&database).await;
    assert_eq!(count(&database).await, 1);
    let other = SqliteDatabase::open(&Location::Memory, &migrator(&[FIRST])).await.expect("a database");
    assert_eq!(count(&other).await, 0);
}

#[tokio::test]
async fn a_commit_is_durable_and_a_reader_cannot_write() {
    let directory = directory();
    let location = Location::File(directory.path().join("test.sqlite"));
    let database = SqliteDatabase::open(&location, &migrator(&[FIRST])).await.expect("a database");
    let mut transaction = database.begin().await.expect("a transaction");
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *transaction).await.expect("a mode");
    let synchronous: i64 =
        sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut *transaction).await.expect("a level");
    assert_eq!((mode.as_str(), synchronous), ("wal", 2));
    drop(transaction);
    assert!(sqlx::query("INSERT INTO pebbles VALUES (4)").execute(database.reader()).await.is_err());
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_named() {
    let directory = directory();
    let file = directory.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let message = message(&file.join("test.sqlite"), &[FIRST]).await;
    assert!(message.contains("can't make the directory"), "{message}");
    assert!(message.contains("choose another one"), "{message}");
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_is_named() {
    let directory = directory();
    let message = message(directory.path(), &[FIRST]).await;
    assert!(message.starts_with("can't write"), "{message}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let directory = directory();
    let path = directory.path().join("test.sqlite");
    let letter = "a letter to a friend, which is long enough to be taken for a page of something";
    std::fs::write(&path, letter).expect("a file");
    let message = message(&path, &[FIRST]).await;
    assert!(message.contains("is not a database"), "{message}");
    assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(letter));
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let directory = directory();
    let path = directory.path().join("test.sqlite");
    let newer = migrator(&[FIRST, SECOND]);
    SqliteDatabase::open(&Location::File(path.clone()), &newer).await.expect("a database").close().await;
    let message = message(&path, &[FIRST]).await;
    assert!(message.contains("a newer version (migration 2)"), "{message}");
}

#[tokio::test]
async fn a_database_of_another_build_is_left_alone() {
    let directory = directory();
    let path = directory.path().join("test.sqlite");
    let other = migrator(&[SECOND]);
    SqliteDatabase::open(&Location::File(path.clone()), &other).await.expect("a database").close().await;
    let message = message(&path, &[FIRST]).await;
    assert!(message.contains("another build (migration 1 differs)"), "{message}");
}

const PUT_ALL: &str =
    "BEGIN IMMEDIATE; INSERT INTO pebbles VALUES ($1); INSERT INTO pebbles VALUES ($2); COMMIT";

fn pits(first: i64, second: Option<i64>) -> SqliteArguments {
    let mut arguments = SqliteArguments::default();
    arguments.add(first).and_then(|()| arguments.add(second)).expect("arguments");
    arguments
}

#[tokio::test]
async fn a_script_is_written_whole_or_not_at_all_and_leaves_no_transaction_open() {
    let directory = directory();
    let location = Location::File(directory.path().join("test.sqlite"));
    let database = SqliteDatabase::open(&location, &migrator(&[FIRST])).await.expect("a database");
    database.transact(PUT_ALL, pits(1, Some(2))).await.expect("a transaction");
    assert_eq!(count(&database).await, 2);
    // The second statement fails: its column takes no null.
    assert!(database.transact(PUT_ALL, pits(3, None)).await.is_err());
    assert_eq!(count(&database).await, 2);
    put(&database).await;
    assert_eq!(count(&database).await, 3);
}

#[tokio::test]
async fn a_script_goes_on_when_nobody_waits_for_it() {
    let directory = directory();
    let location = Location::File(directory.path().join("test.sqlite"));
    let database = SqliteDatabase::open(&location, &migrator(&[FIRST])).await.expect("a database");
    let mut abandoned = Box::pin(database.transact(PUT_ALL, pits(1, Some(2))));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(abandoned.as_mut().poll(&mut context).is_pending());
    drop(abandoned);
    let written = async { while count(&database).await < 2 {} };
    tokio::time::timeout(Duration::from_mins(1), written).await.expect("the script runs to its end");
    put(&database).await;
    assert_eq!(count(&database).await, 3);
}
