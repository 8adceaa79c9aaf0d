//! Players who come back to a game that went on: they are told what they missed, and nothing more is asked for that.

use serde_json::json;

use crate::client::Client;
use crate::stage::{Stage, TABLE};
use crate::{id, make_move};

async fn watch(client: &mut Client, since: u32) -> serde_json::Value {
    client.send("watch", json!({ "watch": { "gameId": TABLE, "sinceRevision": since } })).await;
    client.next_answer().await
}

#[tokio::test]
async fn g4_who_comes_back_is_told_what_was_missed_without_another_load() {
    let stage = Stage::set().await;
    let mut blaise = stage.enter("blaise").await;
    blaise.send(&id(0), make_move(0)).await;
    assert_eq!(blaise.next_answer().await["ack"]["revision"], 1);
    for since in [1, 0] {
        let mut ada = stage.enter("ada").await;
        stage.engine.go_away(1);
        assert_eq!(watch(&mut ada, since).await["ack"]["revision"], 1);
        for missed in since + 1..=1 {
            assert_eq!(ada.next().await["onGameUpdate"]["revision"], missed);
        }
    }
}

#[tokio::test]
async fn g4_who_asks_is_told_of_a_move_whose_news_were_lost() {
    let stage = Stage::set().await;
    let (mut ada, mut blaise) = (stage.enter("ada").await, stage.enter("blaise").await);
    stage.engine.publish(false);
    blaise.send(&id(0), make_move(0)).await;
    stage.engine.requested(1).await;
    assert_eq!(blaise.next_answer().await["ack"]["revision"], 1);
    assert_eq!(watch(&mut ada, 0).await["ack"]["revision"], 1);
    assert_eq!(ada.next().await["onGameUpdate"]["revision"], 1);
}
