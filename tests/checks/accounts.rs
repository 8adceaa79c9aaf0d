//! Named accounts: taking a name, coming back elsewhere, another password, signing out everywhere, and going for good.

use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Answer, Guest, Http};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::{Launch, Server};
use hyper::Method;
use serde_json::{Value, json};
use std::time::Duration;

const PASSWORD: &str = "correct horse battery";
const NAME: &str = "Işıl Ada";

async fn take_name(http: &mut Http, guest: &Guest, name: &str) -> Result<Answer> {
    let body = json!({ "name": name, "password": PASSWORD });
    http.send(Method::POST, Some(&guest.token), "/v1/accounts", &body).await
}

async fn named(http: &mut Http, name: &str) -> Result<Guest> {
    let guest = http.sign_up("somebody").await?;
    let answer = take_name(http, &guest, name).await?;
    ensure!(answer.status == 201, "{}", answer.text());
    answer.json()
}

async fn sign_in(http: &mut Http, name: &str, password: &str) -> Result<Answer> {
    http.post("/v1/sessions", &json!({ "name": name, "password": password })).await
}

async fn delete(http: &mut Http, path: &str, token: &str) -> Result<Answer> {
    http.send(Method::DELETE, Some(token), path, &Value::Null).await
}

fn refused(answer: &Answer, status: u16, code: &str) -> Result<()> {
    let is = (answer.status.as_u16(), answer.code()?);
    ensure!(is == (status, code.to_owned()), "{is:?} instead of {code}: {}", answer.text());
    Ok(())
}

/// A token opens nothing any more: neither HTTP nor a socket.
async fn counts_no_more(url: &str, http: &mut Http, guest: &Guest) -> Result<()> {
    refused(&http.get_as(&guest.token, "/v1/me/tables").await?, 401, "UNAUTHENTICATED")?;
    refused(&http.post_as(&guest.token, "/v1/sessions/refresh").await?, 401, "UNAUTHENTICATED")?;
    refused(&take_name(http, guest, "Any Name").await?, 401, "UNAUTHENTICATED")?;
    refused(&delete(http, "/v1/me", &guest.token).await?, 401, "UNAUTHENTICATED")?;
    let mut client = Client::connect(url, Wire::Json).await?;
    let hello = client.hello(&guest.token).await;
    ensure!(hello.is_err() && client.close_code().await? == 1008, "hello was answered with {hello:?}");
    Ok(())
}

#[tokio::test]
async fn g8_a_guest_takes_a_name_and_goes_on_elsewhere() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let (mut here, guest) = Client::guest(server.url(), "somebody", Wire::Json).await?;
    let player = KalahPlayer::against_robot(&mut here, 1, 1).await?;
    let answer = take_name(&mut http, &guest, NAME).await?;
    let named: Guest = answer.json()?;
    ensure!((answer.status.as_u16(), &*named.name) == (201, NAME), "{}", answer.text());
    ensure!(named.account_id == guest.account_id, "another account");
    let again: Guest = take_name(&mut http, &guest, NAME).await?.json()?;
    ensure!(again.name == NAME, "an answer that was lost can be had again");
    refused(&take_name(&mut http, &named, "Another One").await?, 409, "FAILED_PRECONDITION")?;

    for spelling in [NAME, "IŞIL ADA", "ışıl-ada"] {
        let elsewhere: Guest = sign_in(&mut http, spelling, PASSWORD).await?.json()?;
        ensure!(elsewhere.account_id == guest.account_id && elsewhere.name == NAME, "{elsewhere:?}");
        let (_socket, welcome) = Client::enter(server.url(), &elsewhere, Wire::Binary).await?;
        ensure!(welcome.name == NAME && welcome.tables[0].game_id == player.id(), "{welcome:?}");
    }
    let table: Value = http.get(&format!("/v1/tables/{}", player.id())).await?.json()?;
    ensure!(table["seats"].to_string().contains(NAME), "{table}");
    Ok(())
}

