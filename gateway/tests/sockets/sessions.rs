//! Sessions that were ended before their time.

use astragal_runtime::auth::Role;
use serde_json::json;

use crate::client::Client;
use crate::stage::{ADA, Stage};

#[tokio::test]
async fn g8_g2_a_session_whose_end_nobody_told_of_ends_all_the_same() {
    let stage = Stage::set().await;
    let (mut ada, mut blaise) = (stage.enter("ada").await, stage.enter("blaise").await);
    stage.accounts.end_sessions_of(ADA);
    assert_eq!(ada.close_code().await, 1008);
    // It opens nothing any more, and nobody else is out.
    let mut again = Client::connect(stage.address).await;
    again.send("hello", json!({ "hello": { "token": stage.token("ada", Role::Player) } })).await;
    assert_eq!(again.next_answer().await["error"]["code"], "UNAUTHENTICATED");
    assert_eq!(again.close_code().await, 1008);
    blaise.send("ping", json!({ "ping": {} })).await;
    assert_eq!(blaise.next_answer().await["replyTo"], "ping");
}
