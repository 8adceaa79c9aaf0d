//! The same frame sent again, at once and after a restart: applied once, answered the same.

use crate::journal::Journal;
use crate::people;
use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Answer, Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use serde_json::json;

const ID: &str = "018f2b6a-7c1e-7a4b-9d30-5a1d3c0e4f11";

/// Sends an operation under a given id and waits for what it was answered.
async fn send(client: &mut Client, id: &str, operation: Operation) -> Result<Answer> {
    client.send_as(id, operation).await?;
    client.answer(id).await
}

async fn enter(server: &Server, guest: &Guest) -> Result<Client> {
    Ok(Client::enter(server.url(), guest, Wire::Json).await?.0)
}

#[tokio::test]
async fn l14_a_move_sent_again_is_made_once() -> Result<()> {
    let mut server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let (ada, blaise) = (http.sign_up("Ada").await?, http.sign_up("Blaise").await?);
    let mut clients = [enter(&server, &ada).await?, enter(&server, &blaise).await?];
    let [first, second] = &mut clients;
    let mut players = KalahPlayer::pair(first, second, 5).await?;
    let mover = usize::from(players[1].is_to_move());
    let guest = if mover == 0 { &ada } else { &blaise };
    let id = players[0].id().to_owned();
    let revision = players[1].revision;
    let operation = ask::make_move(&id, revision, &players[mover].pick()?);

    let answered = send(&mut clients[mover], ID, operation.clone()).await?;
    ensure!(matches!(&answered, Ok(Event::Ack(ack)) if ack.revision == Some(revision + 1)), "{answered:?}");
    ensure!(send(&mut clients[mover], ID, operation.clone()).await? == answered, "answered otherwise");
    let mut other_tab = enter(&server, guest).await?;
    ensure!(
        send(&mut other_tab, ID, operation.clone()).await? == answered,
        "answered otherwise on another socket"
    );

    let other = ask::make_move(&id, revision, &json!({ "pit": 6 }));
    let other = if other == operation { ask::make_move(&id, revision, &json!({ "pit": 5 })) } else { other };
    match send(&mut clients[mover], ID, other.clone()).await? {
        Err(refusal) if refusal.code == "INVALID_ARGUMENT" => {}
        odd => bail!("the id with other content: {odd:?}"),
    }

    server.kill()?;
    server.start_again()?;
    let mut client = enter(&server, guest).await?;
    ensure!(send(&mut client, ID, operation).await? == answered, "answered otherwise after a restart");
    ensure!(send(&mut client, ID, other).await?.is_err(), "other content was taken after a restart");
    let mut historian = people::one(server.url(), Wire::Json).await?;
    let journal = Journal::read(&mut historian, &id, revision + 1).await?;
    ensure!(journal.moves().count() == 1, "the move was made {} times", journal.moves().count());
    Ok(())
}

#[tokio::test]
async fn d10_a_game_opened_or_joined_again_by_the_same_frame_is_one_game() -> Result<()> {
    let mut server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let (ada, blaise) = (http.sign_up("Ada").await?, http.sign_up("Blaise").await?);
    let (mut opener, mut joiner) = (enter(&server, &ada).await?, enter(&server, &blaise).await?);

    let found = send(&mut opener, ID, ask::new_game()).await?;
    let game_id = match &found {
        Ok(Event::Searching(searching)) if !searching.joined => searching.game_id.clone(),
        odd => bail!("newGame: {odd:?}"),
    };
    ensure!(send(&mut opener, ID, ask::new_game()).await? == found, "newGame was answered otherwise");
    let other = send(&mut opener, ID, ask::new_game_with(&json!({ "seeds": 3 }))).await?;
    ensure!(matches!(&other, Err(refusal) if refusal.code == "INVALID_ARGUMENT"), "{other:?}");

    let seat = seat_of(&send(&mut joiner, ID, ask::join(&game_id)).await?, &game_id)?;
    let again = seat_of(&send(&mut joiner, ID, ask::join(&game_id)).await?, &game_id)?;
    ensure!(seat == again, "joinGame was answered with another seat");

    server.kill()?;
    server.start_again()?;
    let (mut opener, mut joiner) = (enter(&server, &ada).await?, enter(&server, &blaise).await?);
    ensure!(send(&mut opener, ID, ask::new_game()).await? == found, "newGame after a restart");
    ensure!(
        seat_of(&send(&mut joiner, ID, ask::join(&game_id)).await?, &game_id)? == seat,
        "joinGame after it"
    );

    let robot_game = |answer: Answer| match answer {
        Ok(Event::OnGameStart(start)) => Ok(start.table.map(|table| table.game_id)),
        odd => bail!("newBotGame: {odd:?}"),
    };
    let robot_id = ID.replace("018f", "018e");
    let first = robot_game(send(&mut opener, &robot_id, ask::new_bot_game(1)).await?)?;
    ensure!(
        robot_game(send(&mut opener, &robot_id, ask::new_bot_game(1)).await?)? == first,
        "two robot games"
    );
    let answer = Http::connect(server.url()).await?.get_as(&ada.token, "/v1/me/tables").await?;
    let games = answer.text().matches("\"gameId\"").count();
    ensure!(games == 2, "{games} games instead of two: {}", answer.text());
    Ok(())
}

fn seat_of(answer: &Answer, game_id: &str) -> Result<u32> {
    if let Ok(Event::OnGameStart(start)) = answer
        && let Some(table) = &start.table
        && let Some(seat) = table.your_seat
        && table.game_id == game_id
    {
        return Ok(seat);
    }
    bail!("joinGame: {answer:?}")
}

#[tokio::test]
async fn l14_an_idempotency_key_is_a_uuid() -> Result<()> {
    let server = Server::start()?;
    let mut client = people::one(server.url(), Wire::Json).await?;
    match send(&mut client, "7", ask::new_friend_game()).await? {
        Err(refusal) if refusal.code == "INVALID_ARGUMENT" => Ok(()),
        odd => bail!("{odd:?}"),
    }
}
