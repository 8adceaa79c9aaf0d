//! Rematches across processes: two of each role, two gateways, PostgreSQL and Redis; and what is left of one
//! when a process is killed at any step of it.

#[cfg(debug_assertions)]
use super::system::FAULTS;
use super::system::{System, until};
use crate::at_once::at_once;
use crate::rematch::couple::{Couple, start_of};
use anyhow::{Context, Result, ensure};
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

    // Both at the same instant, on two gateways and two rematches.
    for _ in 0..20 {
        let mut couple = played(&system).await?;
        let id = couple.id().to_owned();
        let [one, other] = &mut couple.clients;
        let answers = at_once((one, ask::rematch(&id)), (other, ask::rematch(&id))).await?;
        let started: Vec<String> = answers
            .iter()
            .filter_map(|answer| match answer {
                Ok(Event::OnGameStart(start)) => start.table.as_ref().map(|table| table.game_id.clone()),
                _ => None,
            })
            .collect();
        let next = started.first().with_context(|| format!("{answers:?}"))?;
        ensure!(started.iter().all(|id| id == next), "{started:?}");
        for (seat, answer) in answers.iter().enumerate() {
            if !matches!(answer, Ok(Event::OnGameStart(_))) {
                couple.started(seat, next).await?;
            }
        }
    }
    system.all_run()
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
#[cfg(debug_assertions)]
async fn killed_at(role: &'static str, fault: &'static str) -> Result<()> {
    let mut system = System::start_offering(2, |of, _| (of == role).then_some(fault)).await?;
    let mut couple = played(&system).await?;
    let mut deaths = 0;
    for round in 1..=6 {
        deaths += play_on(&mut system, &mut couple).await?;
        one_next_game(&system, &mut couple, round).await?;
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

/// Asks and accepts until the next game has started, whoever dies meanwhile; how many did.
#[cfg(debug_assertions)]
async fn play_on(system: &mut System, couple: &mut Couple) -> Result<u32> {
    const TRIES_MAX: usize = 60;
    let id = couple.id().to_owned();
    let (mut deaths, mut asked) = (0, false);
    for _ in 0..TRIES_MAX {
        deaths += revive_the_dead(system)?;
        let seat = usize::from(asked);
        match couple.clients[seat].call(ask::rematch(&id)).await? {
            Ok(Event::OnGameStart(start)) => {
                couple.table = start.table.context("a start without a table")?;
                return Ok(deaths + revive_the_dead(system)?);
            }
            // Too late for the answer: it has started, and the news of that are on their way.
            Ok(Event::OnRematchEnded(ended)) => {
                ensure!(ended.reason == "closed", "{ended:?}");
                couple.table = next_start(&mut couple.clients[seat], &id).await?;
                return Ok(deaths + revive_the_dead(system)?);
            }
            Ok(Event::Ack(_)) => asked = !asked,
            Ok(other) => anyhow::bail!("{other:?}"),
            Err(refusal) => ensure!(refusal.code == "UNAVAILABLE", "{refusal:?}"),
        }
    }
    anyhow::bail!("no end of it after {deaths} deaths")
}

#[cfg(debug_assertions)]
async fn next_start(client: &mut Client, before: &str) -> Result<astragal_proto::gateway::v1::Table> {
    let started = client.event_where(|event| match event {
        Event::OnGameStart(start) => start.table.filter(|table| {
            table.series.as_ref().is_some_and(|series| series.games.iter().any(|game| game.game_id == before))
        }),
        _ => None,
    });
    started.await
}

#[cfg(debug_assertions)]
async fn one_next_game(system: &System, couple: &mut Couple, round: usize) -> Result<()> {
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
        let told = couple.clients[seat].take_unread();
        let starts = told.iter().filter(|event| {
            matches!(event, Event::OnGameStart(start) if start.table.as_ref().is_some_and(|table| table.game_id == next))
        });
        ensure!(starts.count() <= 1, "seat {seat} was told twice");
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
