//! What an engine reads doesn't grow with the tables of others: plans that were made while there were none still
//! find each row by a key when there are many. PostgreSQL tells which rows it read, SQLite how many steps it took.

use crate::conformance;
use crate::postgres::replicas;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_runtime::database::Location;
use astragal_support::postgres::Postgres as Server;
use astragal_support::steps::{Steps, copy_rows};
use sqlx::{Executor, SqliteConnection};

/// Copies of each table that are older and over, with people and series of their own.
const OTHERS: &str = "
    SET search_path TO engine;
    CREATE TEMP TABLE copies AS
    SELECT id AS table_id, gen_random_uuid() AS copy, gen_random_uuid() AS of_series
    FROM tables, generate_series(1, 200);
    INSERT INTO tables
    SELECT (jsonb_populate_record(tables, jsonb_build_object(
        'id', copy, 'series_id', of_series, 'opened_at', opened_at - interval '1 day',
        'phase', 'over', 'outcome', COALESCE(outcome, '{}')))).*
    FROM copies JOIN tables ON id = table_id;
    INSERT INTO seats
    SELECT (jsonb_populate_record(seats, jsonb_build_object(
        'table_id', copy, 'account_id', gen_random_uuid(), 'opened_at', opened_at - interval '1 day',
        'over', true))).*
    FROM copies JOIN seats USING (table_id);
    INSERT INTO journal
    SELECT (jsonb_populate_record(journal, jsonb_build_object('table_id', copy))).*
    FROM copies JOIN journal USING (table_id);
    INSERT INTO due
    SELECT (jsonb_populate_record(due, jsonb_build_object('table_id', copy, 'at', at + interval '1 year'))).*
    FROM copies JOIN due USING (table_id)";

#[tokio::test]
async fn l0_what_is_read_does_not_grow_with_the_tables_of_others() {
    let server = Server::start(&["fsync=off", "autovacuum=off"]);
    let [store] = replicas(&server).await;
    conformance::tables(&store).await;
    server.run_sql("test0", OTHERS);
    let tables: u64 = server.run_sql("test0", "SELECT count(*) FROM engine.tables").parse().expect("a count");
    server.forget_reads("test0");
    conformance::tables(&store).await;
    store.close().await;
    let read = server.reads("test0");
    let most = read.values().max().copied().unwrap_or_default();
    assert!(most > 0 && most < tables / 10, "{tables} tables, and read were {read:?}");
}

const COPIES: &str = "
    CREATE TEMP TABLE copies AS
    WITH RECURSIVE times (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM times WHERE number < 400)
    SELECT id AS original, randomblob(16) AS copy FROM tables CROSS JOIN times";

/// The same others in `SQLite`.
async fn copy_all(connection: &mut SqliteConnection) {
    connection.execute(COPIES).await.expect("copies");
    let (table, a_day_ago) = (("table_id", "copy"), ("opened_at", "opened_at - 86400000000"));
    let series = ("series_id", "randomblob(16)");
    let over = [("phase", "'over'"), ("outcome", "COALESCE(outcome, '{}')")];
    copy_rows(connection, "tables", "id", &[("id", "copy"), series, a_day_ago, over[0], over[1]]).await;
    for (name, anew) in [
        ("seats", &[table, ("account_id", "randomblob(16)"), a_day_ago, ("over", "1")][..]),
        ("journal", &[table]),
        ("due", &[table, ("at", "at + 31536000000000")]),
        ("looks", &[table]),
    ] {
        copy_rows(connection, name, "table_id", anew).await;
    }
}

#[tokio::test]
async fn l0_steps_do_not_grow_with_the_tables_of_others() {
    let store = SqliteTables::open(&Location::Memory).await.expect("a database");
    let database = store.database();
    conformance::tables(&store).await;
    let steps = Steps::of(&mut database.writer().await.expect("the connection")).await;
    conformance::tables(&store).await;
    let few = steps.take();
    copy_all(&mut database.writer().await.expect("the connection")).await;
    let tables: u32 = sqlx::query_scalar("SELECT count(*) FROM tables")
        .fetch_one(database.reader())
        .await
        .expect("a count");
    steps.take();
    conformance::tables(&store).await;
    let many = steps.take();
    // Whoever walks through rows takes some steps for each.
    assert!(
        few > 0 && many < few + u64::from(tables) / 10,
        "{few} steps, and {many} with {tables} tables of others"
    );
}
