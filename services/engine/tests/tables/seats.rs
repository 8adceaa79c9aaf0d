//! Opening, sitting down, cancelling.

use crate::house::{ABORT, House, LEAVE, RESIGN, a_move, code, json, occupant, tally, two, undo};
use astragal_engine::journal::{Entry, EntryKind};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{OpenTableRequest, SeatTaken};
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, RequestId, TableId, robot_account};

#[tokio::test]
async fn l6_a_table_opened_again_keeps_its_seed() {
    let house = House::in_memory().await;
    let (table, accounts) = (TableId::new(), two());
    let first = house.open(tally(table, 2, &accounts)).await.expect("a table");
    let again = house.open(tally(table, 4, &[])).await.expect("the table");
    assert_eq!(first, again);
    assert_eq!((first.revision, first.commitment.len()), (2, 64));
    let view = house.view(table, Some(accounts[1])).await.expect("a view");
    assert_eq!((view.commitment, view.your_seat), (first.commitment, Some(1)));
}

#[tokio::test]
async fn d8_the_opener_moves_before_the_seat_is_taken_and_the_journal_is_the_same_but_for_that() {
    let house = House::in_memory().await;
    let [opener, friend] = two();
    let mut journals = Vec::new();
    for friend in [occupant(1, friend, 0), occupant(1, robot_account(1), 1)] {
        let table = TableId::new();
        house.open(tally(table, 2, &[opener])).await.expect("a table");
        assert_eq!(house.play(table, opener, a_move(1, "{\"add\":2}")).await, Ok(2));
        let waiting = house.store().tail(table, 0).await.expect("a journal");
        let mut watch = house.watch(table).await;
        assert_eq!(house.seat_occupant(table, friend.clone()).await, Ok(3));
        let seated = house.store().tail(table, 0).await.expect("a journal");
        assert_eq!(seated[..2], waiting);
        assert!(
            matches!(&seated[2].kind, EntryKind::SeatTaken(who) if who.account.to_string() == friend.account_id)
        );
        let event = watch.next().await;
        let expected = SeatTaken {
            seat: 1,
            account_id: friend.account_id.clone(),
            robot_level: friend.robot_level,
            full: true,
        };
        assert_eq!(event.kind, Some(Kind::SeatTaken(expected)));
        let moved = |entry: &Entry| matches!(entry.kind, EntryKind::Move(_)).then(|| entry.kind.clone());
        journals.push(waiting.iter().filter_map(moved).collect::<Vec<_>>());
    }
    assert_eq!(journals[0], journals[1]);
}

#[tokio::test]
async fn d8_while_a_seat_is_empty_only_a_cancel_ends_the_table() {
    let house = House::in_memory().await;
    let [opener, late] = two();
    let table = house.tally(2, &[opener]).await;
    for action in [RESIGN, LEAVE, ABORT] {
        assert_eq!(code(&house.play(table, opener, action).await), Some(Code::FailedPrecondition));
    }
    house.add(table, opener, "{\"add\":1}").await.expect("a move");
    assert_eq!(house.play(table, opener, undo(2)).await, Ok(3));
    house.add(table, opener, "{\"add\":2}").await.expect("a move");
    let watched = house.view(table, Some(late)).await;
    assert_eq!(code(&watched), Some(Code::PermissionDenied), "strangers wait until all are there");
    assert_eq!(code(&house.events(table, None, 0).await), Some(Code::PermissionDenied));
    assert_eq!(house.cancel(table).await, Ok(5));
    assert_eq!(house.cancel(table).await, Ok(5));
    assert_eq!(code(&house.seat(table, 1, late).await), Some(Code::GameOver));
    let view = house.view(table, Some(opener)).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.outcome.expect("an outcome").reason.as_str()), ("over", "aborted"));
    house.finished_log(table).await.expect("the log of a cancelled table");
}

