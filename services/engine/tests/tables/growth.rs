//! What an engine reads doesn't grow with the tables of others: plans that were made while there were none still
//! find each row by a key when there are many.

use crate::conformance;
use crate::postgres::replicas;
use astragal_support::postgres::Postgres as Server;

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
