//! What watchers are told, live and afterwards.

use crate::house::{Database, House, RESIGN, code, json, tally, two, undo};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{OpenTableRequest, TableEvent, Update};
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::time_control::TimeControl;
use sha2::{Digest, Sha256};

/// A table with all that can happen, and the events that were published.
async fn eventful(house: &House, [first, second]: [AccountId; 2]) -> (TableId, Vec<TableEvent>) {
    let table = TableId::new();
    let clock = Some(TimeControl::SuddenDeath { initial_ms: 600_000, increment_ms: 5_000 }.to_wire());
    house.open(OpenTableRequest { clock, ..tally(table, 2, &[first]) }).await.expect("a table");
    let mut watch = house.watch(table).await;
    house.add(table, first, "{\"whisper\":3}").await.expect("a move");
    house.play(table, first, undo(2)).await.expect("an undo");
    house.add(table, first, "{\"whisper\":2}").await.expect("a move");
    house.seat(table, 1, second).await.expect("a seat");
    house.add(table, second, "\"roll\"").await.expect("a move");
    house.add(table, first, "{\"add\":1}").await.expect("a move");
    house.add(table, second, "{\"whisper\":1}").await.expect("a move");
    house.play(table, second, undo(8)).await.expect("an undo");
    house.play(table, first, undo(9)).await.expect("an undo");
    house.add(table, first, "{\"add\":3}").await.expect("a move");
    house.play(table, second, RESIGN).await.expect("the end");
    let events = watch.until_the_end().await;
    (table, events.iter().map(|event| (**event).clone()).collect())
}

fn update(event: &TableEvent) -> Option<&Update> {
    match &event.kind {
        Some(Kind::Update(update)) => Some(update),
        _ => None,
    }
}

/// The event as the viewer in a seat may have it.
fn seen_by(event: &TableEvent, seat: Option<u32>) -> TableEvent {
    let mut event = event.clone();
    if let Some(Kind::Update(update)) = &mut event.kind {
        update.seats.retain(|part| Some(part.seat) == seat);
    }
    event
}

#[tokio::test]
async fn g4_events_read_back_are_those_that_were_published() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let accounts = two();
    let (table, published) = eventful(&house, accounts).await;
    let fresh = House::new(&database.location()).await;
    for (seat, viewer) in [(Some(0), Some(accounts[0])), (Some(1), Some(accounts[1])), (None, None)] {
        for since in 1..=12 {
            let expected: Vec<_> = published
                .iter()
                .filter(|event| event.revision > since)
                .map(|event| seen_by(event, seat))
                .collect();
            for house in [&house, &fresh] {
                let answer = house.events(table, viewer, since).await.expect("events");
                assert_eq!((answer.events, answer.resync), (expected.clone(), false), "since {since}");
            }
        }
    }
    let ahead = house.events(table, None, 13).await.expect("an answer");
    assert!(ahead.resync && ahead.events.is_empty());
    assert_eq!(code(&house.events(TableId::new(), None, 0).await), Some(Code::NotFound));
}

#[tokio::test]
async fn g4_too_many_events_are_not_read_back_one_by_one() {
    let house = House::in_memory().await;
    let accounts = two();
    let table = house.tally(2, &accounts).await;
    for turn in 0..501 {
        house.add(table, accounts[turn % 2], "{\"add\":1}").await.expect("a move");
    }
    assert!(house.events(table, None, 0).await.expect("an answer").resync);
    let answer = house.events(table, None, 3).await.expect("an answer");
    assert_eq!((answer.resync, answer.events.len()), (false, 500));
}

#[tokio::test]
async fn g5_nothing_hidden_reaches_another_viewer() {
    let house = House::in_memory().await;
    let accounts = two();
    let (table, published) = eventful(&house, accounts).await;
    let mut secrets = Vec::new();
    for account in accounts {
        let view = house.view(table, Some(account)).await.expect("a view");
        secrets.push(json(&view.view)["secret"].to_string());
    }
    assert_eq!(json(&house.view(table, None).await.expect("a view").view)["secret"], serde_json::Value::Null);
    for viewer in [Some(0), Some(1), None] {
        let text = format!("{:?}", published.iter().map(|event| seen_by(event, viewer)).collect::<Vec<_>>());
        for (seat, secret) in (0..).zip(&secrets) {
            assert_eq!(text.contains(secret), viewer == Some(seat));
        }
    }
    let whispers = published
        .iter()
        .filter_map(update)
        .filter(|update| update.public.as_ref().is_some_and(|part| part.r#move == "\"whispered\""));
    let whispers: Vec<_> = whispers.collect();
    assert_eq!(whispers.len(), 3, "also those that were taken back");
    for update in whispers {
        let own = update.seats.iter().find(|part| Some(part.seat) == update.seat).expect("a part");
        let other = update.seats.iter().find(|part| Some(part.seat) != update.seat).expect("a part");
        let shown = |part: &Option<astragal_proto::engine::v1::Part>| part.as_ref().expect("a part").clone();
        assert!(json(&shown(&own.part).r#move)["whisper"].is_u64());
        assert_eq!(shown(&other.part).r#move, "\"whispered\"");
        assert_eq!(shown(&other.part).annotations, "{\"added\":null}");
        assert_eq!(shown(&update.public).annotations, "{\"added\":null}");
    }
}

#[tokio::test]
async fn g4_an_update_carries_the_hash_of_its_view_and_legal_moves_of_who_is_to_move() {
    let house = House::in_memory().await;
    let accounts = two();
    let (_, published) = eventful(&house, accounts).await;
    for update in published.iter().filter_map(update) {
        let parts = update.seats.iter().filter_map(|seat| seat.part.as_ref()).chain(&update.public);
        for part in parts {
            assert_eq!(part.view_hash, hex::encode(Sha256::digest(&part.view)));
        }
        for part in &update.seats {
            assert_eq!(part.legal_moves.is_some(), update.to_move.contains(&part.seat));
        }
    }
    assert!(published.iter().filter_map(update).last().is_some_and(|update| update.to_move.is_empty()));
}
