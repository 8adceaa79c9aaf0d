//! Clocks that run, from outside: blitz games with random moves over two engines, and engines that are
//! all killed in the middle of games. What the journals say is folded here by hand, and compared with
//! what the sockets were shown.

mod ledger;
mod player;

use self::ledger::{Ledger, journal};
use self::player::Playing;
use super::system::System;
use crate::finished::Finished;
use anyhow::{Context, Result, ensure};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_tests::http::Http;
use astragal_tests::server::Server;
use chrono::TimeDelta;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Blitz games that are played at once.
const GAMES: u64 = 200;
const OPENINGS: usize = 8;
const BLITZ_MS: u64 = 10_000;
/// A flag falls at this time after its deadline and credit.
const FLAG_AFTER_MS: i64 = 50;
const FLAG_AFTER_MS_MAX: i64 = 100;

/// Games that are under way when all engines are killed.
const CUT_GAMES: u64 = 8;
const CUT_MS: u64 = 60_000;
const MOVES_BEFORE: u32 = 6;
const AWAY: Duration = Duration::from_secs(7);
/// What the server says of a moment and what this process says of it may differ so much.
const NEAR_MS: i64 = 250;

/// How long this machine lets a task wait that should run: what the engines can't be blamed for.
async fn stall_max(until: impl Future<Output = ()>) -> Duration {
    const EVERY: Duration = Duration::from_millis(5);
    let mut until = std::pin::pin!(until);
    let mut stall_max = Duration::ZERO;
    loop {
        let begin = Instant::now();
        tokio::select! {
            () = &mut until => return stall_max,
            () = tokio::time::sleep(EVERY) => stall_max = stall_max.max(begin.elapsed().saturating_sub(EVERY)),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g3_two_hundred_blitz_games_on_two_engines_keep_time_to_the_millisecond() -> Result<()> {
    let system = System::start().await?;
    let [first, second] = [0, 1].map(|number| system.roles.gateways[number].url().to_owned());
    let mut playing = JoinSet::new();
    // To open tables is not what is measured here: a few at once, so that no clock waits for them.
    let openings = Arc::new(Semaphore::new(OPENINGS));
    for number in 0..GAMES {
        let (urls, openings) = ([first.clone(), second.clone()], Arc::clone(&openings));
        playing.spawn(async move {
            let opening = openings.acquire().await?;
            let game = Playing::begin(urls, number, BLITZ_MS).await.context("it was not opened")?;
            drop(opening);
            game.end().await
        });
    }
    let mut games = Vec::new();
    let mut broken = None;
    let stall_max = stall_max(async {
        while let Some(game) = playing.join_next().await {
            match game.map_err(anyhow::Error::from).flatten() {
                Ok(game) => games.push(game),
                Err(error) => broken = broken.take().or(Some(error)),
            }
        }
    });
    let stall_max = stall_max.await;
    if let Some(error) = broken {
        return Err(error.context("a game was not played to its end"));
    }
    let (mut flags, mut decided_after_max) = (Vec::new(), TimeDelta::zero());
    let mut http = Http::connect(&first).await?;
    for game in &games {
        let rows = journal(&system.database_url, &game.id).await?;
        let ledger = Ledger::fold(&rows, &game.id, BLITZ_MS)?;
        ledger.check_sums()?;
        ledger.check_shown(&game.shown)?;
        let finished = Finished::download(&mut http, &game.id, &game.commitment).await?;
        ensure!(finished.view == game.view, "{}: the log replays to another board", game.id);
        let last = finished.moves()?.last().context("a log without moves")?.clone();
        ensure!((game.reason == "time") == last["move"]["time"].is_u64(), "{}: {last}", game.id);
        flags.extend(ledger.flag_after());
        decided_after_max = decided_after_max.max(ledger.decided_after_max());
    }
    let ended_by_time = games.iter().filter(|game| game.reason == "time").count();
    ensure!(flags.len() == ended_by_time, "{} flags ended {ended_by_time} games", flags.len());
    // Where the machine is slow, news of moves are late, and more people are out of time than fell asleep.
    ensure!(ended_by_time >= GAMES as usize / 4, "{ended_by_time} flags fell");
    let late_max = flags.iter().max().copied().unwrap_or_default();
    let early_min = flags.iter().min().copied().unwrap_or_default();
    println!(
        "{GAMES} games, {ended_by_time} flags: {} to {} ms after the deadline; the machine stalled for {} ms, and moves \
         were decided within {} ms",
        early_min.num_milliseconds(),
        late_max.num_milliseconds(),
        stall_max.as_millis(),
        decided_after_max.num_milliseconds(),
    );
    ensure!(
        early_min >= TimeDelta::milliseconds(FLAG_AFTER_MS),
        "a flag fell {early_min} after its deadline"
    );
    // The timer, the loop that it wakes, and the task that writes: each may have been stalled as long. And a flag waits
    // for its table like a move, behind all that the machine has to do.
    let allowed =
        TimeDelta::milliseconds(FLAG_AFTER_MS_MAX) + TimeDelta::from_std(3 * stall_max)? + decided_after_max;
    ensure!(late_max <= allowed, "a flag fell {late_max} after its deadline, {allowed} is allowed");
    Ok(())
}

/// Lost with time left as displayed (online-go #687); all rooms died on deploy (colyseus #341).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g3_no_player_loses_the_seven_seconds_in_which_all_engines_were_dead() -> Result<()> {
    let mut system = System::start().await?;
    let urls = [0, 1].map(|number| system.roles.gateways[number].url().to_owned());
    let begin = async |number| -> Result<Playing> {
        let mut game = Playing::begin(urls.clone(), number, CUT_MS).await?.awake();
        game.play(MOVES_BEFORE).await?;
        Ok(game)
    };
    let games = futures::future::try_join_all((0..CUT_GAMES).map(begin)).await?;
    system.roles.engines.iter_mut().try_for_each(Server::kill)?;
    let killed_at = SystemClock.now();
    tokio::time::sleep(AWAY).await;
    tokio::task::block_in_place(|| system.roles.engines.iter_mut().try_for_each(Server::start_again_there))?;
    let before = games.iter().map(Playing::newest).collect::<Result<Vec<_>>>()?;
    let games = futures::future::try_join_all(games.into_iter().map(Playing::end)).await?;
    for (before, after) in before.iter().zip(games) {
        let id = &after.id;
        let rows = journal(&system.database_url, id).await?;
        let ledger = Ledger::fold(&rows, id, CUT_MS)?;
        ledger.check_sums()?;
        ledger.check_shown(&after.shown)?;
        let stop = ledger.stop_at(killed_at).with_context(|| format!("{id}: no clock was stopped"))?;
        ensure!(stop.reason == "outage", "{id}: the journal says {:?}", stop.reason);
        let away = stop.resumed_at - stop.stopped_at;
        ensure!(away >= TimeDelta::from_std(AWAY)?, "{id}: {away} were taken out");
        // Up to the kill the time is the player's, and not a moment more.
        let thought = (killed_at - before.at).max(TimeDelta::zero());
        let seat = before.running.context("no clock ran")? as usize;
        let lost = before.remaining[seat] - stop.remaining;
        ensure!(
            lost <= thought + TimeDelta::milliseconds(NEAR_MS),
            "{id}: lost {lost} of {thought}, {stop:?}"
        );
        ensure!(after.reason == "finished" || after.reason == "time", "{id}: {}", after.reason);
    }
    Ok(())
}
