//! Migrating, opening, and a database that goes away.

use std::borrow::Cow;

use astragal_support::postgres::Postgres as Server;
use sqlx::migrate::{Migration, MigrationType};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use super::*;

const FIRST: &str = "CREATE TABLE pebbles (pit integer NOT NULL)";
const SECOND: &str = "CREATE TABLE stores (side integer NOT NULL)";

fn migrator(statements: &[&'static str]) -> Migrator {
    let migrations = statements.iter().zip(1..).map(|(statement, version)| {
        let sql = AssertSqlSafe(*statement).into_sql_str();
        Migration::new(version, Cow::Borrowed("test"), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

fn impatient(url: String) -> PostgresSettings {
    PostgresSettings {
        connections_max: 2,
        // A busy machine needs about as long for what works.
        acquire_timeout: Duration::from_secs(2),
        statement_timeout: Duration::from_secs(1),
        lock_timeout: Duration::from_millis(300),
        ..PostgresSettings::new(url)
    }
}

async fn refusal(settings: &PostgresSettings, statements: &[&'static str]) -> String {
    let opened = PostgresDatabase::open(settings, "pits", &migrator(statements)).await;
    opened.expect_err("a refusal").to_string()
}

async fn count(database: &PostgresDatabase) -> sqlx::Result<i64> {
    let rows: Vec<(i64,)> = database.rows(sqlx::query_as("SELECT count(*) FROM pebbles")).await?;
    Ok(rows[0].0)
}

async fn put(database: &PostgresDatabase) -> sqlx::Result<()> {
    let mut transaction = database.begin().await?;
    let put = sqlx::query("INSERT INTO pebbles VALUES (4)").execute(&mut *transaction).await;
    transaction.end(put).await.map(drop)
}

#[tokio::test]
async fn o3_a_schema_is_made_by_many_at_once_and_only_where_it_is_the_same_a_role_starts() {
    let settings = PostgresSettings::new(Server::shared().database());
    let message = refusal(&settings, &[FIRST]).await;
    assert!(message.contains("lacks migration 1") && message.contains("astragal migrate"), "{message}");

    let all: Vec<_> = (0..8)
        .map(|_| {
            let settings = settings.clone();
            tokio::spawn(
                async move { PostgresDatabase::migrate(&settings, "pits", &migrator(&[FIRST])).await },
            )
        })
        .collect();
    for one in all {
        one.await.expect("no panic").expect("migrated");
    }
    let database = PostgresDatabase::open(&settings, "pits", &migrator(&[FIRST])).await.expect("a database");
    put(&database).await.expect("a row");
    PostgresDatabase::migrate(&settings, "pits", &migrator(&[FIRST])).await.expect("nothing to do");
    assert_eq!(count(&database).await.expect("a count"), 1);

    let message = refusal(&settings, &[FIRST, SECOND]).await;
    assert!(message.contains("lacks migration 2"), "{message}");
    PostgresDatabase::migrate(&settings, "pits", &migrator(&[FIRST, SECOND])).await.expect("migrated");
    let message = refusal(&settings, &[FIRST]).await;
    assert!(message.contains("a newer version (migration 2)"), "{message}");
    let older = PostgresDatabase::migrate(&settings, "pits", &migrator(&[FIRST])).await;
    let message = older.expect_err("a refusal").to_string();
    assert!(message.contains("a newer version (migration 2)"), "{message}");
    let message = refusal(&settings, &[SECOND, SECOND]).await;
    assert!(message.contains("another build (migration 1 differs)"), "{message}");
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_named_without_its_password() {
    for (url, expected) in [
        ("ada:hunter2 at nowhere", "write it as postgres://"),
        ("postgres://ada:hunter2@127.0.0.1:1/games", "games at 127.0.0.1:1"),
    ] {
        let message = refusal(&impatient(url.to_owned()), &[FIRST]).await;
        assert!(message.contains(expected) && !message.contains("hunter2"), "{message}");
    }
}

#[tokio::test]
async fn a_statement_and_a_lock_are_given_up_by_the_database() {
    let settings = impatient(Server::shared().database());
    PostgresDatabase::migrate(&settings, "pits", &migrator(&[FIRST])).await.expect("migrated");
    let database = PostgresDatabase::open(&settings, "pits", &migrator(&[FIRST])).await.expect("a database");
    let slow = database.rows::<(String,)>(sqlx::query_as("SELECT pg_sleep(60)::text")).await;
    assert!(is_answer(&slow.expect_err("a refusal")));

    let mut holder = database.session().await.expect("a connection besides the writer's");
    for statement in ["BEGIN", "LOCK TABLE pebbles"] {
        sqlx::query(statement).execute(&mut *holder).await.expect("a lock");
    }
    let refusal = put(&database).await.expect_err("a refusal");
    assert!(is_answer(&refusal), "{refusal}");
    // The lock goes with its holder.
    drop(holder);
    eventually(&database).await;
}

#[tokio::test]
async fn a_database_that_is_away_fails_quickly_and_is_used_again_when_it_is_back() {
    let server = Server::start(&["fsync=off"]);
    let settings = impatient(server.database());
    PostgresDatabase::migrate(&settings, "pits", &migrator(&[FIRST])).await.expect("migrated");
    let database = PostgresDatabase::open(&settings, "pits", &migrator(&[FIRST])).await.expect("a database");
    put(&database).await.expect("a row");

    server.freeze();
    for _ in 0..3 {
        let error = database.transact(|| put(&database)).await.expect_err("no answer");
        assert!(!is_answer(&error), "{error}");
    }
    server.thaw();
    eventually(&database).await;

    server.crash();
    assert!(put(&database).await.is_err());
    server.resume();
    eventually(&database).await;
}

/// Connections that were given up take a moment to make room, and to give back what they held.
async fn eventually(database: &PostgresDatabase) {
    let works = async { while database.transact(|| put(database)).await.is_err() {} };
    tokio::time::timeout(Duration::from_mins(1), works).await.expect("a database that is used");
}
