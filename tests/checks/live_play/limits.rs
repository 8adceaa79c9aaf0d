//! Clients that come too often, and sessions that are renewed.

use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::Hello;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::server::{Launch, Server};
use serde_json::json;

/// Far more than anybody is let in at once.
const TRIES: usize = 200;

#[tokio::test]
async fn g6_a_reconnect_loop_of_one_account_is_slowed_down_and_others_are_not() -> Result<()> {
    let server = Launch::new()?.flag("--sessions-at-once-max", "64").start()?;
    let mut http = Http::connect(server.url()).await?;
    let (ada, blaise) = (http.sign_up("Ada").await?, http.sign_up("Blaise").await?);
    let hello = || Operation::Hello(Hello { token: ada.token.clone() });
    for _ in 0..TRIES {
        let mut client = Client::connect(server.url(), Wire::Json).await?;
        if let Err(refused) = client.call(hello()).await? {
            ensure!(refused.code == "RATE_LIMITED" && refused.message.contains("wait"), "{refused:?}");
            Client::enter(server.url(), &blaise, Wire::Json).await?;
            return Ok(());
        }
    }
    bail!("{TRIES} connections in a row were welcome");
}

#[tokio::test]
async fn g6_one_address_signs_up_only_so_many_guests() -> Result<()> {
    let server = Launch::new()?.flag("--trusted-proxies", "1").start()?;
    let mut greedy = Http::through_proxy(server.url(), "203.0.113.9, 192.0.2.1").await?;
    let mut refusals = 0;
    for _ in 0..TRIES {
        let answer = greedy.post("/v1/guests", &json!({})).await?;
        if answer.status == 429 {
            ensure!(answer.code()? == "RATE_LIMITED", "{}", answer.text());
            refusals += 1;
        }
    }
    ensure!(refusals > 0, "{TRIES} guests in a row were welcome");
    Http::through_proxy(server.url(), "192.0.2.1, 198.51.100.7").await?.sign_up("Ada").await?;
    Ok(())
}

#[tokio::test]
async fn g2_a_session_is_renewed_while_it_counts() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let ada = http.sign_up("Ada").await?;
    let renewed = http.post_as(&ada.token, "/v1/sessions/refresh").await?;
    ensure!(renewed.status == 200, "{}", renewed.text());
    let again: serde_json::Value = renewed.json()?;
    ensure!(again["accountId"] == ada.account_id.as_str() && again["expiresAt"].is_string(), "{again}");
    let token = again["token"].as_str().unwrap_or_default().to_owned();
    let (_, welcome) = Client::enter(server.url(), &Guest { token, ..ada }, Wire::Json).await?;
    ensure!(welcome.name == "Ada", "{welcome:?}");
    for refused in [
        http.post("/v1/sessions/refresh", &json!({})).await?,
        http.post_as("no token", "/v1/sessions/refresh").await?,
    ] {
        ensure!(refused.code()? == "UNAUTHENTICATED", "{}", refused.text());
    }
    Ok(())
}
