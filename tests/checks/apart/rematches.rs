//! Rematches across processes: two of each role, two gateways, PostgreSQL and Redis.

use super::system::{System, until};
use crate::at_once::at_once;
use crate::rematch::couple::{Couple, start_of};
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::Table;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};

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
    let mut system = System::start_offering(nothing)?;
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
    let mut system = System::start_offering(nothing)?;
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
    let mut system = System::start_offering(nothing)?;
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
