//! The certificate of a game that was really played: had after the end, true by both checkers.

use super::second_checker;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_rules::certificate::Certificate;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::server::Server;
use astragal_tests::{ask, program};
use serde_json::Value;

/// A game between two guests, one of whose moves was taken back; its id.
pub(super) async fn played(server: &Server) -> Result<(Http, String)> {
    let mut clients = people::two(server.url(), Wire::Json).await?;
    let [ada, blaise] = &mut clients;
    let mut players = KalahPlayer::pair(ada, blaise, 8).await?;
    take_back(&mut players, &mut clients).await?;
    play_both(&mut players, &mut clients).await?;
    let id = players[0].id().to_owned();
    Ok((Http::connect(server.url()).await?, id))
}

/// Whoever is to move does so, and takes it back.
async fn take_back(players: &mut [KalahPlayer; 2], clients: &mut [Client; 2]) -> Result<()> {
    let mover = usize::from(!players[0].is_to_move());
    let revision = players[mover].make_move(&mut clients[mover]).await?;
    clients[mover].done(ask::undo(players[mover].id(), revision)).await?;
    for (player, client) in players.iter_mut().zip(clients) {
        while player.revision < revision + 1 {
            player.wait(client).await?;
        }
    }
    Ok(())
}

/// P5, D13: nothing before the end; after it one file that both checkers believe.
#[tokio::test]
async fn p5_d13_a_played_game_is_certified() -> Result<()> {
    let server = Server::start()?;
    let mut clients = people::two(server.url(), Wire::Json).await?;
    let [ada, blaise] = &mut clients;
    let mut players = KalahPlayer::pair(ada, blaise, 8).await?;
    let mut http = Http::connect(server.url()).await?;
    for file in ["certificate", "timeline", "log", "looks"] {
        let early = http.get(&format!("/v1/tables/{}/{file}", players[0].id())).await?;
        ensure!(early.status == 409 && early.code()? == "GAME_IN_PROGRESS", "{file}: {}", early.text());
    }
    take_back(&mut players, &mut clients).await?;
    play_both(&mut players, &mut clients).await?;
    let answer = http.get(&format!("/v1/tables/{}/certificate", players[0].id())).await?;
    ensure!(answer.status.is_success(), "{}", answer.text());
    let text = answer.text();
    let certificate = Certificate::from_json(&text)?;
    certificate.check(&Registry::new().with(Kalah))?;
    ensure!(certificate.commitment.to_string() == players[0].table.commitment);
    ensure!(certificate.draw.is_some(), "the game was drawn for");
    ensure!(text.matches(r#""kind":"undo""#).count() == 1, "a move was taken back");
    for guest in ["Ada", "Blaise"] {
        ensure!(!text.contains(guest), "a name is in the file");
    }

    let file = server.scratch().join("certificate.json");
    std::fs::write(&file, &text)?;
    let path = file.to_str().context("an odd path")?;
    let said = program::run(&["verify", path, "--commitment", &players[0].table.commitment])?;
    let summary = String::from_utf8_lossy(&said.stdout);
    ensure!(said.status.success() && summary.contains("drawn again"), "{said:?}");
    let python = second_checker::check(std::slice::from_ref(&file))?;
    ensure!(python.status.success(), "{python:?}");

    let mut lie: Value = serde_json::from_str(&text)?;
    lie["outcome"]["scores"][0] = Value::from(40);
    std::fs::write(&file, lie.to_string())?;
    let said = program::run(&["verify", path])?;
    ensure!(said.status.code() == Some(1) && String::from_utf8_lossy(&said.stderr).contains("chain"));
    Ok(())
}

/// P5: a game that nobody has opened, and one that was given up before a move.
#[tokio::test]
async fn p5_unknown_and_aborted_games() -> Result<()> {
    let server = Server::start()?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let player = KalahPlayer::against_robot(&mut ada, 1, 3).await?;
    let mut http = Http::connect(server.url()).await?;
    for id in ["0193e6a0-0000-7000-8000-000000000000", "nonsense"] {
        for file in ["certificate", "timeline", "looks"] {
            let answer = http.get(&format!("/v1/tables/{id}/{file}")).await?;
            ensure!(answer.status.is_client_error(), "{id} {file}: {}", answer.text());
        }
    }
    ada.done(ask::resign(player.id())).await?;
    let answer = http.get(&format!("/v1/tables/{}/certificate", player.id())).await?;
    let certificate = Certificate::from_json(&answer.text())?;
    certificate.check(&Registry::new().with(Kalah))?;
    ensure!(certificate.outcome.reason.as_str() == "resigned");
    Ok(())
}
