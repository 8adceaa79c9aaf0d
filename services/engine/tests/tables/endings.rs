//! Endings that are not moves of the game, and the finished log.

use crate::house::{ABORT, House, LEAVE, RESIGN, a_move, code, json, occupant, tally, two, undo};
use astragal_proto::engine::v1::OpenTableRequest;
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, RequestId, TableId, robot_account};

#[tokio::test]
async fn l13_a_finished_table_accepts_nothing() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = TableId::new();
    let options = "{\"target\":4}".into();
    house.open(OpenTableRequest { options, ..tally(table, 2, &[first, second]) }).await.expect("a table");
    house.add(table, first, "{\"add\":1}").await.expect("a move");
    assert_eq!(code(&house.finished_log(table).await), Some(Code::GameInProgress));
    let last = RequestId::new();
    let end = a_move(3, "{\"add\":3}");
    assert_eq!(house.play_as(last, table, second, end.clone()).await, Ok(4));
    for (action, expected) in [
        (a_move(4, "{\"add\":1}"), Code::IllegalMove),
        (undo(4), Code::GameOver),
        (RESIGN, Code::GameOver),
        (LEAVE, Code::GameOver),
        (ABORT, Code::GameOver),
    ] {
        for account in [first, second] {
            assert_eq!(code(&house.play(table, account, action.clone()).await), Some(expected));
        }
    }
    assert_eq!(house.play_as(last, table, second, end).await, Ok(4), "a repetition is still answered");
    let outcome = house.view(table, None).await.expect("a view").outcome.expect("an outcome");
    assert_eq!((outcome.reason.as_str(), outcome.winner, outcome.scores), ("finished", Some(1), vec![1, 3]));
}

#[tokio::test]
async fn l13_each_ending_has_its_reason() {
    let house = House::in_memory().await;
    let [first, second] = two();
    for (action, reason, results) in [
        (RESIGN, "resigned", ["lost", "won"]),
        (LEAVE, "left", ["lost", "won"]),
        (ABORT, "aborted", ["none", "none"]),
    ] {
        let table = house.tally(2, &[first, second]).await;
        assert_eq!(house.play(table, first, action).await, Ok(3));
        let outcome = house.view(table, None).await.expect("a view").outcome.expect("an outcome");
        assert_eq!((outcome.reason.as_str(), &*outcome.results), (reason, &results.map(str::to_owned)[..]));
    }
}

#[tokio::test]
async fn a_game_is_aborted_only_while_nobody_has_moved() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.add(table, first, "{\"add\":1}").await.expect("a move");
    assert_eq!(code(&house.play(table, second, ABORT).await), Some(Code::FailedPrecondition));
    house.play(table, first, undo(3)).await.expect("an undo");
    assert_eq!(house.play(table, second, ABORT).await, Ok(5));
}

#[tokio::test]
async fn with_three_seats_who_resigns_retires_and_the_others_play_on() {
    let house = House::in_memory().await;
    let accounts: [AccountId; 3] = std::array::from_fn(|_| AccountId::new());
    let table = house.tally(3, &accounts).await;
    house.play(table, accounts[0], RESIGN).await.expect("a seat that retires");
    let view = house.view(table, Some(accounts[0])).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.to_move), ("playing", vec![1]));
    let again = house.play(table, accounts[0], RESIGN).await;
    assert_eq!(code(&again), Some(Code::FailedPrecondition));
    house.add(table, accounts[1], "{\"add\":1}").await.expect("a move");
    house.play(table, accounts[2], LEAVE).await.expect("the end");
    let outcome = house.view(table, None).await.expect("a view").outcome.expect("an outcome");
    assert_eq!((outcome.reason.as_str(), outcome.winner), ("left", Some(1)));
}

/// L13: one player's leaving is not everyone's loss, and nobody's loss is taken back by an abort.
#[tokio::test]
async fn l13_nobody_aborts_a_game_once_a_seat_is_out() {
    let house = House::in_memory().await;
    for retiring in [RESIGN, LEAVE] {
        let accounts: [AccountId; 3] = std::array::from_fn(|_| AccountId::new());
        let table = house.tally(3, &accounts).await;
        house.play(table, accounts[0], retiring).await.expect("a seat that retires");
        for (account, why) in [(accounts[0], "you are out"), (accounts[1], "somebody is out")] {
            let refused = house.play(table, account, ABORT).await.expect_err("a refusal");
            assert_eq!(refused.code, Code::FailedPrecondition);
            assert!(refused.message.contains(why), "{refused}");
        }
        house.play(table, accounts[1], RESIGN).await.expect("the end");
        let outcome = house.view(table, None).await.expect("a view").outcome.expect("an outcome");
        assert_eq!(
            (outcome.winner, &*outcome.results),
            (Some(2), &["lost", "lost", "won"].map(str::to_owned)[..])
        );
    }
}

#[tokio::test]
async fn l1_the_finished_log_names_no_account() {
    let house = House::in_memory().await;
    let (table, person) = (TableId::new(), AccountId::new());
    let occupants = vec![occupant(0, person, 0), occupant(1, robot_account(2), 2)];
    house.open(OpenTableRequest { occupants, ..tally(table, 2, &[]) }).await.expect("a table");
    house.play(table, person, RESIGN).await.expect("the end");
    let text = house.finished_log(table).await.expect("a log");
    assert!(!text.contains(&person.to_string()) && !text.contains(&robot_account(2).to_string()));
    let log = json(text.as_bytes());
    assert_eq!(log["seats"], serde_json::json!([{"kind": "player"}, {"kind": "robot", "level": 2}]));
    assert_eq!(log["moves"][0]["move"], serde_json::json!({"resigned": 0}));
}
