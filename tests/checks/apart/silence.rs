//! Processes that are there and say nothing: a gateway that hangs, an engine that does, and one whose machine was cut
//! off. Nobody closes a connection, so everybody has to find out for themselves.

use super::crowd::Crowd;
use super::system::System;
use anyhow::{Result, ensure};
use astragal_support::ports::free_address;
use astragal_support::proxy::Proxy;
use astragal_tests::client::{Client, Wire};
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::tally::Tally;

/// Pairs that play.
const PAIRS: usize = 40;

/// G4, G7: whoever is at a gateway that hangs comes back at another one; who is elsewhere doesn't notice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g4_g7_people_leave_a_gateway_that_hangs_and_games_elsewhere_go_on() -> Result<()> {
    let mut system = System::start().await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    let url = system.roles.gateways[0].url();
    let (mut ada, _) = Client::guest(url, "Ada", Wire::Json).await?;
    let (mut blaise, _) = Client::guest(url, "Blaise", Wire::Binary).await?;
    let mut elsewhere = KalahPlayer::pair(&mut ada, &mut blaise, 3).await?;
    crowd.go_on(4).await?;
    let resumptions = crowd.sum(Tally::resumptions);

    let gateway = &system.roles.gateways[1];
    gateway.stand_still()?;
    play_both(&mut elsewhere, &mut [ada, blaise]).await?;
    crowd.go_on(4).await?;
    ensure!(gateway.is_stopped()?, "the gateway went on");
    let resumed = crowd.sum(Tally::resumptions) - resumptions;
    ensure!(resumed as usize >= PAIRS, "only {resumed} came back");

    // It still believes that all of them are there.
    gateway.go_on()?;
    crowd.go_on(4).await?;
    crowd.end().await?;
    system.all_run()
}

/// O1, L14: an engine that hangs in the middle of everything, not at a step of its own choosing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o1_l14_games_go_on_beside_an_engine_that_stands_still() -> Result<()> {
    let mut system = System::start().await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    crowd.go_on(4).await?;
    let engine = &system.roles.engines[0];
    for _ in 0..2 {
        engine.stand_still()?;
        crowd.go_on(4).await?;
        ensure!(engine.is_stopped()?, "the engine went on");
        engine.go_on()?;
        crowd.go_on(4).await?;
    }
    crowd.end().await?;
    system.all_run()
}

/// O1, L14: an engine behind a way on which everything gets lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o1_l14_an_engine_that_vanished_is_noticed_and_games_go_on() -> Result<()> {
    let (vanishing, other) = (free_address(), free_address());
    let proxy = Proxy::to(vanishing);
    let urls = format!("http://{},http://{other}", proxy.address());
    let mut system = System::start_adding(0, None, |role, number, launch| {
        Ok(match (role, number) {
            ("engine", 0) => launch.listen(&vanishing.to_string()),
            ("engine", _) => launch.listen(&other.to_string()),
            _ => launch.flag("--engine-url", &urls),
        })
    })
    .await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    crowd.go_on(4).await?;
    proxy.swallow();
    crowd.go_on(4).await?;
    proxy.pass();
    crowd.go_on(4).await?;
    crowd.end().await?;
    system.all_run()
}
