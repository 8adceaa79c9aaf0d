//! The certificate of a game that was really played: had after the end, true by both checkers.

use super::second_checker;
use crate::people;
use crate::rematch::couple::Couple;
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

/// P5, R3, R5: a rematch has no draw; its certificate says who began by rotation, and which games came before.
#[tokio::test]
async fn p5_r3_r5_a_rematch_is_certified_with_its_series() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::at([server.url(); 2]).await?;
    let mut games = vec![(couple.table.clone(), 0)];
    couple.resign(0).await?;
    for resigns in [1, 0] {
        let next = couple.rematch(1).await?.clone();
        couple.resign(resigns).await?;
        games.push((next, resigns));
    }
    let (mut http, registry) = (Http::connect(server.url()).await?, Registry::new().with(Kalah));
    let mut files = Vec::new();
    for (place, (table, _)) in games.iter().enumerate() {
        let text = http.get(&format!("/v1/tables/{}/certificate", table.game_id)).await?.text();
        let certificate = Certificate::from_json(&text)?;
        certificate.check(&registry)?;
        ensure!(certificate.draw.is_some() == (place == 0), "a rematch is not drawn for: {text}");
        ensure!(certificate.log.log().opening().first_seat.0 == (place % 2) as u8, "the first seat moves on");
        let series = &certificate.series;
        ensure!(series.id.map(|id| id.to_string()) == table.series.as_ref().map(|series| series.id.clone()));
        ensure!(series.games.len() == place + 1, "{:?}", series.games);
        for (game, (earlier, resigned)) in series.games.iter().zip(&games) {
            ensure!(game.table.to_string() == earlier.game_id && game.reason == "resigned", "{game:?}");
            ensure!(u32::from(game.first_seat.0) == earlier.first_seat, "{game:?}");
            ensure!(game.winner.map(|seat| usize::from(seat.0)) == Some(1 - resigned), "{game:?}");
        }
        let file = server.scratch().join(format!("{place}.json"));
        std::fs::write(&file, &text)?;
        files.push(file);
        // Who says of a rematch that somebody else began has to say of its series the same, and of its log.
        let mut lie: Value = serde_json::from_str(&text)?;
        lie["series"]["games"][place]["firstSeat"] = Value::from(1 - place % 2);
        ensure!(Certificate::from_json(&lie.to_string()).is_err(), "the chain does not bind the series");
    }
    let python = second_checker::check(&files)?;
    ensure!(
        python.status.success() && String::from_utf8_lossy(&python.stdout).starts_with("3 hold"),
        "{python:?}"
    );
    Ok(())
}
