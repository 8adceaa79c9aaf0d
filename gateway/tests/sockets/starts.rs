//! Games that start for somebody who did not ask for them at this socket.

use serde_json::json;

use crate::stage::{BLAISE, Stage, TABLE};

const NEXT: &str = "01936f5e-0000-7000-8000-00000000bbbb";
const OTHER: &str = "01936f5e-0000-7000-8000-00000000cccc";

/// "Sent" hung for ever (liwords #693): that a game has started is told once, perhaps while no engine can show it.
#[tokio::test]
async fn r2_a_start_that_no_engine_can_show_is_shown_when_one_can() {
    let stage = Stage::set().await;
    let mut blaise = stage.enter("blaise").await;
    stage.engine.go_away(2);
    stage.engine.start(BLAISE, NEXT);
    assert_eq!(blaise.next().await["onGameStart"]["table"]["gameId"], TABLE);
    // And then not again.
    stage.engine.start(BLAISE, NEXT);
    blaise.send("ping", json!({ "ping": {} })).await;
    assert_eq!(blaise.next().await["replyTo"], "ping");
}

/// G4: whoever has asked for the game meanwhile is told of what happens there one by one, and of no start any more.
#[tokio::test]
async fn g4_a_start_that_is_late_is_not_told_to_who_was_shown_the_game() {
    let stage = Stage::set().await;
    let mut blaise = stage.enter("blaise").await;
    blaise.send("table", json!({ "watch": { "gameId": NEXT } })).await;
    assert_eq!(blaise.next().await["replyTo"], "table");
    stage.engine.start(BLAISE, NEXT);
    stage.engine.start(BLAISE, OTHER);
    assert!(blaise.next().await.get("onGameStart").is_some(), "of the other game");
    blaise.send("ping", json!({ "ping": {} })).await;
    assert_eq!(blaise.next().await["replyTo"], "ping");
}
