//! Rematches across processes: two of each role, two gateways, PostgreSQL and Redis; and what is left of one
//! when a process is killed at any step of it.

#[cfg(debug_assertions)]
use super::system::FAULTS;
use super::system::{System, until};
use crate::at_once::at_once;
use crate::rematch::couple::{Couple, start_of};
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::Table;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use serde_json::Value;
#[cfg(debug_assertions)]
use std::os::unix::process::ExitStatusExt;

fn nothing(_: &str, _: usize) -> Option<&'static str> {
    None
}

fn urls(system: &System) -> [String; 2] {
    [0, 1].map(|gateway| system.roles.gateways[gateway].url().to_owned())
}

async fn played(system: &System) -> Result<Couple> {
    let urls = urls(system);
    Couple::played([&urls[0], &urls[1]]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn r1_r2_r5_a_rematch_across_two_of_each_role() -> Result<()> {
    let mut system = System::start_offering(2, nothing).await?;
    let mut couple = played(&system).await?;
    let first = couple.table.clone();
    let second = couple.rematch(0).await?.clone();
    ensure!(second.first_seat == 1 - first.first_seat, "{second:?}");
    couple.resign(1).await?;
    let third = couple.rematch(1).await?.clone();
    let series = third.series.clone().context("a series")?;
    ensure!(third.first_seat == first.first_seat && series.games.len() == 2, "{third:?}");
    couple.resign(0).await?;
    couple.ask(0).await?;
    let id = couple.id().to_owned();
    couple.clients[1].done(ask::decline_rematch(&id)).await?;
    ensure!([couple.refused(0).await?, couple.refused(1).await?] == ["declined"; 2], "declined");

    system.all_run()
}

/// Both ask at the same instant, 500 times, at two gateways and over two of each role. "Both asked at once, two games."
#[tokio::test(flavor = "multi_thread")]
async fn r2_both_ask_at_the_same_instant_at_two_gateways() -> Result<()> {
    const COUPLES: usize = 5;
    const RACES_EACH: usize = 100;
    let mut system = System::start_offering(2, nothing).await?;
    let urls = urls(&system);
    let races = (0..COUPLES).map(async |_| {
        let mut couple = Couple::played([&urls[0], &urls[1]]).await?;
        for race in 1..=RACES_EACH {
            race_on(&mut couple, race).await?;
        }
        anyhow::Ok(())
    });
    futures::future::try_join_all(races).await?;
    system.all_run()
}

/// Both ask at once: each is told once of one next game and of nothing else, which they end.
async fn race_on(couple: &mut Couple, race: usize) -> Result<()> {
    let id = couple.id().to_owned();
    let [one, other] = &mut couple.clients;
    let answers = at_once((one, ask::rematch(&id)), (other, ask::rematch(&id))).await?;
    let started: Vec<Option<Table>> = answers
        .iter()
        .map(|answer| match answer {
            Ok(Event::OnGameStart(start)) => start.table.clone(),
            _ => None,
        })
        .collect();
    let next = started.iter().flatten().next().with_context(|| format!("{answers:?}"))?.clone();
    for (seat, start) in started.iter().enumerate() {
        match start {
            Some(table) => ensure!(table.game_id == next.game_id, "two games: {started:?}"),
            None => _ = couple.started(seat, &next.game_id).await?,
        }
    }
    ensure!(next.series.as_ref().is_some_and(|series| series.games.len() == race), "{next:?}");
    couple.table = next;
    couple.resign(race % 2).await?;
    for client in &mut couple.clients {
        let told = client.take_unread();
        let again =
            told.iter().any(|event| matches!(event, Event::OnRematchEnded(_) | Event::OnGameStart(_)));
        ensure!(!again, "{told:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn r8_a_request_survives_a_restart_and_is_asked_again_when_redis_is_emptied() -> Result<()> {
    let mut system = System::start_offering(2, nothing).await?;
    let mut couple = played(&system).await?;
    let id = couple.id().to_owned();
    couple.ask(0).await?;
    for rematch in &mut system.roles.rematches {
        super::system::kill(rematch)?;
    }
    let urls = urls(&system);
    let until_offered = async |count: usize| {
        until("the offers", async || {
            let (_, welcome) = Client::enter(&urls[1], &couple.guests[1], Wire::Json).await?;
            Ok(welcome.offers.len() == count)
        })
        .await
    };
    until_offered(1).await?;
    system.redis.crash();
    system.redis.resume();
    until_offered(0).await?;
    let next = loop {
        // It may take a moment until everyone has found Redis again.
        match couple.clients[1].call(ask::rematch(&id)).await? {
            Ok(Event::Ack(_)) => break start_of(couple.clients[0].done(ask::rematch(&id)).await?)?,
            Ok(other) => anyhow::bail!("{other:?}"),
            Err(refusal) => ensure!(refusal.code == "UNAVAILABLE", "{refusal:?}"),
        }
    };
    ensure!(next.series.is_some_and(|series| series.games.len() == 1), "a series");
    system.all_run()
}

/// Processes of a role kill themselves at a step of the start: one game comes of it, in which both are, and of which
/// each is told once. Which of the two gets there is up to chance, so a few rematches are played.
/// "Sent" hung for ever.
#[cfg(debug_assertions)]
async fn killed_at(role: &'static str, fault: &'static str) -> Result<()> {
    let mut system = System::start_offering(2, |of, _| (of == role).then_some(fault)).await?;
    let mut couple = played(&system).await?;
    let mut deaths = 0;
    for round in 1..=6 {
        let played = play_on(&mut system, &mut couple).await?;
        deaths += played.deaths;
        all_is_told(&system).await?;
        one_next_game(&system, &mut couple, round, &played).await?;
        if deaths > 0 {
            return Ok(());
        }
        couple.resign(0).await?;
    }
    anyhow::bail!("nobody reached {fault}")
}

/// Starts again whoever has killed themselves; how many they were.
#[cfg(debug_assertions)]
fn revive_the_dead(system: &mut System) -> Result<u32> {
    let mut dead = 0;
    for process in system.processes() {
        if let Some(status) = process.ended()? {
            ensure!(status.signal() == Some(9), "{status:?}");
            process.forget(FAULTS);
            tokio::task::block_in_place(|| process.start_again_there())?;
            dead += 1;
        }
    }
    Ok(dead)
}

/// Waits until nothing is left to be told: every letter is out of the outbox, and every game is settled.
#[cfg(debug_assertions)]
async fn all_is_told(system: &System) -> Result<()> {
    let client = redis::Client::open(system.redis.url())?;
    let redis = client.get_multiplexed_async_connection().await?;
    let name = system.database_url.split('?').next().and_then(|place| place.rsplit('/').next());
    let name = name.context("a database without a name")?.to_owned();
    let is_told = async || {
        let left =
            redis::cmd("XLEN").arg("{astragal:r}outbox").query_async::<u64>(&mut redis.clone()).await?;
        let unsettled = "SELECT count(*) FROM matchmaking.games WHERE settled < change";
        Ok(left == 0 && system.postgres.run_sql(&name, unsettled) == "0")
    };
    until("everything is told", is_told).await
}

/// How a next game came to be.
#[cfg(debug_assertions)]
struct Played {
    /// How many processes died meanwhile.
    deaths: u32,
    /// Who was the last to ask, and so knows of it.
    seat: usize,
    /// An answer was lost, so that one was told of it before they asked again.
    refused: bool,
}

/// Asks and accepts until the next game has started, whoever dies meanwhile.
#[cfg(debug_assertions)]
async fn play_on(system: &mut System, couple: &mut Couple) -> Result<Played> {
    const TRIES_MAX: usize = 60;
    let id = couple.id().to_owned();
    let (mut deaths, mut asked, mut refused) = (0, false, false);
    for _ in 0..TRIES_MAX {
        deaths += revive_the_dead(system)?;
        let seat = usize::from(asked);
        match couple.clients[seat].call(ask::rematch(&id)).await? {
            Ok(Event::OnGameStart(start)) => {
                couple.table = start.table.context("a start without a table")?;
                return Ok(Played { deaths: deaths + revive_the_dead(system)?, seat, refused });
            }
            // Too late for the answer: it has started, and the news of that are on their way.
            Ok(Event::OnRematchEnded(ended)) => {
                ensure!(ended.reason == "closed", "{ended:?}");
                couple.table = next_start(&mut couple.clients[seat], &id).await?;
                return Ok(Played { deaths: deaths + revive_the_dead(system)?, seat, refused });
            }
            Ok(Event::Ack(_)) => asked = !asked,
            Ok(other) => anyhow::bail!("{other:?}"),
            Err(refusal) => {
                ensure!(refusal.code == "UNAVAILABLE", "{refusal:?}");
                refused = true;
            }
        }
    }
    anyhow::bail!("no end of it after {deaths} deaths")
}

#[cfg(debug_assertions)]
async fn next_start(client: &mut Client, before: &str) -> Result<Table> {
    let started = client.event_where(|event| match event {
        Event::OnGameStart(start) => start.table.filter(|table| {
            table.series.as_ref().is_some_and(|series| series.games.iter().any(|game| game.game_id == before))
        }),
        _ => None,
    });
    started.await
}

#[cfg(debug_assertions)]
async fn one_next_game(system: &System, couple: &mut Couple, round: usize, played: &Played) -> Result<()> {
    let (urls, next) = (urls(system), couple.id().to_owned());
    for (seat, url) in urls.iter().enumerate() {
        let guest = &couple.guests[seat];
        let mut http = Http::connect(url).await?;
        let mine: Value = http.get_as(&guest.token, "/v1/me/tables").await?.json()?;
        let tables = mine["tables"].as_array().context("tables")?;
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
            couple.started(seat, &next).await?;
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

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread")]
async fn r2_killed_when_a_request_is_kept() -> Result<()> {
    killed_at("rematch", "rematch.written=kill@1").await
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread")]
async fn r2_killed_when_all_agree() -> Result<()> {
    killed_at("rematch", "rematch.written=kill@2").await
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread")]
async fn r2_killed_when_the_next_game_is_there() -> Result<()> {
    killed_at("rematch", "rematch.started=kill@1").await
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread")]
async fn r2_matchmaking_killed_when_the_next_game_is_written() -> Result<()> {
    killed_at("matchmaking", "matchmaking.written=kill@3").await
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread")]
async fn r2_an_engine_killed_when_the_next_game_is_opened() -> Result<()> {
    killed_at("engine", "engine.opened=kill@3").await
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread")]
async fn r1_an_engine_killed_before_it_tells_the_end() -> Result<()> {
    killed_at("engine", "engine.ended=kill@1").await
}
