//! Two of each role over PostgreSQL and Redis, as in production.

use crate::finished::Finished;
use anyhow::{Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use std::time::Duration;

/// Games that are played at once.
const GAMES: u64 = 8;

#[tokio::test]
async fn o2_games_over_postgresql_and_redis_across_two_of_each_role() -> Result<()> {
    let redis = Redis::start();
    let database_url = Postgres::shared().database();
    for time in ["first", "second"] {
        let migrated = program::run(&["migrate", "--database-url", &database_url])?;
        let said = String::from_utf8_lossy(&migrated.stderr);
        ensure!(migrated.status.success(), "the {time} migration failed: {said}");
    }
    let roles = Roles::start(&Plan {
        engines: 2,
        matchmakings: 2,
        gateways: 2,
        // The bus alone tells of moves.
        heads_interval: Duration::from_secs(3_600),
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
