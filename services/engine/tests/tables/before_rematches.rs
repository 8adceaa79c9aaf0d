//! A database that was written before there were rematches: its tables go on, end, and are series of one.

use crate::house::{Database, House, RESIGN, a_move, json, two};
use astragal_runtime::database::Location;
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::path::{Path, PathBuf};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite/engine");

/// The last migration of that build.
const BEFORE: i64 = 3;

/// What that build had of each table.
const COPY: [&str; 4] = [
    "INSERT INTO tables SELECT id, game, version, variant, options, seats, first_seat, seed, commitment, \
     NULL, '[]', phase, outcome, opened_at, ended_at, time_control, listed FROM now.tables",
    "INSERT INTO seats SELECT table_id, seat, account_id, robot_level, opened_at, over FROM now.seats",
    "INSERT INTO journal SELECT table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, \
     request_hash, at, spent, credit, state_hash, runs FROM now.journal",
    "INSERT INTO due SELECT table_id, kind, at FROM now.due WHERE kind IN ('robot', 'automatic', 'flag')",
];

fn file(database: &Database) -> PathBuf {
    match database.location() {
        Location::File(path) => path,
        Location::Memory => unreachable!("it is a file"),
    }
}

async fn write_as_before(now: &Path, before: &Path) {
    let options = SqliteConnectOptions::new().filename(before).create_if_missing(true).foreign_keys(false);
    let mut old: SqliteConnection = options.connect().await.expect("a database");
    MIGRATIONS.run_to(BEFORE, &mut old).await.expect("the schema of then");
    sqlx::query("ATTACH DATABASE $1 AS now").bind(now.to_str()).execute(&mut old).await.expect("attached");
    for statement in COPY {
        sqlx::query(statement).execute(&mut old).await.expect(statement);
    }
    old.close().await.expect("closed");
}

#[tokio::test]
async fn r5_a_database_from_before_is_migrated_and_its_tables_go_on_and_end() {
    let (now, before) = (Database::new(), Database::new());
    let house = House::new(&now.location()).await;
    let [first, second] = two();
    let (live, over) = (house.tally(2, &[first, second]).await, house.tally(2, &[first, second]).await);
    house.play(live, first, a_move(2, "{\"add\":1}")).await.expect("a move");
    house.play(over, first, RESIGN).await.expect("the end");
    house.stop().await;
    write_as_before(&file(&now), &file(&before)).await;

    let house = House::new(&before.location()).await;
    let view = house.view(live, Some(first)).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.series_id.as_str(), view.best_of), ("playing", "", 0));
    assert_eq!((view.first_seat, json(&view.series).as_array().map(Vec::len)), (0, Some(0)));
    house.play(live, second, a_move(3, "{\"add\":1}")).await.expect("it goes on");
    house.play(live, second, RESIGN).await.expect("it ends");
    let ending = house.ending(live, Some(first)).await.expect("an ending");
    assert_eq!((ending.series_id.as_str(), ending.follows_table_id.as_str()), ("", ""));
    assert_eq!(json(&ending.series).as_array().map(Vec::len), Some(1), "a series of one");
    let ended = house.view(over, None).await.expect("a view");
    assert_eq!(ended.outcome.map(|outcome| outcome.reason), Some("resigned".to_owned()));
    house.finished_log(over).await.expect("a log");
    house.stop().await;
}
