//! Whole games between two clients and against robots, and what players, spectators and
//! strangers are told meanwhile.

use crate::finished::Finished;
use crate::journal::Journal;
use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{DrawRound, OnGameUpdate};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both, told_both};
use astragal_tests::server::Server;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

async fn whole_game(wires: [Wire; 2]) -> Result<()> {
    let server = Server::start()?;
    let (mut ada, _) = Client::guest(server.url(), "Ada", wires[0]).await?;
    let (mut blaise, _) = Client::guest(server.url(), "Blaise", wires[1]).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let commitment = players[0].table.commitment.clone();
    ensure!(players[1].table.commitment == commitment, "two commitments for one game");
    let mut clients = [ada, blaise];
    let outcome = play_both(&mut players, &mut clients).await?;

    ensure!(outcome.reason == "finished", "{outcome:?}");
    ensure!(outcome.scores.iter().sum::<i32>() == 48, "seeds were lost: {outcome:?}");
    ensure!(players[0].view == players[1].view, "the players saw two boards");
    let mut http = Http::connect(server.url()).await?;
    let finished = Finished::download(&mut http, players[0].id(), &commitment).await?;
    ensure!(finished.view == players[0].view, "the log replays to another board");
    ensure!(finished.moves()?.len() == players[0].number as usize, "the log has another number of moves");

    let mut historian = people::one(server.url(), Wire::Json).await?;
    let journal = Journal::read(&mut historian, players[0].id(), players[0].revision).await?;
    let told: Vec<Value> = journal.moves().map(as_logged).collect::<Result<_>>()?;
    ensure!(&told == finished.moves()?, "the journal and the log have other moves");
    Ok(())
}

fn as_logged(update: &OnGameUpdate) -> Result<Value> {
    let content = update.r#move.as_ref().context("an update without its move")?;
    let content: Value = serde_json::from_slice(content.as_json())?;
    Ok(json!({ "number": update.number, "seat": update.seat, "move": content, "drew": update.drew }))
}

#[tokio::test]
async fn g1_l1_a_whole_game_in_text_frames() -> Result<()> {
    whole_game([Wire::Json; 2]).await
}

#[tokio::test]
async fn g1_l1_a_whole_game_in_binary_frames() -> Result<()> {
    whole_game([Wire::Binary; 2]).await
}

#[tokio::test]
async fn g1_l1_a_whole_game_between_the_two_kinds_of_frames() -> Result<()> {
    whole_game([Wire::Json, Wire::Binary]).await
}

#[tokio::test]
async fn d3_l6_everyone_is_shown_the_same_draw_and_commitment() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let table = &players[1].table;
    let draw = table.draw.as_ref().context("a table without its draw")?;
    ensure!(table.first_seat == 0, "after a draw seat 0 begins");
    ensure!(players[0].table.draw.as_ref() == Some(draw), "the players were shown two draws");
    ensure!(table.commitment.len() == 64, "{}", table.commitment);

    let last = &draw.rounds.last().context("a draw without rounds")?.picks;
    let lowest = last.iter().min_by_key(|pick| pick.rank).context("a round without picks")?;
    ensure!((lowest.participant, lowest.seat) == (draw.winner, 0), "{draw:?}");
    ensure!(last.iter().filter(|pick| pick.rank == lowest.rank).count() == 1, "a tie was left: {draw:?}");

    let mut http = Http::connect(server.url()).await?;
    let shown: Value = http.get(&format!("/v1/tables/{}/draw", table.game_id)).await?.json()?;
    ensure!(shown["winner"] == draw.winner && shown["tileSet"] == draw.tile_set.as_str(), "{shown}");
    let letters = |round: &DrawRound| round.picks.iter().map(|pick| pick.letter.clone()).collect::<Vec<_>>();
    for (round, told) in draw.rounds.iter().zip(shown["rounds"].as_array().context("no rounds")?) {
        let told = told["picks"].as_array().context("no picks")?;
        let told: Vec<_> =
            told.iter().filter_map(|pick| pick["letter"].as_str().map(str::to_owned)).collect();
        ensure!(told == letters(round), "{shown}");
    }
    Ok(())
}

#[tokio::test]
async fn d7_a_robot_plays_a_whole_game_at_every_level() -> Result<()> {
    let server = Server::start()?;
    let mut client = people::one(server.url(), Wire::Json).await?;
    let mut http = Http::connect(server.url()).await?;
    for level in 1..=5 {
        let mut player = KalahPlayer::against_robot(&mut client, level, u64::from(level)).await?;
        let robots: Vec<_> =
            player.table.seats.iter().filter(|seat| seat.robot).map(|seat| seat.seat).collect();
        ensure!(robots == [1 - player.seat], "{:?}", player.table.seats);
        player.play_to_end(&mut client).await?;
        let finished = Finished::download(&mut http, player.id(), &player.table.commitment).await?;
        ensure!(finished.view == player.view, "the log replays to another board");
        let sitter = &finished.json["seats"][robots[0] as usize];
        ensure!(*sitter == json!({ "kind": "robot", "level": level }), "{sitter}");
    }
    Ok(())
}

