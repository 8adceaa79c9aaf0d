//! The same request again: applied once, answered the same, on any replica and after a restart.

use crate::house::{Database, House, RESIGN, a_move, code, two, undo};
use astragal_runtime::error::Code;
use astragal_runtime::id::RequestId;
use std::sync::atomic::Ordering;

#[tokio::test]
async fn l14_a_request_sent_again_is_applied_once_also_after_a_restart() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let requests: [RequestId; 4] = std::array::from_fn(|_| RequestId::new());
    let asked = [
        (requests[0], first, a_move(2, "{\"add\":2}")),
        (requests[1], first, undo(3)),
        (requests[2], first, a_move(4, "{\"add\":1}")),
        (requests[3], second, RESIGN),
    ];
    for _ in 0..2 {
        for (revision, (request, account, action)) in (3..).zip(asked.clone()) {
            assert_eq!(house.play_as(request, table, account, action).await, Ok(revision));
        }
    }
    house.stop().await;
    let house = House::new(&database.location()).await;
    for (revision, (request, account, action)) in (3..).zip(asked) {
        assert_eq!(house.play_as(request, table, account, action).await, Ok(revision));
    }
    assert_eq!(house.store().tail(table, 0).await.expect("a journal").len(), 6);
}

#[tokio::test]
async fn l14_an_id_is_not_for_two_requests() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let request = RequestId::new();
    assert_eq!(house.play_as(request, table, first, a_move(2, "{\"add\":2}")).await, Ok(3));
    for other in [a_move(2, "{\"add\":1}"), a_move(3, "{\"add\":2}"), undo(3), RESIGN] {
        let answer = house.play_as(request, table, first, other).await;
        assert_eq!(code(&answer), Some(Code::InvalidArgument));
    }
    // Another seat's ids are its own.
    assert_eq!(house.play_as(request, table, second, a_move(3, "{\"add\":1}")).await, Ok(4));
}

#[tokio::test]
async fn l14_an_old_request_is_known_although_the_table_has_forgotten_it() {
    let house = House::in_memory().await;
    let accounts = two();
    let table = house.tally(2, &accounts).await;
    let request = RequestId::new();
    assert_eq!(house.play_as(request, table, accounts[0], a_move(2, "{\"add\":1}")).await, Ok(3));
    for turn in 1..50 {
        house.add(table, accounts[turn % 2], "{\"add\":1}").await.expect("a move");
    }
    assert_eq!(house.play_as(request, table, accounts[0], a_move(2, "{\"add\":1}")).await, Ok(3));
    let reused = house.play_as(request, table, accounts[0], a_move(52, "{\"add\":1}")).await;
    assert_eq!(code(&reused), Some(Code::InvalidArgument));
}

#[tokio::test]
async fn l14_a_request_that_another_replica_applied_is_answered_the_same() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let [first, second] = two();
    let table = one.tally(2, &[first, second]).await;
    other.view(table, None).await.expect("a view");
    let request = RequestId::new();
    assert_eq!(one.play_as(request, table, first, a_move(2, "{\"add\":1}")).await, Ok(3));
    assert_eq!(other.play_as(request, table, first, a_move(2, "{\"add\":1}")).await, Ok(3));
}

#[tokio::test]
async fn l14_when_it_is_unknown_whether_a_move_was_written_the_repetition_decides() {
    let (house, store) = House::faulty().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let request = RequestId::new();
    for (account, revision, request) in [(first, 2, request), (second, 3, RequestId::new())] {
        store.lose_the_answer.store(true, Ordering::SeqCst);
        let asked = a_move(revision, "{\"add\":1}");
        let unknown = house.play_as(request, table, account, asked.clone()).await;
        assert_eq!(code(&unknown), Some(Code::Unavailable));
        assert_eq!(house.play_as(request, table, account, asked).await, Ok(revision + 1));
    }
    assert_eq!(house.play_as(request, table, first, a_move(2, "{\"add\":1}")).await, Ok(3));
    assert_eq!(house.view(table, None).await.expect("a view").revision, 4);
}

#[tokio::test]
async fn a_replica_that_is_behind_looks_again_before_it_refuses() {
    let database = Database::new();
    let (one, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let [opener, late] = two();
    for action in [RESIGN, a_move(3, "{\"add\":1}")] {
        let table = one.tally(2, &[opener]).await;
        other.view(table, Some(opener)).await.expect("a view");
        one.seat(table, 1, late).await.expect("a seat");
        one.add(table, opener, "{\"add\":1}").await.expect("a move");
        assert_eq!(other.play(table, late, action).await, Ok(4));
    }
    let table = one.tally(2, &[opener]).await;
    other.view(table, Some(opener)).await.expect("a view");
    one.seat(table, 1, late).await.expect("a seat");
    assert_eq!(other.play(table, opener, RESIGN).await, Ok(3));
}
