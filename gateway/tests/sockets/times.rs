//! What the gateway says of times: for how long it held an action, and how far its client is.

use serde_json::json;

use crate::stage::{Stage, TABLE};
use crate::{id, make_move};

/// Forged client lag gave time (lila #10300): what a client says of times is not even read.
#[tokio::test]
async fn g3_times_are_measured_and_never_taken_from_a_client() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    // By the answer to this the client has answered the ping that came before.
    ada.send("ping", json!({ "ping": {} })).await;
    ada.next_answer().await;
    let mut forged = make_move(0);
    for field in ["heldMs", "roundTripMs", "at", "spent", "clock"] {
        forged["move"][field] = json!(86_400_000);
        forged[field] = json!(86_400_000);
    }
    ada.send(&id(1), forged).await;
    assert_eq!(ada.next_answer().await["ack"]["gameId"], TABLE);
    let [play] = &stage.engine.plays()[..] else { panic!("one request") };
    assert!((1..10_000).contains(&play.round_trip_ms), "{}", play.round_trip_ms);
    assert!(play.held_ms < 10_000, "{}", play.held_ms);
}

#[tokio::test]
async fn g3_an_action_that_had_to_wait_for_an_engine_says_for_how_long() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    stage.engine.break_streams(1);
    ada.send(&id(1), make_move(0)).await;
    assert_eq!(ada.next_answer().await["ack"]["revision"], 1);
    let [lost, sent_again] = &stage.engine.plays()[..] else { panic!("two requests") };
    // A stream is opened anew after 50 ms.
    assert!(sent_again.held_ms >= lost.held_ms + 50, "{} and {}", lost.held_ms, sent_again.held_ms);
}
