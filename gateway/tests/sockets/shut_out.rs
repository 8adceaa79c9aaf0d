//! A gateway whose own token no role takes.

use std::time::Duration;

use astragal_runtime::auth::Role;
use serde_json::json;

use crate::answers::ask;
use crate::client::Client;
use crate::stage::Stage;

async fn is_ready(stage: &Stage) -> bool {
    ask(stage.operators, "GET /readyz", &[], "").await.status == 200
}

async fn until_ready(stage: &Stage, ready: bool) {
    let change = async {
        while is_ready(stage).await != ready {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), change).await.expect("a gateway that says how it stands");
}

/// O3 and G2: a token of this process that has run out is no matter of those who play. They are told to wait, and
/// whoever sends clients here that it is not ready, for as long as that lasts.
#[tokio::test]
async fn o3_g2_a_role_that_does_not_let_the_gateway_in_ends_nobody_s_session() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    until_ready(&stage, true).await;
    stage.accounts.let_nobody_in(true);
    let guest = ask(stage.address, "POST /v1/guests", &[], "").await;
    assert_eq!((guest.status, guest.problem().0.as_str()), (503, "UNAVAILABLE"), "{}", guest.body);
    let mut blaise = Client::connect(stage.address).await;
    blaise.send("hello", json!({ "hello": { "token": stage.token("blaise", Role::Player) } })).await;
    assert_eq!(blaise.next_answer().await["error"]["code"], "UNAVAILABLE");
    assert_eq!(blaise.close_code().await, 1013);
    until_ready(&stage, false).await;
    ada.send("ping", json!({ "ping": {} })).await;
    assert_eq!(ada.next_answer().await["replyTo"], "ping");
    stage.accounts.let_nobody_in(false);
    until_ready(&stage, true).await;
}
