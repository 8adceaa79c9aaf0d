//! Moves: who may make them, when, and what others are told.

use crate::house::{Database, House, a_move, code, games, json, occupant, tally, two};
use astragal_proto::engine::v1::OpenTableRequest;
use astragal_rules::finished_log::FinishedLog;
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, TableId};

#[tokio::test]
async fn l14_checks_come_in_the_order_that_clients_rely_on() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let nowhere = house.play(TableId::new(), first, a_move(0, "{}")).await;
    assert_eq!(code(&nowhere), Some(Code::NotFound));
    let table = house.tally(2, &[first, second]).await;
    let stranger = house.play(table, AccountId::new(), a_move(2, "{\"add\":1}")).await;
    assert_eq!(code(&stranger), Some(Code::PermissionDenied));
    let early = house.play(table, second, a_move(2, "{\"add\":1}")).await;
    assert_eq!(code(&early), Some(Code::NotYourTurn));
    for content in ["{\"add\":4}", "{\"add\":\"x\"}", "{\"subtract\":1}", "", "[", "\u{0}", "{\"time\":1}"] {
        let illegal = house.play(table, first, a_move(2, content)).await;
        assert_eq!(code(&illegal), Some(Code::IllegalMove), "{content}");
    }
    let from_the_future = house.play(table, first, a_move(9, "{\"add\":1}")).await;
    assert_eq!(code(&from_the_future), Some(Code::InvalidArgument));
    assert_eq!(house.play(table, first, a_move(2, "{\"add\":1}")).await, Ok(3));
    let stale = house.play(table, first, a_move(2, "{\"add\":1}")).await;
    assert_eq!(code(&stale), Some(Code::ConcurrentMove));
    assert_eq!(house.play(table, second, a_move(3, "{ \"add\" : 2 }")).await, Ok(4));
    let view = house.view(table, None).await.expect("a view");
    assert_eq!((view.revision, view.to_move, view.phase.as_str()), (4, vec![0], "playing"));
    assert_eq!(json(&view.view)["total"], 3);
}

#[tokio::test]
async fn l14_seats_taken_do_not_make_a_revision_stale() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = TableId::new();
    house.open(tally(table, 2, &[first])).await.expect("a table");
    assert_eq!(house.seat(table, 1, second).await, Ok(2));
    assert_eq!(house.play(table, first, a_move(1, "{\"add\":1}")).await, Ok(3));
}

#[tokio::test]
async fn l0_each_table_rebuilt_from_its_journal_after_every_move_equals_the_served_one() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let [first, second] = two();
    let table = TableId::new();
    let options = "{\"target\":60,\"tax\":true}".into();
    house.open(OpenTableRequest { options, ..tally(table, 2, &[first, second]) }).await.expect("a table");
    // The first two make five, which the table taxes.
    let contents = ["{\"add\":2}", "{\"add\":3}", "\"roll\"", "{\"whisper\":3}"];
    for turn in 0.. {
        let view = house.view(table, Some(first)).await.expect("a view");
        if view.phase == "over" {
            break;
        }
        let mover = [first, second][view.to_move[0] as usize];
        let answer = house.play(table, mover, a_move(view.revision, contents[turn % 4])).await;
        // The table itself may have moved in between.
        assert!(matches!(code(&answer), None | Some(Code::ConcurrentMove)), "{answer:?}");
        let other = House::new(&database.location()).await;
        for viewer in [Some(first), Some(second), None] {
            let (mut served, mut rebuilt) =
                (house.view(table, viewer).await, other.view(table, viewer).await);
            while served.as_ref().map(|view| view.revision) != rebuilt.as_ref().map(|view| view.revision) {
                (served, rebuilt) = (house.view(table, viewer).await, other.view(table, viewer).await);
            }
            assert_eq!(served, rebuilt);
        }
        other.stop().await;
    }
    let log = FinishedLog::from_json(&house.finished_log(table).await.expect("a log")).expect("a log");
    let commitment = house.view(table, None).await.expect("a view").commitment.parse().expect("a commitment");
    games().verify(&log, &commitment).expect("a log that verifies");
    assert!(log.log().moves().iter().any(|logged| logged.seat.is_none()), "the table taxed");
    house.stop().await;
}

#[tokio::test]
async fn l13_a_whole_game_of_kalah_ends_with_a_log_that_verifies() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = TableId::new();
    let opened = house
        .open(OpenTableRequest {
            table_id: table.to_string(),
            game: "kalah".to_owned(),
            seats: 2,
            first_seat: 1,
            occupants: vec![occupant(1, second, 0), occupant(0, first, 0)],
            ..OpenTableRequest::default()
        })
        .await
        .expect("a table");
    assert_eq!((opened.revision, opened.version), (2, 1));
    let mut watch = house.watch(table).await;
    loop {
        let view = house.view(table, None).await.expect("a view");
        let Some(seat) = view.to_move.first() else { break };
        let mover = [first, second][*seat as usize];
        let view = house.view(table, Some(mover)).await.expect("a view");
        let legal = json(&view.legal_moves.expect("legal moves"));
        let content = legal[legal.as_array().expect("a list").len() - 1].to_string();
        let made = house.play(table, mover, a_move(view.revision, &content)).await;
        assert_eq!(made, Ok(view.revision + 1));
        let event = watch.next().await;
        assert_eq!(event.revision, view.revision + 1);
    }
    let view = house.view(table, None).await.expect("a view");
    let outcome = view.outcome.expect("an outcome");
    assert_eq!((view.phase.as_str(), outcome.reason.as_str()), ("over", "finished"));
    let series = json(&view.series);
    assert_eq!(series[0]["gameId"], table.to_string());
    assert_eq!((&series[0]["firstSeat"], &series[0]["reason"]), (&1.into(), &"finished".into()));
    assert_eq!(series[0]["scores"], serde_json::json!(outcome.scores));
    let log = FinishedLog::from_json(&house.finished_log(table).await.expect("a log")).expect("a log");
    games().verify(&log, &opened.commitment.parse().expect("a commitment")).expect("a log that verifies");
}
