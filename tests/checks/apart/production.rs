//! Two of each role over PostgreSQL and Redis, as in production.

use super::Pair;
use super::stops::{restart, verify};
use crate::finished::Finished;
use anyhow::{Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Games that are played at once.
const GAMES: u64 = 8;

/// Two of each role on servers of their own, which end with the test.
fn two_of_each(redis: &Redis, heads_interval: Duration) -> Result<Roles> {
    let database_url = Postgres::shared().database();
    for time in ["first", "second"] {
        let migrated = program::run(&["migrate", "--database-url", &database_url])?;
        let said = String::from_utf8_lossy(&migrated.stderr);
        ensure!(migrated.status.success(), "the {time} migration failed: {said}");
    }
    Roles::start(&Plan {
        engines: 2,
        matchmakings: 2,
        gateways: 2,
        heads_interval,
        database_url: Some(database_url),
        redis_url: Some(redis.url()),
    })
}

#[tokio::test]
async fn o2_games_over_postgresql_and_redis_across_two_of_each_role() -> Result<()> {
    let redis = Redis::start();
    // The bus alone tells of moves.
    let roles = two_of_each(&redis, Duration::from_hours(1))?;
    futures::future::try_join_all((0..GAMES).map(|number| whole_game(&roles, number))).await?;
    Ok(())
}

#[tokio::test]
async fn g7_a_rolling_restart_of_engines_and_matchmakings_fails_no_move() -> Result<()> {
    let redis = Redis::start();
    let mut roles = two_of_each(&redis, Duration::from_secs(2))?;
    let restarts_over = AtomicBool::new(false);
    let back = (std::mem::take(&mut roles.engines), std::mem::take(&mut roles.matchmakings));
    let restarting = async {
        let (engines, matchmakings) = back;
        let mut running = Vec::new();
        for server in engines.into_iter().chain(matchmakings) {
            running.push(restart(server).await?);
        }
        restarts_over.store(true, Ordering::Relaxed);
        anyhow::Ok(running)
    };
    // A refusal of anything, a guest, a seat or a move, ends the test.
    let playing = futures::future::try_join_all((0..GAMES).map(async |number| {
        let mut played = 0;
        while !restarts_over.load(Ordering::Relaxed) || played == 0 {
            whole_game(&roles, number).await?;
            played += 1;
        }
        anyhow::Ok(played)
    }));
    tokio::try_join!(restarting, playing)?;
    Ok(())
}

#[tokio::test]
async fn g7_an_engine_is_killed_and_the_other_one_ends_every_game() -> Result<()> {
    let redis = Redis::start();
    let mut roles = two_of_each(&redis, Duration::from_secs(2))?;
    let mut engine = roles.engines.remove(0);
    let mut pairs = Vec::new();
    for _ in 0..GAMES {
        let mut pair = Pair::seat(&roles).await?;
        pair.play_some().await?;
        pairs.push(pair);
    }
    let killing = tokio::task::spawn_blocking(move || engine.kill());
    let games = pairs.iter_mut().map(|pair| play_both(&mut pair.players, &mut pair.clients));
    futures::future::try_join_all(games).await?;
    killing.await??;
    for pair in &pairs {
        verify(&roles, &pair.players).await?;
    }
    Ok(())
}

async fn whole_game(roles: &Roles, number: u64) -> Result<()> {
    let (mut ada, _) = Client::guest(roles.gateways[0].url(), "Ada", Wire::Json).await?;
    let (mut blaise, _) = Client::guest(roles.gateways[1].url(), "Blaise", Wire::Binary).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, number + 1).await?;
    play_both(&mut players, &mut [ada, blaise]).await?;
    let mut http = Http::connect(roles.gateways[1].url()).await?;
    let finished = Finished::download(&mut http, players[0].id(), &players[0].table.commitment).await?;
    ensure!(finished.view == players[0].view && finished.view == players[1].view, "two boards");
    Ok(())
}
