//! A finished game of crossword in the notation of other programs.

use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::NewBotGame;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::gcg::Gcg;
use astragal_tests::ask;
use astragal_tests::client::Wire;
use astragal_tests::http::Http;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use serde_json::json;

/// P4: the file is had when the game is over, scores the same by the rules, and names who played; a name can't
/// break out of its line.
#[tokio::test]
async fn p4_a_finished_crossword_game_is_had_as_gcg() -> Result<()> {
    let server = Server::start()?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let wanted = NewBotGame { game: "crossword".into(), level: 1, ..NewBotGame::default() };
    let Event::OnGameStart(start) = ada.done(Operation::NewBotGame(wanted)).await? else { bail!("no start") };
    let mut table = start.table.context("no table")?;
    let mut http = Http::connect(server.url()).await?;
    let address = format!("/v1/tables/{}/gcg", table.game_id);
    let early = http.get(&address).await?;
    ensure!(early.status == 409 && early.code()? == "GAME_IN_PROGRESS", "{}", early.text());
    let seat = table.your_seat.context("no seat")?;
    while table.outcome.is_none() {
        if table.to_move.contains(&seat) {
            ada.done(ask::make_move(&table.game_id, table.revision, &json!({ "pass": true }))).await?;
        }
        match ada.done(ask::watch(&table.game_id, None)).await? {
            Event::Table(newer) => table = newer,
            other => bail!("{other:?}"),
        }
    }
    let answer = http.get(&address).await?;
    ensure!(answer.status.is_success(), "{}", answer.text());
    let gcg = Gcg::read(answer.text().as_bytes())?;
    let scored = gcg.score(Variant::English.edition())?;
    let outcome = table.outcome.context("no end")?;
    ensure!(scored.totals == outcome.scores, "{:?} {:?}", scored.totals, outcome.scores);
    let names: Vec<_> = gcg.players.iter().map(|player| player.name.as_str()).collect();
    let seats: Vec<_> = table.seats.iter().map(|seat| seat.name.as_str()).collect();
    ensure!(names == seats, "{names:?} {seats:?}");
    Ok(())
}

/// P4: other games have no such notation, and a game that never was has none.
#[tokio::test]
async fn p4_no_other_game_has_a_gcg() -> Result<()> {
    let server = Server::start()?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let kalah = KalahPlayer::against_robot(&mut ada, 1, 5).await?;
    ada.done(ask::resign(kalah.id())).await?;
    let mut http = Http::connect(server.url()).await?;
    let refused = http.get(&format!("/v1/tables/{}/gcg", kalah.id())).await?;
    ensure!(refused.code()? == "FAILED_PRECONDITION" && refused.text().contains("log"), "{}", refused.text());
    for id in ["0193e6a0-0000-7000-8000-000000000000", "nonsense"] {
        let answer = http.get(&format!("/v1/tables/{id}/gcg")).await?;
        ensure!(answer.status.is_client_error(), "{id}: {}", answer.text());
    }
    Ok(())
}
