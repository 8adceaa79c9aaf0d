//! Series: who moves first, what is kept, and where it can be read.

use super::couple::{Couple, start_of};
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::Table;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::{Launch, Server};
use serde_json::Value;

#[tokio::test]
async fn r3_r5_three_games_in_a_row_alternate_and_are_one_series() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::at([server.url(); 2]).await?;
    let mut played: Vec<Table> = Vec::new();
    for game in 0..3_usize {
        played.push(couple.table.clone());
        couple.resign(game % 2).await?;
        if game < 2 {
            couple.rematch(game % 2).await?;
        }
    }
    let firsts: Vec<u32> = played.iter().map(|table| table.first_seat).collect();
    ensure!(firsts == [0, 1, 0], "{firsts:?}");
    let series = played[2].series.clone().context("a series")?;
    let ids: Vec<&str> = series.games.iter().map(|game| &*game.game_id).collect();
    ensure!(ids == [&played[0].game_id, &played[1].game_id], "{ids:?}");

    let mut http = Http::connect(server.url()).await?;
    let read: Value = http.get(&format!("/v1/series/{}", series.id)).await?.json()?;
    let games = read["games"].as_array().context("games")?;
    ensure!(read["id"] == series.id.as_str() && games.len() == 3, "{read}");
    for (place, game) in games.iter().enumerate() {
        ensure!(game["gameId"] == played[place].game_id.as_str(), "{read}");
        ensure!(game["firstSeat"] == played[place].first_seat && game["reason"] == "resigned", "{read}");
        ensure!(game["winner"] == 1 - place % 2, "{read}");
    }
    let text = read.to_string();
    ensure!(
        couple.guests.iter().all(|guest| !text.contains(&guest.account_id)),
        "R5: an account in a series"
    );
    for (id, status) in [("019343f0-0000-7000-8000-000000000000", 404), ("no-id", 400)] {
        ensure!(http.get(&format!("/v1/series/{id}")).await?.status.as_u16() == status, "{id}");
    }
    Ok(())
}

/// "A robot's rematch reused the game id."
#[tokio::test]
async fn r4_a_robot_accepts_at_once_and_moves_first_in_turn() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, _) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let mut table = KalahPlayer::against_robot(&mut ada, 2, 1).await?.table;
    let mut seen = vec![table.game_id.clone()];
    for _ in 0..3 {
        let id = table.game_id.clone();
        ada.done(ask::resign(&id)).await?;
        ada.done(ask::decline_rematch(&id)).await?;
        let next = start_of(ada.done(ask::rematch(&id)).await?)?;
        ensure!(next.first_seat == 1 - table.first_seat, "the first seat");
        ensure!(
            next.your_seat == table.your_seat && next.seats[0].robot == table.seats[0].robot,
            "the seats"
        );
        let series = next.series.clone().context("a series")?;
        ensure!(Some(&series.id) == table.series.as_ref().map(|series| &series.id), "{series:?}");
        ensure!(series.games.len() == seen.len() && !seen.contains(&next.game_id), "{series:?}");
        seen.push(next.game_id.clone());
        table = next;
    }
    let heard = ada.take_unread();
    ensure!(
        !heard.iter().any(|event| matches!(event, Event::OnRematchRequest(_) | Event::OnRematchEnded(_))),
        "{heard:?}"
    );
    Ok(())
}

/// "Abort and rematch changed who starts."
#[tokio::test]
async fn r12_an_aborted_second_game_changes_nothing() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let first = couple.table.clone();
    let second = couple.rematch(0).await?.clone();
    couple.clients[1].done(ask::abort(&second.game_id)).await?;
    for seat in [0, 1] {
        let end = couple.ended(seat, &second.game_id).await?;
        ensure!(end.rematch.is_none(), "{end:?}");
    }
    couple.table = first.clone();
    let third = couple.rematch(1).await?.clone();
    ensure!(third.game_id != second.game_id && third.first_seat == second.first_seat, "{third:?}");
    let [of_second, of_third] = [&second, &third].map(|table| table.series.clone().unwrap_or_default());
    ensure!(of_second == of_third && of_third.games.len() == 1, "{of_third:?}");
    Ok(())
}

/// Scenarios 22, 23 and 25: embedded, with a request, before any move of the next game, and after it.
#[tokio::test(flavor = "multi_thread")]
async fn r5_a_series_and_its_rematch_survive_a_restart() -> Result<()> {
    let data = tempfile::tempdir()?;
    let mut server = Launch::new()?.data(data.path()).start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let first = couple.table.clone();
    couple.ask(0).await?;
    tokio::task::block_in_place(|| server.kill().and_then(|()| server.start_again()))?;
    let mut clients = Vec::new();
    for guest in &couple.guests {
        let (client, welcome) = Client::enter(server.url(), guest, Wire::Json).await?;
        ensure!(welcome.offers.is_empty(), "embedded, requests are lost: {:?}", welcome.offers);
        clients.push(client);
    }
    couple.clients = clients.try_into().map_err(|_| anyhow::anyhow!("two clients"))?;
    let Event::Table(table) = couple.clients[0].done(ask::watch(&first.game_id, None)).await? else {
        bail!("no table")
    };
    ensure!(table.rematch.as_deref() == Some("available"), "{:?}", table.rematch);
    let second = couple.rematch(1).await?.clone();
    ensure!(
        second.first_seat == 1 && second.series.as_ref().is_some_and(|series| series.games.len() == 1),
        "{second:?}"
    );

    tokio::task::block_in_place(|| server.kill().and_then(|()| server.start_again()))?;
    for (seat, guest) in couple.guests.iter().enumerate() {
        let (client, welcome) = Client::enter(server.url(), guest, Wire::Json).await?;
        let [restored] = &welcome.tables[..] else { bail!("{:?}", welcome.tables.len()) };
        ensure!(restored.series == second.series && restored.first_seat == 1, "{restored:?}");
        couple.clients[seat] = client;
    }
    couple.resign(1).await?;
    ensure!(couple.closed(0, &first.game_id).await? == "closed", "R29: the game before the last one");
    let third = couple.rematch(0).await?;
    ensure!(third.first_seat == 0, "R23: it goes on alternating");
    Ok(())
}
