//! A role is asked to stop in the middle of a game, and started again: what was acknowledged stands,
//! and the game goes on to its end.

use super::{Pair, embedded};
use crate::finished::Finished;
use anyhow::{Result, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::roles::Roles;
use astragal_tests::server::Server;
use std::time::Duration;
use tokio::time::Instant;

/// The promise is ten seconds; the machine may be busy.
const STOP_MAX: Duration = Duration::from_secs(30);

/// Stops a role in good order and starts it again on its port, while others go on.
async fn restart(mut server: Server) -> Result<Server> {
    tokio::task::spawn_blocking(move || {
        let begin = Instant::now();
        let status = server.terminate()?;
        ensure!(status.code() == Some(0), "{status:?}: {}", String::from_utf8_lossy(&server.said()?));
        ensure!(begin.elapsed() < STOP_MAX, "the stop took {:?}", begin.elapsed());
        server.start_again_there()?;
        Ok(server)
    })
    .await?
}

async fn play_to_a_verified_end(roles: &Roles, pair: &mut Pair) -> Result<()> {
    play_both(&mut pair.players, &mut pair.clients).await?;
    verify(roles, &pair.players).await
}

/// Whether the log of a game replays to what both players saw.
async fn verify(roles: &Roles, players: &[KalahPlayer; 2]) -> Result<()> {
    let mut http = Http::connect(roles.gateways[0].url()).await?;
    let finished = Finished::download(&mut http, players[0].id(), &players[0].table.commitment).await?;
    ensure!(finished.view == players[0].view && finished.view == players[1].view, "two boards");
    Ok(())
}

#[tokio::test]
async fn g7_the_only_engine_stops_in_the_middle_of_a_game() -> Result<()> {
    let mut roles = Roles::start(&embedded(1, 2))?;
    let mut pair = Pair::seat(&roles).await?;
    pair.play_some().await?;
    let engine = roles.engines.remove(0);
    // No move fails meanwhile: those that find no engine wait for it.
    let (engine, _) = tokio::try_join!(restart(engine), play_both(&mut pair.players, &mut pair.clients))?;
    roles.engines.push(engine);
    verify(&roles, &pair.players).await
}

#[tokio::test]
async fn g7_one_engine_of_two_stops_and_the_other_goes_on() -> Result<()> {
    let mut roles = Roles::start(&embedded(2, 2))?;
    let mut pairs = Vec::new();
    for _ in 0..4 {
        pairs.push(Pair::seat(&roles).await?);
        if let Some(pair) = pairs.last_mut() {
            pair.play_some().await?;
        }
    }
    let mut engine = roles.engines.remove(0);
    let stopping = tokio::task::spawn_blocking(move || engine.terminate());
    let games = pairs.iter_mut().map(|pair| play_both(&mut pair.players, &mut pair.clients));
    futures::future::try_join_all(games).await?;
    ensure!(stopping.await??.code() == Some(0), "the engine did not stop in good order");
    for pair in &pairs {
        verify(&roles, &pair.players).await?;
    }
    Ok(())
}

#[tokio::test]
async fn g7_matchmaking_stops_and_games_do_not_notice() -> Result<()> {
    let mut roles = Roles::start(&embedded(1, 2))?;
    let mut pair = Pair::seat(&roles).await?;
    pair.play_some().await?;
    ensure!(roles.matchmakings[0].terminate()?.code() == Some(0), "matchmaking did not stop in good order");
    play_both(&mut pair.players, &mut pair.clients).await?;
    roles.matchmakings[0].start_again_there()?;
    verify(&roles, &pair.players).await?;
    let mut next = Pair::seat(&roles).await?;
    play_to_a_verified_end(&roles, &mut next).await
}

#[tokio::test]
async fn g7_a_gateway_stops_and_its_player_goes_to_another_one() -> Result<()> {
    let mut roles = Roles::start(&embedded(1, 2))?;
    let mut pair = Pair::seat(&roles).await?;
    pair.play_some().await?;
    let leaving = roles.gateways.remove(1);
    let restarting = tokio::spawn(restart(leaving));
    let draining = |event| matches!(event, Event::Draining(_)).then_some(());
    pair.clients[1].event_where(draining).await?;
    let (mut moved, welcome) = Client::enter(roles.gateways[0].url(), &pair.guests[1], Wire::Json).await?;
    let id = pair.players[1].id().to_owned();
    ensure!(welcome.tables.iter().any(|table| table.game_id == id), "the welcome lacks the game");
    let returned = KalahPlayer::returned(&mut moved, &id, 11).await?;
    ensure!(returned.revision >= pair.players[1].told, "an acknowledged move is gone");
    std::mem::replace(&mut pair.clients[1], moved).close().await?;
    pair.players[1] = returned;
    play_to_a_verified_end(&roles, &mut pair).await?;
    roles.gateways.push(restarting.await??);
    let mut next = Pair::seat(&roles).await?;
    play_to_a_verified_end(&roles, &mut next).await
}
