//! Games that start for somebody who did not ask for them at this socket.

use crate::stage::{BLAISE, Stage, TABLE};

const NEXT: &str = "01936f5e-0000-7000-8000-00000000bbbb";

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
    blaise.send("ping", serde_json::json!({ "ping": {} })).await;
    assert_eq!(blaise.next().await["replyTo"], "ping");
}
