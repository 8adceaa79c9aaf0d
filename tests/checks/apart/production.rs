//! Two of each role over PostgreSQL and Redis, as in production, when all goes well and when a new version is rolled out.

use super::crowd::Crowd;
use super::system::{self, System, migrate};
use crate::finished::Finished;
use anyhow::{Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::tally::Tally;
use std::time::Duration;

/// Games that are played at once without heads.
const GAMES: u64 = 8;
/// Tables that are open at once.
const TABLES: usize = 200;
/// Pairs that play through a rolling restart.
const PAIRS: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o1_o2_l7_two_hundred_tables_at_once_play_to_verified_ends() -> Result<()> {
    let mut system = System::start().await?;
    let mut crowd = Crowd::gather(&system.roles, TABLES).await?;
    let games = crowd.end().await?;
    ensure!(games == TABLES, "{games} games");
    ensure!(crowd.max(Tally::sends_max) == 1, "a move had to be sent again, and nothing was wrong");
    ensure!(crowd.sum(Tally::refusals) == 0, "something was refused");
    system.all_run()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g7_a_rolling_restart_of_every_process_fails_no_move() -> Result<()> {
    let mut system = System::start().await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    crowd.go_on(4).await?;
    for process in system.roles.processes() {
        system::restart(process)?;
        crowd.go_on(2).await?;
    }
    crowd.end().await?;
    system.all_run()?;
    let sends = crowd.max(Tally::sends_max);
    ensure!(sends <= 2, "a move was sent {sends} times");
    // All of them were at the gateway that stopped last, unless they came from the first one just then.
    let drainings = crowd.sum(Tally::drainings) as usize;
    ensure!(drainings >= 2 * PAIRS, "{drainings} people were told that their gateway stops");
    Ok(())
}

#[tokio::test]
async fn o2_games_over_postgresql_and_redis_across_two_of_each_role() -> Result<()> {
    let (redis, database_url) = (Redis::start(), Postgres::shared().database());
    migrate(&database_url)?;
    let roles = Roles::start(&Plan {
        engines: 2,
        matchmakings: 2,
        rematches: 0,
        gateways: 2,
        // The bus alone tells of moves.
        heads_interval: Duration::from_hours(1),
        database_url: Some(database_url),
        redis_url: Some(redis.url()),
    })?;
    futures::future::try_join_all((0..GAMES).map(|number| whole_game(&roles, number))).await?;
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
