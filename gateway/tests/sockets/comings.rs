//! Who comes and goes: old sockets beside new ones, people who only watch, clients that come too often, sessions that
//! run out.

use std::time::Duration;

use astragal_gateway::settings::{GatewaySettings, Pace};
use astragal_runtime::auth::Role;
use astragal_runtime::id::AccountId;
use astragal_runtime::presence::{Presence, PresenceChange, PresenceTimes};
use serde_json::json;

use crate::client::Client;
use crate::stage::{IMPATIENT, Stage, TABLE, settings};

fn watch() -> serde_json::Value {
    json!({ "watch": { "gameId": TABLE } })
}

fn at_once() -> Presence {
    Presence::new(PresenceTimes {
        offline_after: Duration::ZERO,
        sweep_every: Duration::from_millis(20),
        ..PresenceTimes::default()
    })
}

/// "Closing an old socket marked the reconnected player gone": presence is the account's, not the socket's.
#[tokio::test]
async fn g4_an_old_socket_that_closes_does_not_mark_a_player_gone_who_has_come_back() {
    let presence = at_once();
    let (here, there) = (Stage::set_among_others(&presence).await, Stage::set_among_others(&presence).await);
    let mut old = there.enter("blaise").await;
    // They come back before the old connection is known to be dead, first here, then at the same gateway.
    for place in [&here, &there, &there] {
        let new = place.enter("blaise").await;
        old.break_protocol().await;
        assert_eq!(old.close_code().await, 1003);
        everyone_gone_is_told(&presence).await;
        assert!(here.gateway_knows("blaise").await && there.gateway_knows("blaise").await);
        old = new;
    }
    let mut ada = here.enter("ada").await;
    ada.send("table", watch()).await;
    ada.next_answer().await;
    drop(old);
    assert!(!ada.next_presence().await, "who has closed the last socket is gone");
}

/// Whoever is gone by now has been told of when somebody is told of who goes now.
async fn everyone_gone_is_told(presence: &Presence) {
    let (desk, mut changes) = presence.open_desk();
    let somebody = AccountId::new();
    desk.arrive(somebody);
    desk.depart(somebody);
    while changes.recv().await.unwrap() != PresenceChange::Offline(somebody) {}
}

#[tokio::test]
async fn g5_viewers_are_counted_at_all_gateways_and_players_are_none() {
    let presence = at_once();
    let (here, there) = (Stage::set_among_others(&presence).await, Stage::set_among_others(&presence).await);
    let mut ada = here.enter("ada").await;
    let mut second_tab = here.enter("ada").await;
    second_tab.send("table", watch()).await;
    let table = second_tab.next_answer().await;
    assert_eq!((&table["table"]["yourSeat"], &table["table"]["viewers"]), (&json!(0), &json!(0)));

    let mut cleo = there.enter("cleo").await;
    cleo.send("table", watch()).await;
    assert!(cleo.next_answer().await["table"].get("yourSeat").is_none());
    assert_eq!(ada.next_viewers().await, 1);
    // Another tab of the same spectator is no other spectator.
    let mut second = there.enter("cleo").await;
    second.send("table", watch()).await;
    second.next_answer().await;
    drop(cleo);
    second.send("no longer", json!({ "unwatch": { "gameId": TABLE } })).await;
    assert_eq!(ada.next_viewers().await, 0);
}

/// A reconnect loop of one client: its account, and its address, have a pace; others have their own.
#[tokio::test]
async fn g6_a_client_that_reconnects_in_a_loop_is_told_to_wait() {
    let pace = Pace { burst: 5, every: Duration::from_hours(1) };
    let settings = GatewaySettings {
        sockets_per_address: pace,
        sessions_per_account: pace,
        hello_timeout: IMPATIENT,
        ..settings()
    };
    let stage = Stage::set_with(&at_once(), settings).await;
    for _ in 0..5 {
        drop(stage.enter("ada").await);
    }
    let mut again = Client::connect(stage.address).await;
    let hello = json!({ "hello": { "token": stage.token("ada", Role::Player) } });
    again.send("hello", hello.clone()).await;
    assert_eq!(again.next().await["error"]["code"], "RATE_LIMITED");
    // It may try again on the same socket, and is closed like one that never says hello.
    again.send("hello", hello).await;
    assert_eq!(again.next().await["error"]["code"], "RATE_LIMITED");
    assert_eq!(again.close_code().await, 1008);
    stage.enter("blaise").await;

    for _ in 0..5 {
        assert_eq!(Client::knock(stage.address, "192.0.2.1").await, 101);
    }
    assert_eq!(Client::knock(stage.address, "192.0.2.1").await, 429);
    assert_eq!(Client::knock(stage.address, "192.0.2.1, 198.51.100.7").await, 101);
}

#[tokio::test]
async fn g2_a_socket_ends_with_the_session_of_its_token() {
    let settings = GatewaySettings { ping_interval: Duration::from_millis(200), ..settings() };
    let stage = Stage::set_with(&at_once(), settings).await;
    let mut client = Client::connect(stage.address).await;
    let token = stage.token_for("ada", Role::Player, chrono::Duration::seconds(1));
    client.send("hello", json!({ "hello": { "token": token } })).await;
    let welcome = client.next().await;
    // A second is cut to whole ones, so that it may be over before it has begun.
    if welcome.get("welcome").is_some() {
        assert_eq!(client.close_code().await, 1008);
    } else {
        assert_eq!(welcome["error"]["code"], "UNAUTHENTICATED");
    }
}
