//! Robots and tables that move by themselves.

use crate::direct::Direct;
use crate::house::{Database, House, code, games, occupant, tally, two};
use astragal_engine::header::Phase;
use astragal_engine::journal::{EntryKind, fold};
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::store::{Append, DueChange, DueKind, NewTable};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{OpenTableRequest, TableEvent};
use astragal_rules::finished_log::FinishedLog;
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, TableId, robot_account};
use std::sync::Arc;
use std::time::Duration;

fn robots(table: TableId, game: &str, levels: [u32; 2]) -> OpenTableRequest {
    let robot = |seat: u32, level: u32| occupant(seat, robot_account(level as u8), level);
    OpenTableRequest {
        game: game.to_owned(),
        occupants: vec![robot(0, levels[0]), robot(1, levels[1])],
        ..tally(table, 2, &[])
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_robots_play_kalah_until_the_end() {
    let house = House::in_memory().await;
    let table = TableId::new();
    let mut watch = house.watch(table).await;
    let opened = house.open(robots(table, "kalah", [1, 2])).await.expect("a table");
    let events = watch.until_the_end().await;
    let revisions: Vec<u32> = events.iter().map(|event| event.revision).collect();
    assert_eq!(revisions, (3..=revisions.len() as u32 + 2).collect::<Vec<_>>(), "each once, in order");
    let log = FinishedLog::from_json(&house.finished_log(table).await.expect("a log")).expect("a log");
    games().verify(&log, &opened.commitment.parse().expect("a commitment")).expect("a log that verifies");
}

#[tokio::test]
async fn a_robot_answers_at_once_and_the_table_taxes_in_between() {
    let house = House::in_memory().await;
    let (table, person) = (TableId::new(), AccountId::new());
    let occupants = vec![occupant(0, person, 0), occupant(1, robot_account(1), 1)];
    let options = "{\"target\":30,\"tax\":true}".into();
    let asked = OpenTableRequest { occupants, options, ..tally(table, 2, &[]) };
    house.open(asked).await.expect("a table");
    let mut watch = house.watch(table).await;
    let mut seats = Vec::new();
    house.add(table, person, "{\"add\":3}").await.expect("a move");
    loop {
        let event = watch.next().await;
        let Some(Kind::Update(update)) = &event.kind else { panic!("an update") };
        seats.push(update.seat);
        if event.ended.is_some() {
            break;
        }
        if update.to_move == [0] && !taxes(&event) {
            let _ = house.add(table, person, "{\"add\":3}").await;
        }
    }
    assert!(seats.contains(&Some(1)) && seats.contains(&None), "{seats:?}");
    let entries = house.store().tail(table, 0).await.expect("a journal");
    fold(2, &entries).expect("a journal that folds");
}

/// True if the table itself moves next.
fn taxes(event: &TableEvent) -> bool {
    let Some(Kind::Update(update)) = &event.kind else { return false };
    let view: serde_json::Value =
        serde_json::from_slice(&update.public.as_ref().expect("a part").view).expect("JSON");
    update.seat.is_some() && view["total"].as_i64().is_some_and(|total| total % 5 == 0)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_due_when_the_process_died_is_done_after_the_next_start() {
    let database = Database::new();
    let store = SqliteTables::open(&database.location()).await.expect("a database");
    // Opened by a process that ends before it can answer: only the row is left.
    let house = House::in_memory().await;
    let table = TableId::new();
    house.open(robots(table, "kalah", [1, 1])).await.expect("a table");
    let stored = house.store().load(table).await.expect("an answer").expect("the table");
    house.stop().await;
    let seats = stored.entries.into_iter().filter(|entry| entry.seated().is_some()).collect();
    let due = DueChange { kind: DueKind::Robot, at: Some(stored.header.opened_at) };
    let orphan = NewTable {
        header: stored.header,
        seed: stored.seed,
        series: stored.series,
        entries: seats,
        phase: Phase::Playing,
        listed: false,
        due: vec![due],
    };
    store.open_table(orphan).await.expect("a table");
    store.close().await;

    // Two replicas sweep the same row: every move is made once.
    let one = House::new(&database.location()).await;
    let mut watch = one.watch(table).await;
    let other = House::new(&database.location()).await;
    let mut other_watch = other.watch(table).await;
    tokio::select! {
        _ = watch.until_the_end() => {}
        _ = other_watch.until_the_end() => {}
    }
    let entries = one.store().tail(table, 0).await.expect("a journal");
    let folded = fold(2, &entries).expect("a journal that folds");
    assert_eq!(folded.moves.len() + 2, entries.len());
    one.finished_log(table).await.expect("a finished log");
    other.stop().await;
}

/// The row is all that a process left behind; the one that finds it has the table at hand as it was before.
#[tokio::test(flavor = "multi_thread")]
async fn a_robot_answers_a_move_that_another_engine_wrote_before_it_died() {
    let (database, person) = (Database::new(), AccountId::new());
    let house = House::in_memory().await;
    let table = TableId::new();
    let occupants = vec![occupant(0, person, 0), occupant(1, robot_account(1), 1)];
    house.open(OpenTableRequest { occupants, ..tally(table, 2, &[]) }).await.expect("a table");
    house.add(table, person, "{\"add\":1}").await.expect("a move");
    let stored = house.store().load(table).await.expect("an answer").expect("the table");
    house.stop().await;
    let (seats, made) = stored.entries.split_at(2);
    let opened = NewTable {
        header: stored.header,
        seed: stored.seed,
        series: stored.series,
        entries: seats.to_vec(),
        phase: Phase::Playing,
        listed: false,
        due: Vec::new(),
    };
    let store = SqliteTables::open(&database.location()).await.expect("a database");
    store.open_table(opened).await.expect("a table");

    let house = House::new(&database.location()).await;
    let mut watch = house.watch(table).await;
    assert_eq!(house.view(table, None).await.expect("a view").revision, 2);
    let due = vec![DueChange { kind: DueKind::Robot, at: Some(made[0].at) }];
    let append = Append { table, entry: made[0].clone(), phase: None, ended: None, due };
    store.append(&[Arc::new(append)]).await.expect("a move");
    let event = tokio::time::timeout(Duration::from_secs(30), watch.next()).await.expect("an answer in time");
    assert!(matches!(&event.kind, Some(Kind::Update(update)) if update.seat == Some(1)), "{event:?}");
    house.stop().await;
    store.close().await;
}

#[tokio::test]
async fn l0_a_robot_that_finds_no_move_ends_the_table() {
    let house = House::in_memory().await;
    for level in [4, 5] {
        let table = TableId::new();
        let mut watch = house.watch(table).await;
        house.open(robots(table, "tally", [level, 1])).await.expect("a table");
        let events = watch.until_the_end().await;
        assert!(matches!(events[0].kind, Some(Kind::Crashed(_))), "level {level}");
    }
    let [one, other] = two();
    let sound = house.tally(2, &[one, other]).await;
    house.add(sound, one, "{\"add\":1}").await.expect("the process lives");
}

#[tokio::test]
async fn nobody_plays_for_a_robot() {
    let house = House::in_memory().await;
    let table = TableId::new();
    let occupants = vec![occupant(0, AccountId::new(), 0), occupant(1, robot_account(1), 1)];
    house.open(OpenTableRequest { occupants, ..tally(table, 2, &[]) }).await.expect("a table");
    let played = house.add(table, robot_account(1), "{\"add\":1}").await;
    assert_eq!(code(&played), Some(Code::PermissionDenied));
    let entries = house.store().tail(table, 0).await.expect("a journal");
    assert!(entries.iter().all(|entry| matches!(entry.kind, EntryKind::SeatTaken(_))));
}