#[tokio::test]
async fn g8_a_name_is_taken_once_however_it_is_written() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    named(&mut http, "Paul All").await?;
    let other = http.sign_up("other").await?;
    for alike in ["Paul All", "PAUL ALL", "paul-all", "Paul AlI", "Раul Аll"] {
        let answer = take_name(&mut http, &other, alike).await?;
        ensure!(!answer.status.is_success(), "{alike}: {}", answer.text());
        let guest = http.post("/v1/guests", &json!({ "name": alike })).await?;
        refused(&guest, 409, "NAME_TAKEN").with_context(|| alike.to_owned())?;
    }
    refused(&take_name(&mut http, &other, "paul all").await?, 409, "NAME_TAKEN")?;
    refused(&take_name(&mut http, &other, "Robot 2").await?, 409, "NAME_TAKEN")?;
    for unsafe_name in ["a\u{202e}b", "a\u{0}b", "", "x".repeat(33).as_str(), "<b>x</b>"] {
        refused(&take_name(&mut http, &other, unsafe_name).await?, 400, "INVALID_ARGUMENT")?;
    }
    let short = json!({ "name": "Fine", "password": "short" });
    let answer = http.send(Method::POST, Some(&other.token), "/v1/accounts", &short).await?;
    refused(&answer, 400, "INVALID_ARGUMENT")?;
    refused(&http.post("/v1/accounts", &short).await?, 401, "UNAUTHENTICATED")
}

#[tokio::test]
async fn g8_a_wrong_name_and_a_wrong_password_are_answered_the_same() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    named(&mut http, NAME).await?;
    let wrong_password = sign_in(&mut http, NAME, "wrong horse battery").await?;
    let wrong_name = sign_in(&mut http, "Nobody Here", PASSWORD).await?;
    refused(&wrong_password, 401, "UNAUTHENTICATED")?;
    ensure!(wrong_name.status == wrong_password.status && wrong_name.body == wrong_password.body);
    for name in ["Nobody Here", NAME] {
        let mut last = sign_in(&mut http, name, "wrong horse battery").await?;
        for _ in 0..12 {
            if last.code()? == "RATE_LIMITED" {
                break;
            }
            last = sign_in(&mut http, name, "wrong horse battery").await?;
        }
        refused(&last, 429, "RATE_LIMITED").with_context(|| name.to_owned())?;
    }
    Ok(())
}

#[tokio::test]
async fn g8_g2_whoever_signs_out_everywhere_is_out_everywhere() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let here = named(&mut http, NAME).await?;
    let elsewhere: Guest = sign_in(&mut http, NAME, PASSWORD).await?.json()?;
    let (mut socket, _) = Client::enter(server.url(), &elsewhere, Wire::Json).await?;
    let mut stranger = people::one(server.url(), Wire::Json).await?;

    ensure!(delete(&mut http, "/v1/sessions", &here.token).await?.status == 204);
    ensure!(socket.close_code().await? == 1008);
    for token in [&here, &elsewhere] {
        counts_no_more(server.url(), &mut http, token).await?;
    }
    let back: Guest = sign_in(&mut http, NAME, PASSWORD).await?.json()?;
    let renewed: Value = http.post_as(&back.token, "/v1/sessions/refresh").await?.json()?;
    let renewed = Guest { token: renewed["token"].as_str().context("a token")?.into(), ..back };
    Client::enter(server.url(), &renewed, Wire::Json).await?;
    stranger.done(ask::new_game()).await?;
    Ok(())
}

async fn change_password(http: &mut Http, token: &str, old: &str, new: &str) -> Result<Answer> {
    let body = json!({ "oldPassword": old, "newPassword": new });
    http.send(Method::POST, Some(token), "/v1/me/password", &body).await
}

#[tokio::test]
async fn g8_g2_another_password_ends_the_sessions_of_the_old_one() -> Result<()> {
    const OTHER: &str = "staple battery horse";
    let server = Launch::new()?.log_filter("debug,astragal_matchmaking=trace").start()?;
    let mut http = Http::connect(server.url()).await?;
    let here = named(&mut http, NAME).await?;
    let elsewhere: Guest = sign_in(&mut http, NAME, PASSWORD).await?.json()?;
    let (mut socket, _) = Client::enter(server.url(), &elsewhere, Wire::Json).await?;
    let wrong = change_password(&mut http, &here.token, "wrong horse battery", OTHER).await?;
    refused(&wrong, 403, "PERMISSION_DENIED")?;
    refused(&change_password(&mut http, &here.token, PASSWORD, "short").await?, 400, "INVALID_ARGUMENT")?;
    refused(&change_password(&mut http, "none", PASSWORD, OTHER).await?, 401, "UNAUTHENTICATED")?;
    let guest = http.sign_up("somebody").await?;
    refused(&change_password(&mut http, &guest.token, PASSWORD, OTHER).await?, 409, "FAILED_PRECONDITION")?;

    let answer = change_password(&mut http, &here.token, PASSWORD, OTHER).await?;
    ensure!(answer.status == 201, "{}", answer.text());
    let changed: Guest = answer.json()?;
    ensure!((&changed.account_id, &*changed.name) == (&here.account_id, NAME), "{changed:?}");
    ensure!(socket.close_code().await? == 1008);
    for token in [&here, &elsewhere] {
        counts_no_more(server.url(), &mut http, token).await?;
    }
    Client::enter(server.url(), &changed, Wire::Json).await.context("the new session counts")?;
    refused(&sign_in(&mut http, NAME, PASSWORD).await?, 401, "UNAUTHENTICATED")?;
    ensure!(sign_in(&mut http, NAME, OTHER).await?.status == 201);
    let said = String::from_utf8_lossy(&server.said()?).into_owned();
    for secret in [PASSWORD, OTHER, "horse", &changed.token, "argon2"] {
        ensure!(!said.contains(secret), "{secret:?} is in the log");
    }
    ensure!(said.contains("DEBUG"), "too little was said: {said}");
    Ok(())
}

