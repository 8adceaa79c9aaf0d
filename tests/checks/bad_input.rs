//! Frames that are garbage, too large, too early, for another's seat or stale: each gets the
//! protocol's error, and the socket and the game go on.

use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::content::Content;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Hello, NewBotGame, NewGame};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::server::{Launch, Server};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

const NO_GAME: &str = "01936f5e-0000-7000-8000-000000000000";

/// What is refused, and the codes that fit.
type Case = (&'static str, Operation, &'static [&'static str]);

async fn refuse_all(client: &mut Client, cases: Vec<Case>) -> Result<()> {
    for (what, operation, codes) in cases {
        let refusal = client.refused(operation).await.context(what)?;
        ensure!(codes.contains(&refusal.code.as_str()), "{what}: {refusal:?}, expected one of {codes:?}");
        ensure!(!refusal.message.is_empty(), "{what}: a refusal without a sentence");
        client.done(ask::ping()).await.context(what)?;
    }
    Ok(())
}

#[tokio::test]
async fn g6_garbage_is_answered_and_the_socket_and_the_game_go_on() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let nested = format!(r#"{{"id":"7","ping":{}1{}}}"#, "[".repeat(20_000), "]".repeat(20_000));
    for garbage in
        ["", "no json", "{", "[]", "null", "{}", "\u{0}", r#"{"ping":{}}"#, r#"{"id":7,"ping":{}}"#]
    {
        ada.send_raw(Message::text(garbage)).await?;
        let code = stray_refusal(&mut ada, &mut players[0]).await.with_context(|| format!("at {garbage}"))?;
        ensure!(code == "INVALID_ARGUMENT", "at {garbage}: {code}");
    }
    for named in [
        r#"{"id":"7"}"#,
        r#"{"id":"7","fly":{}}"#,
        r#"{"id":"7","move":{"revision":-1}}"#,
        r#"{"id":"7","move":"e4"}"#,
        r#"{"id":"7","move":{"gameId":7}}"#,
        &nested,
    ] {
        ada.send_raw(Message::text(named)).await?;
        let Err(refusal) = ada.answer("7").await? else { bail!("{named:.60} was not refused") };
        ensure!(refusal.code == "INVALID_ARGUMENT", "{named:.60}: {refusal:?}");
    }
    let long_id = "i".repeat(65);
    ada.send_as(&long_id, ask::ping()).await?;
    ensure!(stray_refusal(&mut ada, &mut players[0]).await? == "INVALID_ARGUMENT", "an id of 65 bytes");
    play_both(&mut players, &mut [ada, blaise]).await?;
    Ok(())
}

/// The code of the next refusal that names no frame. News of the game may come before it.
async fn stray_refusal(client: &mut Client, player: &mut KalahPlayer) -> Result<String> {
    loop {
        match client.event().await? {
            Event::Error(error) => return Ok(error.code),
            news => player.follow(&news)?,
        };
    }
}

#[tokio::test]
async fn g6_binary_garbage_is_answered_too() -> Result<()> {
    let server = Server::start()?;
    let mut client = people::one(server.url(), Wire::Binary).await?;
    for garbage in [&b""[..], b"\xff", b"\x0a\x017", b"\x0a\xff\xff\xff\xff\x0f", b"\x62\x00"] {
        client.send_raw(Message::binary(garbage.to_vec())).await?;
    }
    client.done(ask::ping()).await?;
    Ok(())
}

#[tokio::test]
async fn g6_a_socket_that_breaks_the_limits_is_closed_with_its_code() -> Result<()> {
    let server = Launch::new()?.flag("--frames-per-second-max", "20").start()?;
    let mut http = Http::connect(server.url()).await?;
    let guest = http.sign_up("Ada").await?;
    let (mut client, welcome) = Client::enter(server.url(), &guest, Wire::Json).await?;
    let limits = welcome.limits.context("a welcome without limits")?;
    ensure!(limits.frames_per_second_max == 20, "{limits:?}");

    client.send_raw(Message::text("x".repeat(limits.frame_bytes_max as usize + 1))).await?;
    ensure!(client.close_code().await? == 1009, "a frame too large");

    let (mut client, _) = Client::enter(server.url(), &guest, Wire::Json).await?;
    client.send_raw(Message::binary(b"bytes".to_vec())).await?;
    ensure!(client.close_code().await? == 1003, "a binary frame on a text socket");

    let (mut client, _) = Client::enter(server.url(), &guest, Wire::Json).await?;
    for _ in 0..200 {
        // The server may hang up before the last one is sent.
        if client.send(ask::ping()).await.is_err() {
            break;
        }
    }
    ensure!(client.close_code().await? == 1008, "too many frames");

    let (mut client, _) = Client::enter(server.url(), &guest, Wire::Json).await?;
    client.done(ask::ping()).await?;
    Ok(())
}

#[tokio::test]
async fn g2_nothing_is_done_before_hello_and_with_a_false_token() -> Result<()> {
    let server = Server::start()?;
    let guest = Http::connect(server.url()).await?.sign_up("Ada").await?;
    let mut client = Client::connect(server.url(), Wire::Json).await?;
    for operation in [ask::ping(), ask::new_game(), ask::join(NO_GAME)] {
        let refusal = client.refused(operation).await?;
        ensure!(refusal.code == "UNAUTHENTICATED", "{refusal:?}");
    }
    client.hello(&guest.token).await?;
    client.done(ask::ping()).await?;

    let (head, signature) = guest.token.rsplit_once('.').context("an odd token")?;
    let forged = format!("{head}.{}", signature.chars().rev().collect::<String>());
    for token in ["", "nonsense", forged.as_str()] {
        let mut client = Client::connect(server.url(), Wire::Json).await?;
        let refusal = client.refused(Operation::Hello(Hello { token: token.to_owned() })).await?;
        ensure!(refusal.code == "UNAUTHENTICATED", "{refusal:?}");
    }
    let mut http = Http::connect(server.url()).await?;
    for token in ["", forged.as_str()] {
        let answer = http.get_as(token, "/v1/me/tables").await?;
        ensure!(
            (answer.status.as_u16(), answer.code()?.as_str()) == (401, "UNAUTHENTICATED"),
            "{}",
            answer.text()
        );
    }
    Ok(())
}

#[tokio::test]
async fn l14_moves_that_cannot_be_made_are_refused_and_the_game_goes_on() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let mut stranger = people::one(server.url(), Wire::Json).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let mut clients = [ada, blaise];
    let id = players[0].id().to_owned();
    let opening = players[1].revision;
    let any = json!({ "pit": 1 });

    // The third pit moves again, so the same seat is to move on.
    let mover = usize::from(players[1].is_to_move());
    clients[mover].done(ask::make_move(&id, opening, &json!({ "pit": 3 }))).await?;
    for side in 0..2 {
        players[side].wait(&mut clients[side]).await?;
        while players[side].number < 1 {
            players[side].wait(&mut clients[side]).await?;
        }
    }
    let revision = players[0].revision;
    let unreadable = &["ILLEGAL_MOVE", "INVALID_ARGUMENT"];
    let cases: Vec<Case> = vec![
        ("an empty pit", ask::make_move(&id, revision, &json!({ "pit": 3 })), &["ILLEGAL_MOVE"]),
        ("a pit that isn't there", ask::make_move(&id, revision, &json!({ "pit": 7 })), unreadable),
        ("another game's move", ask::make_move(&id, revision, &json!({ "pass": true })), unreadable),
        ("no move", ask::make_move(&id, revision, &json!(null)), unreadable),
        ("a member too many", ask::make_move(&id, revision, &json!({ "pit": 1, "x": 1 })), unreadable),
        ("a table's own move", ask::make_move(&id, revision, &json!({ "time": 1 })), unreadable),
        ("a stale revision", ask::make_move(&id, opening, &any), &["CONCURRENT_MOVE"]),
        ("a stale undo", ask::undo(&id, opening), &["CONCURRENT_MOVE"]),
        ("an abort after a move", ask::abort(&id), &["FAILED_PRECONDITION"]),
        ("an unknown game", ask::make_move(NO_GAME, 0, &any), &["NOT_FOUND"]),
        ("an id that is none", ask::make_move("chess", 0, &any), &["INVALID_ARGUMENT"]),
        ("an unknown game's watch", ask::watch(NO_GAME, None), &["NOT_FOUND"]),
        ("an unknown game's end", ask::resign(NO_GAME), &["NOT_FOUND"]),
    ];
    refuse_all(&mut clients[mover], cases).await?;
    let turn = vec![("out of turn", ask::make_move(&id, revision, &any), &["NOT_YOUR_TURN"][..])];
    refuse_all(&mut clients[1 - mover], turn).await?;
    let foreign: Vec<Case> = vec![
        ("another's seat", ask::make_move(&id, revision, &any), &["PERMISSION_DENIED"]),
        ("another's undo", ask::undo(&id, revision), &["PERMISSION_DENIED"]),
        ("another's resignation", ask::resign(&id), &["PERMISSION_DENIED"]),
        ("another's leave", ask::leave(&id), &["PERMISSION_DENIED"]),
        ("a full table", ask::join(&id), &["SEAT_TAKEN"]),
    ];
    refuse_all(&mut stranger, foreign).await?;
    play_both(&mut players, &mut clients).await?;
    ensure!(players[0].view == players[1].view, "the players saw two boards");
    Ok(())
}

#[tokio::test]
async fn d10_games_that_cannot_be_opened_or_joined_are_refused() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let unknown = Operation::NewGame(NewGame { game: "chess".into(), ..NewGame::default() });
    let robot =
        |level| Operation::NewBotGame(NewBotGame { game: "kalah".into(), level, ..NewBotGame::default() });
    let crowd = Operation::NewGame(NewGame { game: "kalah".into(), seats: Some(5), ..NewGame::default() });
    let nothing = Operation::NewGame(NewGame {
        game: "kalah".into(),
        options: Some(Content::from(&json!(7))),
        ..NewGame::default()
    });
    let invalid = &["INVALID_ARGUMENT", "INVALID_GAME", "NOT_FOUND"];
    let cases: Vec<Case> = vec![
        ("an unknown game", unknown, invalid),
        ("a robot of level 0", robot(0), invalid),
        ("a robot of level 6", robot(6), invalid),
        ("five seats", crowd, invalid),
        ("options that are no object", nothing, invalid),
        ("too many seeds", ask::new_game_with(&json!({ "seeds": 99 })), invalid),
        ("an unknown option", ask::new_game_with(&json!({ "colour": "red" })), invalid),
        ("a game that isn't there", ask::join(NO_GAME), &["NOT_FOUND"]),
        ("a search that isn't there", ask::cancel(NO_GAME), &["NOT_FOUND"]),
        ("an id that is none", ask::join("chess"), &["INVALID_ARGUMENT"]),
    ];
    refuse_all(&mut ada, cases).await?;

    let opened = KalahPlayer::opener(&mut ada, ask::new_friend_game(), 1).await?;
    let own = ada.refused(ask::join(opened.id())).await?;
    ensure!(
        ["FAILED_PRECONDITION", "SEAT_TAKEN", "INVALID_ARGUMENT"].contains(&own.code.as_str()),
        "{own:?}"
    );
    let foreign = blaise.refused(ask::cancel(opened.id())).await?;
    ensure!(["PERMISSION_DENIED", "NOT_FOUND"].contains(&foreign.code.as_str()), "{foreign:?}");
    ada.done(ask::cancel(opened.id())).await?;
    let gone = blaise.refused(ask::join(opened.id())).await?;
    ensure!(["NOT_FOUND", "GAME_OVER", "FAILED_PRECONDITION"].contains(&gone.code.as_str()), "{gone:?}");
    Ok(())
}