#[tokio::test]
async fn d10_a_full_table_is_not_cancelled_and_a_seat_is_taken_once() {
    let house = House::in_memory().await;
    let [opener, second] = two();
    let table = house.tally(2, &[opener]).await;
    let yourself = house.seat(table, 1, opener).await;
    assert_eq!(code(&yourself), Some(Code::FailedPrecondition), "nobody plays themselves");
    assert_eq!(code(&house.seat(table, 2, second).await), Some(Code::InvalidArgument));
    assert_eq!(house.seat(table, 1, second).await, Ok(2));
    house.add(table, opener, "{\"add\":1}").await.expect("a move");
    assert_eq!(house.seat(table, 1, second).await, Ok(2), "safe to repeat");
    assert_eq!(code(&house.seat(table, 1, AccountId::new()).await), Some(Code::SeatTaken));
    assert_eq!(code(&house.cancel(table).await), Some(Code::FailedPrecondition));
    assert_eq!(code(&house.cancel(TableId::new()).await), Some(Code::NotFound));
}

#[tokio::test]
async fn a_table_that_cannot_be_is_refused_and_not_kept() {
    let house = House::in_memory().await;
    let [one, other] = two();
    let good = || tally(TableId::new(), 2, &[one, other]);
    let with = |change: fn(&mut OpenTableRequest)| {
        let mut asked = good();
        change(&mut asked);
        asked
    };
    for asked in [
        with(|asked| asked.game = "chess".to_owned()),
        with(|asked| asked.version = 9),
        with(|asked| asked.seats = 0),
        with(|asked| asked.seats = 300),
        with(|asked| asked.seats = 1),
        with(|asked| asked.first_seat = 2),
        with(|asked| asked.variant = "blitz".to_owned()),
        with(|asked| asked.options = "{\"target\":\"x\"}".into()),
        with(|asked| asked.options = "{\"aim\":1}".into()),
        with(|asked| asked.options = vec![0xff].into()),
        with(|asked| asked.series = "{}".into()),
        with(|asked| asked.series_id = "7".to_owned()),
        with(|asked| asked.occupants[1].seat = 0),
        with(|asked| asked.occupants[1].seat = 2),
        with(|asked| asked.occupants[1].account_id = asked.occupants[0].account_id.clone()),
        with(|asked| asked.occupants[1].robot_level = 6),
        with(|asked| asked.occupants[1].account_id.clear()),
        with(|asked| asked.table_id.clear()),
    ] {
        let refused = house.open(asked.clone()).await;
        assert_eq!(code(&refused), Some(Code::InvalidArgument), "{asked:?}");
        if let Ok(table) = asked.table_id.parse::<TableId>() {
            assert_eq!(code(&house.view(table, Some(one)).await), Some(Code::NotFound));
        }
    }
    house.open(good()).await.expect("a table");
}

#[tokio::test]
async fn r5_a_series_goes_on_with_the_game_that_ended() {
    let house = House::in_memory().await;
    let [one, other] = two();
    let (table, before, series) = (TableId::new(), TableId::new(), RequestId::new().to_string());
    let games = format!(
        "[{{\"gameId\":\"{before}\",\"firstSeat\":1,\"reason\":\"time\",\"winner\":0,\"scores\":[3,4]}}]"
    );
    let asked = OpenTableRequest {
        series_id: series.clone(),
        series: games.clone().into(),
        ..tally(table, 2, &[one, other])
    };
    house.open(asked).await.expect("a table");
    let mut watch = house.watch(table).await;
    assert_eq!(house.view(table, None).await.expect("a view").series, games);
    house.play(table, one, RESIGN).await.expect("the end");
    let ended = watch.next().await.ended.clone().expect("the end");
    let series_now = json(&ended.series);
    assert_eq!(ended.series_id, series);
    assert_eq!(series_now[0], json(games.as_bytes())[0]);
    let this = serde_json::json!({
        "gameId": table.to_string(), "firstSeat": 0, "reason": "resigned", "winner": 1, "scores": [0, 0],
    });
    assert_eq!(series_now[1], this);
    assert_eq!(house.view(table, None).await.expect("a view").series, ended.series);
}
