//! A gateway on a loopback port, between real sockets and roles that are played by the test.
//!
//! Whole games through all roles are checked by the crate `astragal-tests`; here the roles misbehave on purpose.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
mod back;
mod client;
mod comings;
mod engine;
mod matchmaking;
mod pages;
mod sessions;
mod shut_out;
mod stage;
mod starts;
mod times;

use std::time::Duration;

use astragal_runtime::auth::Role;
use astragal_runtime::presence::{Presence, PresenceTimes};
use serde_json::json;

use self::client::Client;
use self::stage::{Stage, TABLE};

/// Ids of frames that change something.
fn id(number: u32) -> String {
    format!("01936f5e-0000-7000-8000-{number:012}")
}

fn make_move(revision: u32) -> serde_json::Value {
    json!({ "move": { "gameId": TABLE, "revision": revision, "move": { "pit": 1 } } })
}

#[tokio::test]
async fn g4_a_move_is_answered_before_its_update_however_they_arrive() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    for revision in 0..20 {
        ada.send(&id(revision), make_move(revision)).await;
        let answer = ada.next().await;
        assert_eq!(answer["replyTo"], id(revision));
        assert_eq!(answer["ack"]["revision"], revision + 1);
        assert_eq!(ada.next().await["onGameUpdate"]["revision"], revision + 1);
    }
}

#[tokio::test]
async fn g4_moves_are_not_awaited_one_by_one() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    stage.engine.hold_answers(true);
    for number in 0..10 {
        ada.send(&id(number), make_move(number)).await;
    }
    // The socket goes on reading and answering while ten moves are under way.
    ada.send("ping", json!({ "ping": {} })).await;
    assert_eq!(ada.next().await["replyTo"], "ping");
    stage.engine.hold_answers(false);
    for number in 0..10 {
        assert_eq!(ada.next().await["replyTo"], id(number));
    }
    for number in 0..10 {
        assert_eq!(ada.next().await["onGameUpdate"]["revision"], number + 1);
    }
}

#[tokio::test]
async fn g7_a_broken_stream_is_opened_anew_and_the_move_is_sent_once_more() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    stage.engine.break_streams(1);
    ada.send(&id(1), make_move(0)).await;
    assert_eq!(ada.next().await["ack"]["revision"], 1);
    assert_eq!(stage.engine.requests(), [id(1), id(1)]);

    stage.engine.break_streams(2);
    ada.send(&id(2), make_move(1)).await;
    let refused = loop {
        let frame = ada.next().await;
        if frame.get("replyTo").is_some() {
            break frame;
        }
    };
    assert_eq!(refused["error"]["code"], "UNAVAILABLE");
    assert_eq!(stage.engine.requests(), [id(1), id(1), id(2), id(2)]);
}

/// "A client that doesn't read stalled everyone."
#[tokio::test]
async fn g6_a_client_that_does_not_read_is_hung_up_on_and_stalls_nobody() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    let mut deaf = stage.enter("blaise").await;
    let mut revision = 0;
    while stage.gateway_knows("blaise").await {
        ada.send(&id(revision), make_move(revision)).await;
        assert_eq!(ada.next_answer().await["ack"]["revision"], revision + 1);
        revision += 1;
        assert!(revision < 100_000, "the client that does not read is still connected");
    }
    // Whoever reads on after all finds out why it was hung up on.
    assert_eq!(deaf.close_code().await, 1008);
    ada.send(&id(revision), make_move(revision)).await;
    assert_eq!(ada.next_answer().await["ack"]["revision"], revision + 1);
}

/// The rest of a frame that is too large stays unread, so that hanging up resets the connection: a client that is just
/// writing would find it broken before it has read why.
#[tokio::test]
async fn g6_who_breaks_the_protocol_is_left_the_time_to_read_why() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    ada.send_bulk(64 * 1024 + 1).await;
    assert!(ada.stands_after_last_word().await > Duration::from_secs(1));
    let mut blaise = stage.enter("blaise").await;
    blaise.send_bulk(64 * 1024 + 1).await;
    assert_eq!(blaise.close_code().await, 1009);
}

#[tokio::test]
async fn g4_who_comes_and_goes_at_another_gateway_is_told() {
    let presence = Presence::new(PresenceTimes { offline_after: Duration::ZERO, ..PresenceTimes::default() });
    let (here, there) = (Stage::set_among_others(&presence).await, Stage::set_among_others(&presence).await);
    let mut ada = here.enter("ada").await;
    ada.send("table", json!({ "watch": { "gameId": TABLE } })).await;
    ada.next_answer().await;
    let blaise = there.enter("blaise").await;
    assert!(ada.next_presence().await);
    drop(blaise);
    assert!(!ada.next_presence().await);
}

#[tokio::test]
async fn g4_what_the_bus_loses_is_read_back() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    let mut told = Vec::new();
    for revision in 0..5 {
        // Moves 4 and 5: the bus brings the fourth, by which the gap shows, and loses the last of all, after which
        // nothing comes. The regular look at the heads finds it, and may find any of the others too.
        stage.engine.publish(revision == 3);
        ada.send(&id(revision), make_move(revision)).await;
        loop {
            let frame = ada.next().await;
            if frame.get("replyTo").is_some() {
                assert_eq!(frame["ack"]["revision"], revision + 1);
                break;
            }
            told.push(frame["onGameUpdate"]["revision"].clone());
        }
    }
    while told.len() < 5 {
        told.push(ada.next().await["onGameUpdate"]["revision"].clone());
    }
    assert_eq!(told, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn g7_a_gateway_that_stops_says_so_and_gives_the_answers_that_are_due() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    stage.engine.hold_answers(true);
    ada.send(&id(1), make_move(0)).await;
    stage.engine.requested(1).await;
    stage.stop.cancel();
    assert!(ada.next().await["draining"]["reconnectAfter"].is_string());
    stage.engine.hold_answers(false);
    assert_eq!(ada.next().await["ack"]["revision"], 1);
    assert_eq!(ada.close_code().await, 1001);
    stage.running.await.unwrap();
}

#[tokio::test]
async fn g2_the_token_of_a_role_opens_no_session() {
    let stage = Stage::set_impatient().await;
    for role in [Role::Service, Role::Tournament, Role::Admin] {
        let mut client = Client::connect(stage.address).await;
        client.send("hello", json!({ "hello": { "token": stage.token("ada", role) } })).await;
        assert_eq!(client.next().await["error"]["code"], "UNAUTHENTICATED");
        assert_eq!(client.close_code().await, 1008);
    }
}

#[tokio::test]
async fn g2_no_hello_no_talk() {
    let stage = Stage::set_impatient().await;
    let mut nobody = Client::connect(stage.address).await;
    nobody.send("1", json!({ "ping": {} })).await;
    assert_eq!(nobody.next().await["error"]["code"], "UNAUTHENTICATED");
    assert_eq!(nobody.close_code().await, 1008);
}
