//! Several replicas over one PostgreSQL, and a PostgreSQL that goes away.

use crate::conformance::{append, move_entry, new_table, opened};
use crate::direct::Direct;
use astragal_engine::store::postgres::PostgresTables;
use astragal_engine::store::{Append, Appended, StoreError, TableStore};
use astragal_runtime::database::postgres::PostgresSettings;
use astragal_runtime::id::{AccountId, TableId};
use astragal_support::postgres::Postgres as Server;
use sqlx::{Connection, Executor, PgConnection};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// The stores of some engines over one new database.
pub(crate) async fn replicas<const COUNT: usize>(server: &Server) -> [PostgresTables; COUNT] {
    over(&server.database()).await
}

async fn over<const COUNT: usize>(url: &str) -> [PostgresTables; COUNT] {
    let settings = PostgresSettings {
        connections_max: 4,
        acquire_timeout: Duration::from_secs(20),
        statement_timeout: Duration::from_secs(20),
        lock_timeout: Duration::from_secs(10),
        ..PostgresSettings::new(url)
    };
    with_settings(&settings).await
}

async fn with_settings<const COUNT: usize>(settings: &PostgresSettings) -> [PostgresTables; COUNT] {
    PostgresTables::migrate(settings).await.expect("a schema");
    let mut stores = Vec::new();
    for _ in 0..COUNT {
        stores.push(PostgresTables::open(settings).await.expect("a store"));
    }
    stores.try_into().expect("as many")
}

async fn tables<const COUNT: usize>(store: &PostgresTables) -> [TableId; COUNT] {
    let mut tables = Vec::new();
    for _ in 0..COUNT {
        tables.push(opened(store).await);
    }
    tables.sort();
    tables.try_into().expect("as many")
}

