//! Two replicas over one database, asked at the same instant.

use crate::house::{Database, House, LEAVE, a_move, code, tally, two};
use astragal_engine::journal::fold;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::error::{Code, Result};
use astragal_runtime::id::{AccountId, TableId};
use chrono::TimeDelta;
use std::sync::Arc;

const RACES: usize = 200;

/// Every revision once, and the whole of it folds.
async fn whole_journal(house: &House, table: TableId) -> u32 {
    let entries = house.store().tail(table, 0).await.expect("a journal");
    fold(2, &entries).expect("a journal that folds").head.revision
}

fn one_won<T>(answers: [&Result<T>; 2], loser: &[Code]) {
    let refusals: Vec<_> = answers.into_iter().filter_map(code).collect();
    assert!(refusals.len() == 1 && loser.contains(&refusals[0]), "{refusals:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn l14_two_moves_at_once_one_is_appended() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let accounts = two();
    let mut table = one.tally(2, &accounts).await;
    let mut revision = 2;
    for race in 0..RACES {
        if race % 50 == 49 {
            (table, revision) = (one.tally(2, &accounts).await, 2);
        }
        let mover = accounts[revision as usize % 2];
        let (left, right) = tokio::join!(
            one.play(table, mover, a_move(revision, "{\"add\":1}")),
            other.play(table, mover, a_move(revision, "{\"add\":2}")),
        );
        one_won([&left, &right], &[Code::ConcurrentMove]);
        revision += 1;
        assert_eq!(left.or(right), Ok(revision));
        assert_eq!(whole_journal(&other, table).await, revision);
        let views = (one.view(table, None).await, other.view(table, None).await);
        assert_eq!(views.0, views.1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l14_a_move_and_a_leaving_at_once_leave_a_whole_journal() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let [first, second] = two();
    for race in 0..RACES {
        let table = one.tally(2, &[first, second]).await;
        let (moving, leaving) = if race % 2 == 0 { (&one, &other) } else { (&other, &one) };
        let (moved, left) = tokio::join!(
            moving.play(table, first, a_move(2, "{\"add\":1}")),
            leaving.play(table, second, LEAVE),
        );
        // Who leaves names no revision: it counts after the move as well.
        let revision = left.expect("the end");
        match moved {
            Ok(moved) => assert_eq!((moved, revision), (3, 4)),
            moved => assert_eq!((code(&moved), revision), (Some(Code::IllegalMove), 3)),
        }
        assert_eq!(whole_journal(&one, table).await, revision);
        let view = moving.view(table, None).await.expect("a view");
        assert_eq!((view.phase.as_str(), view.revision), ("over", revision));
        assert_eq!(view.outcome.and_then(|outcome| outcome.winner), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_two_people_take_the_last_seat_at_once_one_gets_it() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    for _ in 0..RACES {
        let table = one.tally(2, &[AccountId::new()]).await;
        let [left, right] = two();
        let answers = tokio::join!(one.seat(table, 1, left), other.seat(table, 1, right));
        one_won([&answers.0, &answers.1], &[Code::SeatTaken]);
        assert_eq!(whole_journal(&one, table).await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_a_seat_taken_and_a_cancelling_at_once_one_wins() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    for _ in 0..RACES {
        let table = one.tally(2, &[AccountId::new()]).await;
        let (seated, cancelled) = tokio::join!(one.seat(table, 1, AccountId::new()), other.cancel(table));
        one_won([&seated, &cancelled], &[Code::GameOver, Code::FailedPrecondition]);
        assert_eq!(whole_journal(&one, table).await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_two_openings_at_once_are_one_table() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    for _ in 0..RACES {
        let (table, accounts) = (TableId::new(), two());
        let (left, right) =
            tokio::join!(one.open(tally(table, 2, &accounts)), other.open(tally(table, 2, &accounts)));
        assert_eq!(left.expect("a table"), right.expect("the table"));
        assert_eq!(whole_journal(&one, table).await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l14_players_on_two_replicas_alternate_without_losing_a_move() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let accounts = two();
    let table = one.tally(2, &accounts).await;
    for revision in 2..60 {
        let house = if revision % 2 == 0 { &one } else { &other };
        let mover = accounts[revision as usize % 2];
        assert_eq!(house.play(table, mover, a_move(revision, "{\"add\":1}")).await, Ok(revision + 1));
    }
    assert_eq!(whole_journal(&one, table).await, 60);
}

/// P5: what two engines write stands in the order of time, although their clocks differ.
#[tokio::test]
async fn p5_the_instants_of_a_journal_never_go_back() {
    let database = Database::new();
    let start = ManualClock::default().now();
    let ahead = TimeDelta::seconds(1);
    let clock = |at| Arc::new(ManualClock::new(at));
    let one = House::with_clock(&database.location(), clock(start + ahead)).await;
    let other = House::with_clock(&database.location(), clock(start)).await;
    let accounts = two();
    let table = one.tally(2, &accounts).await;
    for (revision, house) in (2..6).zip([&other, &one, &other, &other]) {
        house.add(table, accounts[revision % 2], "{\"add\":1}").await.expect("a move");
    }
    let entries = one.store().tail(table, 0).await.expect("a journal");
    assert_eq!(entries.len(), 6);
    assert!(entries.iter().all(|entry| entry.at == start + ahead), "{entries:?}");
}
