//! Many actions on one stream.

use crate::house::{Database, House, a_move, play_request, two};
use astragal_engine::stream::IN_FLIGHT_MAX;
use astragal_proto::engine::v1::play_stream_response::Result as Answer;
use astragal_proto::engine::v1::{PlayStreamRequest, PlayStreamResponse};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use std::collections::HashMap;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

async fn connect(house: &House) -> (mpsc::Sender<PlayStreamRequest>, Streaming<PlayStreamResponse>) {
    let (requests, received) = mpsc::channel(10_000);
    let answers = house.client().play_stream(ReceiverStream::new(received)).await.expect("a stream");
    (requests, answers.into_inner())
}

fn asked(tag: u64, table: TableId, account: AccountId, revision: u32) -> PlayStreamRequest {
    let request = play_request(RequestId::new(), table, account, a_move(revision, "{\"add\":1}"));
    PlayStreamRequest { tag, request: Some(request), trace: None }
}

#[tokio::test]
async fn requests_of_one_table_stay_in_order_also_through_a_cold_load() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let accounts = two();
    let mut tables = Vec::new();
    for _ in 0..8 {
        tables.push(house.tally(2, &accounts).await);
    }
    house.stop().await;

    // Nothing is in memory: the first request of each table waits for the database, and those
    // behind it are legal only if they come after it.
    let house = House::new(&database.location()).await;
    let (requests, mut answers) = connect(&house).await;
    let mut tag = 0;
    for revision in 2..52 {
        for table in &tables {
            let mover = accounts[revision as usize % 2];
            requests.send(asked(tag, *table, mover, revision)).await.expect("a stream");
            tag += 1;
        }
    }
    drop(requests);
    let mut answered = HashMap::new();
    while let Some(answer) = answers.message().await.expect("an answer") {
        answered.insert(answer.tag, answer.result.expect("a result"));
    }
    assert_eq!(answered.len(), 400);
    for (tag, answer) in answered {
        let Answer::Response(response) = answer else { panic!("{tag}: {answer:?}") };
        assert_eq!(u64::from(response.revision), tag / 8 + 3);
    }
}

#[tokio::test]
async fn refusals_travel_with_their_code_and_the_stream_goes_on() {
    let house = House::in_memory().await;
    let accounts = two();
    let table = house.tally(2, &accounts).await;
    let (requests, mut answers) = connect(&house).await;
    let mut refusal = async |request: PlayStreamRequest| {
        requests.send(request).await.expect("a stream");
        match answers.message().await.expect("an answer").expect("an answer").result {
            Some(Answer::Refusal(refusal)) => refusal.code,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refusal(PlayStreamRequest { tag: 1, request: None, trace: None }).await, "INVALID_ARGUMENT");
    assert_eq!(refusal(asked(2, table, accounts[1], 2)).await, "NOT_YOUR_TURN");
    assert_eq!(refusal(asked(3, table, AccountId::new(), 2)).await, "PERMISSION_DENIED");
    assert_eq!(refusal(asked(4, TableId::new(), accounts[0], 2)).await, "NOT_FOUND");
    requests.send(asked(5, table, accounts[0], 2)).await.expect("a stream");
    let answer = answers.message().await.expect("an answer").expect("an answer");
    assert!(matches!(answer.result, Some(Answer::Response(response)) if response.revision == 3));
}

#[tokio::test]
async fn g7_a_stopping_engine_answers_what_is_under_way_and_loses_nothing() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let accounts = two();
    let mut tables = Vec::new();
    for _ in 0..50 {
        tables.push(house.tally(2, &accounts).await);
    }
    let (requests, mut answers) = connect(&house).await;
    for (tag, table) in (0..).zip(&tables) {
        requests.send(asked(tag, *table, accounts[0], 2)).await.expect("a stream");
    }
    let first = answers.message().await.expect("an answer").expect("an answer");
    house.stop().await;
    let mut acknowledged = vec![first.tag];
    while let Ok(Some(answer)) = answers.message().await {
        if matches!(answer.result, Some(Answer::Response(_))) {
            acknowledged.push(answer.tag);
        }
    }
    let house = House::new(&database.location()).await;
    for tag in acknowledged {
        let view = house.view(tables[tag as usize], None).await.expect("a view");
        assert_eq!(view.revision, 3);
    }
}

#[tokio::test]
async fn g6_above_the_bound_requests_are_refused_and_those_under_way_are_answered() {
    let (house, store) = House::faulty().await;
    let accounts = two();
    let table = house.tally(2, &accounts).await;
    let (requests, mut answers) = connect(&house).await;
    let gate = store.gate.lock().await;
    for tag in 0..IN_FLIGHT_MAX as u64 + 10 {
        let revision = tag as u32 + 2;
        let mover = accounts[revision as usize % 2];
        requests.send(asked(tag, table, mover, revision)).await.expect("a stream");
    }
    // The first answers are the refusals: nothing else is answered while the store waits.
    for tag in IN_FLIGHT_MAX as u64..IN_FLIGHT_MAX as u64 + 10 {
        let answer = answers.message().await.expect("an answer").expect("an answer");
        assert_eq!(answer.tag, tag);
        assert!(matches!(answer.result, Some(Answer::Refusal(refusal)) if refusal.code == "UNAVAILABLE"));
    }
    drop((gate, requests));
    for tag in 0..IN_FLIGHT_MAX as u64 {
        let answer = answers.message().await.expect("an answer").expect("an answer");
        assert_eq!(answer.tag, tag, "one table's answers are in order");
        let Some(Answer::Response(response)) = answer.result else { panic!("{answer:?}") };
        assert_eq!(u64::from(response.revision), tag + 3);
        // Tally ends at 1,000: from there on its moves are refused.
        if tag == 996 {
            break;
        }
    }
}