#[tokio::test]
async fn g8_deletion_takes_the_name_and_leaves_the_games() -> Result<()> {
    let filter =
        "debug,astragal=trace,astragal_gateway=trace,astragal_matchmaking=trace,astragal_runtime=trace";
    let server = Launch::new()?.log_filter(filter).start()?;
    let url = server.url();
    let mut http = Http::connect(url).await?;
    let gone = named(&mut http, NAME).await?;
    let (mut hers, _) = Client::enter(url, &gone, Wire::Json).await?;
    let mut other = people::one(url, Wire::Json).await?;
    let [_, mut opponent] = KalahPlayer::pair(&mut hers, &mut other, 3).await?;
    let search = match hers.done(ask::new_friend_game()).await? {
        Event::Searching(searching) => searching.game_id,
        odd => anyhow::bail!("{odd:?}"),
    };

    ensure!(delete(&mut http, "/v1/me", &gone.token).await?.status == 204);
    ensure!(hers.close_code().await? == 1008);
    counts_no_more(url, &mut http, &gone).await?;
    refused(&sign_in(&mut http, NAME, PASSWORD).await?, 401, "UNAUTHENTICATED")?;
    opponent.wait_for_end(&mut other).await?;
    ensure!(
        opponent.outcome.as_ref().is_some_and(|outcome| outcome.reason == "left"),
        "{:?}",
        opponent.outcome
    );
    let refusal = other.refused(ask::join(&search)).await?;
    ensure!(
        ["NOT_FOUND", "FAILED_PRECONDITION", "GAME_OVER"].contains(&refusal.code.as_str()),
        "{refusal:?}"
    );

    let table = http.get(&format!("/v1/tables/{}", opponent.id())).await?.text();
    ensure!(table.contains("Former player") && !table.contains(NAME), "{table}");
    ensure!(http.get(&format!("/v1/tables/{}/log", opponent.id())).await?.status == 200, "the game is gone");
    named(&mut http, "IŞIL ADA").await.context("the name is free again")?;
    let said = String::from_utf8_lossy(&server.said()?).into_owned();
    for personal in [NAME, "IŞIL", "Işıl", PASSWORD, "horse", &gone.token, "argon2"] {
        ensure!(!said.contains(personal), "{personal:?} is in the log");
    }
    ensure!(said.contains("DEBUG"), "too little was said: {said}");
    Ok(())
}

#[tokio::test]
async fn g8_g2_a_session_that_ends_at_one_gateway_ends_at_all() -> Result<()> {
    let (redis, database_url) = (Redis::start(), Postgres::shared().database());
    ensure!(program::run(&["migrate", "--database-url", &database_url])?.status.success(), "no migration");
    let roles = Roles::start(&Plan {
        engines: 1,
        matchmakings: 2,
        rematches: 0,
        gateways: 2,
        heads_interval: Duration::from_secs(2),
        database_url: Some(database_url),
        redis_url: Some(redis.url()),
    })?;
    let [here, there] = [0, 1].map(|number| roles.gateways[number].url());
    let (mut http, mut far) = (Http::connect(here).await?, Http::connect(there).await?);
    let first = named(&mut http, NAME).await?;
    let second: Guest = sign_in(&mut far, NAME, PASSWORD).await?.json()?;
    let (mut socket, _) = Client::enter(there, &second, Wire::Json).await?;
    ensure!(delete(&mut http, "/v1/sessions", &first.token).await?.status == 204);
    ensure!(socket.close_code().await? == 1008);
    for guest in [&first, &second] {
        counts_no_more(there, &mut far, guest).await?;
    }
    let third: Guest = sign_in(&mut far, NAME, PASSWORD).await?.json()?;
    let (mut socket, _) = Client::enter(here, &third, Wire::Json).await?;
    ensure!(delete(&mut far, "/v1/me", &third.token).await?.status == 204);
    ensure!(socket.close_code().await? == 1008);
    counts_no_more(here, &mut http, &third).await
}