#[tokio::test]
async fn d7_named_friends_are_seated_at_once() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, _) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let (mut blaise, friend) = Client::guest(server.url(), "Blaise", Wire::Json).await?;
    let searching = match ada.done(ask::new_game_with_friends(&[&friend.account_id])).await? {
        Event::Searching(searching) => searching,
        other => bail!("{other:?}"),
    };
    let mut players = [
        KalahPlayer::started(&mut ada, &searching.game_id, 3).await?,
        KalahPlayer::started(&mut blaise, &searching.game_id, 4).await?,
    ];
    ensure!(players[0].table.seats.iter().all(|seat| !seat.empty), "{:?}", players[0].table.seats);
    play_both(&mut players, &mut [ada, blaise]).await?;
    Ok(())
}

#[tokio::test]
async fn g1_unknown_fields_are_ignored() -> Result<()> {
    let server = Server::start()?;
    let mut client = people::one(server.url(), Wire::Json).await?;
    client.send_raw(Message::text(r#"{"later":{"a":1},"id":"7","ping":{"more":[true]}}"#)).await?;
    match client.answer("7").await? {
        Ok(Event::Pong(_)) => Ok(()),
        other => bail!("{other:?}"),
    }
}

#[tokio::test]
async fn g4_a_watch_resumes_after_a_revision() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let mut blaise = people::one(server.url(), Wire::Json).await?;
    let [mut first, mut second] = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    ada.close().await?;
    let (mut again, welcome) = Client::enter(server.url(), &guest, Wire::Binary).await?;
    ensure!(welcome.tables.iter().any(|table| table.game_id == first.id()), "the welcome lacks the game");
    let answer = again.done(ask::watch(first.id(), Some(first.revision))).await?;
    if let Event::Table(table) = answer {
        bail!("a watch since the newest revision got a whole table: {table:?}");
    }
    let (mine, theirs) = tokio::try_join!(first.play_to_end(&mut again), second.play_to_end(&mut blaise))?;
    ensure!(mine == theirs, "{mine:?} {theirs:?}");
    Ok(())
}

#[tokio::test]
async fn g4_who_missed_nothing_but_the_end_is_told_of_it() -> Result<()> {
    let server = Server::start()?;
    let mut clients = people::two(server.url(), Wire::Json).await?;
    let [ada, blaise] = &mut clients;
    let mut players = KalahPlayer::pair(ada, blaise, 5).await?;
    let outcome = play_both(&mut players, &mut clients).await?;
    let ([ada, _], [player, _]) = (&mut clients, &players);
    match ada.done(ask::watch(player.id(), Some(player.revision))).await? {
        Event::Table(table) => ensure!(table.outcome == Some(outcome), "{:?}", table.outcome),
        other => bail!("the end has no revision of its own, and {other:?} doesn't tell of it"),
    }
    let answer = ada.done(ask::watch(player.id(), Some(player.revision - 1))).await?;
    ensure!(matches!(answer, Event::Ack(_)), "{answer:?}");
    let [last, end] = [ada.event().await?, ada.event().await?];
    ensure!(matches!((&last, &end), (Event::OnGameUpdate(_), Event::OnGameEnd(_))), "{last:?}, {end:?}");
    Ok(())
}

#[tokio::test]
async fn g5_a_spectator_is_told_the_moves_and_nothing_to_choose_from() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let mut stranger = people::one(server.url(), Wire::Json).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let table = match stranger.done(ask::watch(players[0].id(), None)).await? {
        Event::Table(table) => table,
        other => bail!("{other:?}"),
    };
    ensure!(table.your_seat.is_none() && table.legal_moves.is_none(), "{table:?}");
    let mut clients = [ada, blaise];
    let moves = play_both(&mut players, &mut clients);
    let seen = async {
        let mut moves = 0;
        loop {
            match stranger.event().await? {
                Event::OnGameUpdate(update) => {
                    ensure!(update.legal_moves.is_none(), "{update:?}");
                    moves += 1;
                }
                Event::OnGameEnd(_) => return Ok(moves),
                _ => {}
            }
        }
    };
    let (_, seen) = tokio::try_join!(moves, seen)?;
    ensure!(seen == players[0].number, "the spectator saw {seen} of {} moves", players[0].number);
    Ok(())
}