/// One batch per revision, against a replica that writes the same revisions. Who writes backwards does
/// what no engine does, so that the two block each other.
async fn write_all(store: PostgresTables, tables: Vec<TableId>, revisions: u32) -> usize {
    let mut written = 0;
    for revision in 1..=revisions {
        let batch: Vec<Arc<Append>> =
            tables.iter().map(|table| append(*table, move_entry(revision, revision))).collect();
        let answers = store.append(&batch).await.expect("no deadlock is shown");
        written += answers.iter().filter(|answer| **answer == Appended::Yes).count();
    }
    written
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l0_replicas_in_opposite_order_write_every_revision_once() {
    const REVISIONS: u32 = 40;
    let [one, other] = replicas(Server::shared()).await;
    let tables: [TableId; 40] = tables(&one).await;
    let backwards = tables.into_iter().rev().collect();
    let racers = [(&one, tables.to_vec()), (&other, backwards)].map(|(store, tables)| {
        let store = store.clone();
        tokio::spawn(write_all(store, tables, REVISIONS))
    });
    let mut written = 0;
    for racer in racers {
        written += racer.await.expect("no panic");
    }
    assert_eq!(written, tables.len() * REVISIONS as usize, "each revision was written by one of them");
    assert_eq!(one.heads(&tables).await.expect("heads"), [REVISIONS; 40]);
}

/// A writer that holds the second table of a batch and wants the first one: PostgreSQL breaks off the
/// batch, since the writer never looks for a deadlock, and nobody hears of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l0_a_batch_that_is_broken_off_for_a_deadlock_is_tried_again() {
    const INSERT: &str =
        "INSERT INTO engine.journal (table_id, revision, kind, at) VALUES ($1, 1, 'undo', now())";
    let server = Server::shared();
    let url = server.database();
    let database = url.rsplit(['/', '?']).find(|part| part.starts_with("test")).expect("its name");
    // The batch looks once, so late that the writer surely waits by then.
    server.run_sql(database, &format!("ALTER DATABASE {database} SET deadlock_timeout = '2s'"));
    let [store] = over(&url).await;
    let [first, second, free]: [TableId; 3] = tables(&store).await;
    let mut other = PgConnection::connect(&url).await.expect("a connection");
    other.execute("SET deadlock_timeout = '1h'").await.expect("a setting");
    let mut observer = PgConnection::connect(&url).await.expect("a connection");
    let mut holder = other.begin().await.expect("a transaction");
    sqlx::query(INSERT).bind(second).execute(&mut *holder).await.expect("a row");

    let batch = [first, second, free].map(|table| append(table, move_entry(1, 1)));
    let appending = {
        let store = store.clone();
        tokio::spawn(async move { store.append(&batch).await })
    };
    let waiting = "SELECT EXISTS (SELECT FROM pg_stat_activity \
        WHERE wait_event_type = 'Lock' AND datname = current_database())";
    while !sqlx::query_scalar::<_, bool>(waiting).fetch_one(&mut observer).await.expect("an answer") {}
    sqlx::query(INSERT).bind(first).execute(&mut *holder).await.expect("the other one is broken off");
    holder.commit().await.expect("a commit");

    let answers = appending.await.expect("no panic").expect("no deadlock is shown");
    assert_eq!(answers, [Appended::Conflict, Appended::Conflict, Appended::Yes]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l6_a_table_that_replicas_open_at_once_has_one_seed() {
    let stores: [PostgresTables; 2] = replicas(Server::shared()).await;
    for _ in 0..20 {
        let (id, account) = (TableId::new(), AccountId::new());
        let openings = (0..16).map(|place: u8| {
            let store = stores[usize::from(place % 2)].clone();
            async move { store.open_table(new_table(id, &[account], [place; 32])).await }
        });
        let opened = openings.collect::<JoinSet<_>>().join_all().await;
        let opened: Vec<_> = opened.into_iter().map(|opened| opened.expect("a table")).collect();
        let table = stores[0].load(id).await.expect("an answer").expect("the table");
        assert!(opened.iter().all(|one| one.commitment == table.header.commitment && one.revision == 1));
        assert_eq!(table.entries.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l0_a_database_that_is_away_applies_no_half_and_is_used_again() {
    let server = Server::start(&["fsync=off"]);
    let [store] = with_settings(&PostgresSettings {
        connections_max: 4,
        acquire_timeout: Duration::from_millis(500),
        statement_timeout: Duration::from_millis(300),
        lock_timeout: Duration::from_millis(200),
        ..PostgresSettings::new(server.database())
    })
    .await;
    let tables: [TableId; 3] = tables(&store).await;
    let batch = |revision| tables.map(|table| append(table, move_entry(revision, revision)));
    assert_eq!(store.append(&batch(1)).await.expect("an answer"), [Appended::Yes; 3]);

    server.freeze();
    let sent = store.append(&batch(2)).await;
    // On a slow machine the connection was idle for so long that it is asked first, and then nothing is sent.
    let may_be_written =
        matches!(sent, Err(StoreError::Unknown(_) | StoreError::Failed(sqlx::Error::PoolTimedOut)));
    assert!(may_be_written, "{sent:?}");
    let read = store.heads(&tables).await;
    assert!(matches!(read, Err(StoreError::Failed(_))), "{read:?}");
    server.thaw();
    assert_eq!(revisions(&store, &tables).await.len(), 1, "all of the batch is written, or nothing");

    server.crash();
    for _ in 0..8 {
        // The first connections break when they are used; after them there is none to send it by.
        let refused = store.append(&batch(3)).await;
        assert!(refused.is_err(), "{refused:?}");
    }
    let refused = store.append(&batch(3)).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    server.resume();
    let revisions = revisions(&store, &tables).await;
    assert!(!revisions.contains(&3), "what was not sent is not written");
    let next = revisions[0] + 1;
    let mut appended = store.append(&batch(next)).await;
    for _ in 0..40 {
        // Batches have a connection of their own, which has to be made anew too.
        if !matches!(appended, Err(StoreError::Failed(_))) {
            break;
        }
        appended = store.append(&batch(next)).await;
    }
    assert_eq!(appended.expect("an answer"), [Appended::Yes; 3]);
}

/// The different newest revisions, as soon as the database answers again.
async fn revisions(store: &PostgresTables, tables: &[TableId]) -> Vec<u32> {
    let mut heads = store.heads(tables).await;
    for _ in 0..40 {
        if heads.is_ok() {
            break;
        }
        heads = store.heads(tables).await;
    }
    let mut heads = heads.expect("the database is back");
    heads.dedup();
    heads
}
