//! What is left of a rematch when processes are killed at any step of it: one next game, in which both are, and of
//! which each is told once.

use super::system::{PATIENCE, System, reviving, until};
use crate::rematch::couple::Couple;
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::Table;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_support::postgres::Postgres;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use serde_json::Value;
use std::time::Duration;

/// How many games follow each other at most until somebody has got to the fault.
const ROUNDS_MAX: usize = 6;
/// Nobody asks again more often than this.
const PACE: Duration = Duration::from_millis(100);

/// All processes of a role kill themselves when they first get to a step, and are started again. Which of the two gets
/// there is up to chance, so a few rematches are played.
/// "Sent" hung for ever.
async fn killed_at(role: &'static str, fault: &'static str) -> Result<()> {
    let mut system = System::start_offering(|of, _| (of == role).then_some(fault))?;
    let System { roles, redis, postgres, database_url, .. } = &mut system;
    let urls = [0, 1].map(|gateway: usize| roles.gateways[gateway].url().to_owned());
    let outbox = redis::Client::open(redis.url())?.get_multiplexed_async_connection().await?;
    let (mut couple, mut deaths) = reviving(roles, Couple::at([&urls[0], &urls[1]])).await?;
    for round in 1..=ROUNDS_MAX {
        deaths += reviving(roles, give_up(&mut couple)).await?.1;
        let (played, died) = reviving(roles, play_on(&mut couple)).await?;
        deaths += died;
        deaths += reviving(roles, all_is_told(&outbox, postgres, database_url)).await?.1;
        one_next_game(&urls, &mut couple, round, &played)
            .await
            .with_context(|| format!("in round {round}, after {deaths} deaths"))?;
        if deaths > 0 {
            return Ok(());
        }
    }
    anyhow::bail!("nobody reached {fault}")
}

/// Seat 0 gives up, and both learn of it.
async fn give_up(couple: &mut Couple) -> Result<()> {
    let id = couple.id().to_owned();
    couple.clients[0].done(ask::resign(&id)).await?;
    for seat in [0, 1] {
        couple.ended(seat, &id).await.with_context(|| format!("seat {seat} is not told of the end"))?;
    }
    Ok(())
}

/// Waits until nothing is left to be told: every letter is out of the outbox, and every game is settled.
async fn all_is_told(
    redis: &redis::aio::MultiplexedConnection,
    postgres: &Postgres,
    database_url: &str,
) -> Result<()> {
    let name = database_url.split('?').next().and_then(|place| place.rsplit('/').next());
    let name = name.context("a database without a name")?;
    until("everything is told", async || {
        let left =
            redis::cmd("XLEN").arg("{astragal:r}outbox").query_async::<u64>(&mut redis.clone()).await?;
        let unsettled = "SELECT count(*) FROM matchmaking.games WHERE settled < change";
        Ok(left == 0 && postgres.run_sql(name, unsettled) == "0")
    })
    .await
}

/// How a next game came to be.
struct Played {
    /// Who was the last to ask, and so knows of it.
    seat: usize,
    /// An answer was lost, so that one was told of it before they asked again.
    refused: bool,
}

/// Asks and accepts until the next game has started, each time under another id, as people do who press the button
/// again.
async fn play_on(couple: &mut Couple) -> Result<Played> {
    let id = couple.id().to_owned();
    let (mut asked, mut refused, mut pace) = (false, false, tokio::time::interval(PACE));
    let asking = async {
        loop {
            pace.tick().await;
            let seat = usize::from(asked);
            match couple.clients[seat].call(ask::rematch(&id)).await? {
                Ok(Event::OnGameStart(start)) => {
                    couple.table = start.table.context("a start without a table")?;
                    return Ok(Played { seat, refused });
                }
                // Too late for the answer: it has started, and the news of that are on their way.
                Ok(Event::OnRematchEnded(ended)) => {
                    ensure!(ended.reason == "closed", "{ended:?}");
                    couple.table = next_start(&mut couple.clients[seat], &id).await?;
                    return Ok(Played { seat, refused });
                }
                Ok(Event::Ack(_)) => asked = !asked,
                Ok(other) => anyhow::bail!("{other:?}"),
                Err(refusal) => {
                    ensure!(refusal.code == "UNAVAILABLE", "{refusal:?}");
                    refused = true;
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.context("no next game")?
}

async fn next_start(client: &mut Client, before: &str) -> Result<Table> {
    let started = client.event_where(|event| match event {
        Event::OnGameStart(start) => start.table.filter(|table| {
            table.series.as_ref().is_some_and(|series| series.games.iter().any(|game| game.game_id == before))
        }),
        _ => None,
    });
    started.await.context("the next game is told to nobody")
}

async fn one_next_game(urls: &[String; 2], couple: &mut Couple, round: usize, played: &Played) -> Result<()> {
    let next = couple.id().to_owned();
    for (seat, url) in urls.iter().enumerate() {
        let guest = &couple.guests[seat];
        let mut http = Http::connect(url).await?;
        let mine: Value = http.get_as(&guest.token, "/v1/me/tables").await?.json()?;
        let tables = mine["tables"].as_array().with_context(|| format!("tables: {mine}"))?;
        ensure!(tables.len() == round + 1, "{} games after {round} rematches", tables.len());
        let playing: Vec<&Value> = tables.iter().filter(|table| table["phase"] == "playing").collect();
        ensure!(playing.len() == 1 && playing[0]["gameId"] == next.as_str(), "{playing:?}");
        let games = playing[0]["series"]["games"].as_array().context("games")?;
        ensure!(games.len() == round, "a series of {}", games.len());
        let (_, welcome) = Client::enter(url, guest, Wire::Json).await?;
        ensure!(
            welcome.tables.iter().any(|table| table.game_id == next),
            "not in the welcome of seat {seat}"
        );
        if seat != played.seat {
            couple.started(seat, &next).await.with_context(|| format!("seat {seat} is not told of it"))?;
        }
        couple.clients[seat].done(ask::ping()).await?;
        let heard = couple.clients[seat].take_unread();
        let count = |is: fn(&Event) -> bool| heard.iter().filter(|event| is(event)).count();
        let starts = count(|event| matches!(event, Event::OnGameStart(_)));
        ensure!(starts <= usize::from(seat == played.seat && played.refused), "seat {seat}: {heard:?}");
        ensure!(count(|event| matches!(event, Event::OnRematchEnded(_))) == 0, "seat {seat}: {heard:?}");
        ensure!(count(|event| matches!(event, Event::OnRematchRequest(_))) <= seat, "seat {seat}: {heard:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_killed_when_a_request_is_kept() -> Result<()> {
    killed_at("rematch", "rematch.written=kill@1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_killed_when_all_agree() -> Result<()> {
    killed_at("rematch", "rematch.written=kill@2").await
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_killed_when_the_next_game_is_there() -> Result<()> {
    killed_at("rematch", "rematch.started=kill@1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_matchmaking_killed_when_the_next_game_is_written() -> Result<()> {
    killed_at("matchmaking", "matchmaking.written=kill@3").await
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_an_engine_killed_when_the_next_game_is_opened() -> Result<()> {
    killed_at("engine", "engine.opened=kill@3").await
}

/// Here both engines get to it: the other one tells the end in place of the first.
#[tokio::test(flavor = "multi_thread")]
async fn r1_an_engine_killed_before_it_tells_the_end() -> Result<()> {
    killed_at("engine", "engine.ended=kill@1").await
}