#[tokio::test]
async fn l13_the_log_is_shown_after_the_end_only() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let mut http = Http::connect(server.url()).await?;
    let path = format!("/v1/tables/{}/log", players[0].id());
    let early = http.get(&path).await?;
    ensure!((early.status.as_u16(), early.code()?.as_str()) == (409, "GAME_IN_PROGRESS"), "{}", early.text());

    let mut clients = [ada, blaise];
    play_both(&mut players, &mut clients).await?;
    let late = http.get(&path).await?;
    ensure!(late.status.is_success(), "{}", late.text());
    for (player, client) in players.iter().zip(&mut clients) {
        let more = ask::make_move(player.id(), player.revision, &json!({ "pit": 1 }));
        ensure!(client.refused(more).await?.code == "ILLEGAL_MOVE", "a move after the end");
        let undo = client.refused(ask::undo(player.id(), player.revision)).await?;
        ensure!(undo.code == "GAME_OVER", "{undo:?}");
    }
    Ok(())
}

#[tokio::test]
async fn l12_a_move_is_taken_back_by_its_own_seat_and_shown_in_the_journal() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let mut clients = [ada, blaise];
    let mover = usize::from(players[1].is_to_move());
    let before = players[mover].view.clone();
    let revision = players[mover].make_move(&mut clients[mover]).await?;
    players[1 - mover].wait(&mut clients[1 - mover]).await?;

    let id = players[0].id().to_owned();
    let stranger_undo = clients[1 - mover].refused(ask::undo(&id, revision)).await?;
    ensure!(stranger_undo.code == "UNDO_REFUSED", "{stranger_undo:?}");
    clients[mover].done(ask::undo(&id, revision)).await?;
    for side in 0..2 {
        while players[side].revision < revision + 1 {
            players[side].wait(&mut clients[side]).await?;
        }
        ensure!(players[side].view == before && players[side].number == 0, "the board is not the one before");
    }
    let stale = clients[mover].refused(ask::make_move(&id, revision, &json!({ "pit": 1 }))).await?;
    ensure!(stale.code == "CONCURRENT_MOVE", "{stale:?}");

    play_both(&mut players, &mut clients).await?;
    let mut http = Http::connect(server.url()).await?;
    let finished = Finished::download(&mut http, &id, &players[0].table.commitment).await?;
    ensure!(finished.view == players[0].view, "the log replays to another board");
    let mut historian = people::one(server.url(), Wire::Json).await?;
    let journal = Journal::read(&mut historian, &id, players[0].revision).await?;
    ensure!(
        journal.moves().filter(|update| update.undone == Some(true)).count() == 1,
        "the undo isn't shown"
    );
    ensure!(journal.moves().count() == finished.moves()?.len() + 2, "an undo is an entry beside its move");
    Ok(())
}

#[tokio::test]
async fn resigning_leaving_and_aborting_end_a_game_in_its_log() -> Result<()> {
    let server = Server::start()?;
    let mut clients = people::two(server.url(), Wire::Json).await?;
    let mut http = Http::connect(server.url()).await?;
    for (operation, reason) in
        [(ask::resign as fn(&str) -> _, "resigned"), (ask::leave, "left"), (ask::abort, "aborted")]
    {
        let [ada, blaise] = &mut clients;
        let mut players = KalahPlayer::pair(ada, blaise, 5).await?;
        let id = players[0].id().to_owned();
        ada.done(operation(&id)).await?;
        let outcome = told_both(&mut players, &mut clients).await?;
        let winner = (reason != "aborted").then_some(players[1].seat);
        ensure!(outcome.reason == reason && outcome.winner == winner, "{outcome:?}");
        let finished = Finished::download(&mut http, &id, &players[0].table.commitment).await?;
        ensure!(finished.moves()?.len() == 1, "a move was made: {}", finished.text);
        let last = &finished.moves()?[0];
        ensure!(last["seat"].is_null() && last["move"].get(reason).is_some(), "{last}");
    }
    Ok(())
}

#[tokio::test]
async fn the_catalogue_and_the_lists_of_tables_name_the_game() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let player = KalahPlayer::against_robot(&mut ada, 1, 1).await?;
    let mut http = Http::connect(server.url()).await?;
    for path in ["/v1/games".to_owned(), format!("/v1/tables/{}", player.id())] {
        let answer = http.get(&path).await?;
        ensure!(
            answer.status.is_success() && answer.text().contains("\"kalah\""),
            "{path}: {}",
            answer.text()
        );
    }
    let mine: Value = http.get_as(&guest.token, "/v1/me/tables").await?.json()?;
    ensure!(mine["tables"][0]["gameId"] == player.id(), "{mine}");
    Ok(())
}
