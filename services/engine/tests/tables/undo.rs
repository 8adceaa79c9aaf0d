//! Moves taken back.

use crate::house::{Database, House, RESIGN, a_move, code, json, two, undo};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_runtime::error::Code;

/// "An undo applied to another player's move": it names the revision that it saw, and only the last mover has one.
#[tokio::test]
async fn l12_only_the_seat_that_moved_last_takes_a_move_back() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let mut watch = house.watch(table).await;
    assert_eq!(code(&house.play(table, first, undo(2)).await), Some(Code::UndoRefused));
    house.add(table, first, "{\"add\":2}").await.expect("a move");
    assert_eq!(code(&house.play(table, second, undo(3)).await), Some(Code::UndoRefused));
    assert_eq!(code(&house.play(table, first, undo(2)).await), Some(Code::ConcurrentMove));
    assert_eq!(house.play(table, first, undo(3)).await, Ok(4));
    watch.next().await;
    let event = watch.next().await;
    let Some(Kind::Update(update)) = &event.kind else { panic!("an update") };
    assert_eq!((update.number, update.seat, update.undone, &*update.to_move), (1, Some(0), true, &[0][..]));
    assert_eq!(json(&update.public.as_ref().expect("a part").view)["total"], 0);
    // The stale client's move 1 is not the new move 1.
    assert_eq!(code(&house.play(table, first, a_move(3, "{\"add\":1}")).await), Some(Code::ConcurrentMove));
    assert_eq!(house.play(table, first, a_move(4, "{\"add\":1}")).await, Ok(5));
}

/// "Undo of a roll gave a peek."
#[tokio::test]
async fn l12_a_move_that_drew_and_a_finished_game_stay() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.add(table, first, "\"roll\"").await.expect("a move");
    assert_eq!(code(&house.play(table, first, undo(3)).await), Some(Code::UndoRefused));
    house.add(table, second, "{\"add\":1}").await.expect("a move");
    house.play(table, second, RESIGN).await.expect("the end");
    assert_eq!(code(&house.play(table, second, undo(5)).await), Some(Code::GameOver));
}

/// "A stale second undo hit another action": of two that were sent at the same sight one is refused, at whichever
/// engine it comes in, and the move before stays.
#[tokio::test]
async fn l12_a_second_undo_of_the_same_sight_takes_nothing_back() {
    let database = Database::new();
    let (house, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    for (mover, content) in [(first, "{\"add\":1}"), (second, "{\"add\":2}"), (first, "{\"add\":3}")] {
        house.add(table, mover, content).await.expect("a move");
    }
    let both = tokio::join!(house.play(table, first, undo(5)), other.play(table, first, undo(5)));
    let codes = [code(&both.0), code(&both.1)];
    assert!(codes.contains(&None) && codes.contains(&Some(Code::ConcurrentMove)), "{codes:?}");
    for late in [first, second] {
        assert_eq!(code(&house.play(table, late, undo(5)).await), Some(Code::ConcurrentMove));
    }
    let view = other.view(table, None).await.expect("a view");
    assert_eq!((view.revision, &json(&view.view)["total"]), (6, &3.into()));
}

#[tokio::test]
async fn l12_moves_are_taken_back_one_after_the_other_by_whom_they_belong_to() {
    let database = Database::new();
    let (house, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    for (mover, content) in [(first, "{\"add\":1}"), (second, "{\"add\":2}"), (first, "{\"add\":3}")] {
        house.add(table, mover, content).await.expect("a move");
    }
    for (mover, revision, total) in [(first, 5, 3), (second, 6, 1), (first, 7, 0)] {
        assert_eq!(house.play(table, mover, undo(revision)).await, Ok(revision + 1));
        for house in [&house, &other] {
            let view = house.view(table, Some(first)).await.expect("a view");
            assert_eq!((view.revision, &json(&view.view)["total"]), (revision + 1, &total.into()));
        }
    }
    assert_eq!(code(&house.play(table, first, undo(8)).await), Some(Code::UndoRefused));
    assert_eq!(other.add(table, first, "{\"add\":1}").await, Ok(9));
}

#[tokio::test]
async fn l12_the_same_move_is_taken_back_three_times_at_most() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let mut revision = 2;
    for _ in 0..3 {
        house.add(table, first, "{\"add\":1}").await.expect("a move");
        house.play(table, first, undo(revision + 1)).await.expect("an undo");
        revision += 2;
    }
    house.add(table, first, "{\"add\":1}").await.expect("a move");
    assert_eq!(code(&house.play(table, first, undo(revision + 1)).await), Some(Code::UndoRefused));
    house.stop().await;
    // The count is the journal's, not the process's.
    let house = House::new(&database.location()).await;
    assert_eq!(code(&house.play(table, first, undo(revision + 1)).await), Some(Code::UndoRefused));
    house.add(table, second, "{\"add\":1}").await.expect("a move");
    assert_eq!(house.play(table, second, undo(revision + 2)).await, Ok(revision + 3));
}
