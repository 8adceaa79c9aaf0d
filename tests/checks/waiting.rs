//! A game whose opponent isn't there yet: the opener may move, and whoever comes takes the seat
//! that the draw decided; nothing but `seat taken` is added.

use crate::finished::Finished;
use crate::journal::Journal;
use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Draw, NewGame, OnSeatTaken};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::server::{Launch, Server};

/// Openers until one leads; each has an even chance.
const OPENERS_MAX: usize = 40;
/// Far more games than anyone should wait in.
const SEARCHES_MAX: usize = 20;

/// A guest who has opened a game that waits, and who is the first to move in it.
async fn leading_opener(url: &str, operation: fn() -> Operation) -> Result<(Client, KalahPlayer)> {
    for state in 0..OPENERS_MAX {
        let mut client = people::one(url, Wire::Json).await?;
        let player = KalahPlayer::opener(&mut client, operation(), state as u64).await?;
        if player.is_to_move() {
            return Ok((client, player));
        }
        client.done(ask::cancel(player.id())).await?;
    }
    bail!("none of {OPENERS_MAX} openers led the draw")
}

/// Moves until it is the other seat's turn.
async fn move_alone(player: &mut KalahPlayer, client: &mut Client) -> Result<()> {
    ensure!(player.table.phase == "waiting", "{}", player.table.phase);
    while player.is_to_move() {
        player.make_move(client).await?;
    }
    Ok(())
}

async fn seat_taken(client: &mut Client, player: &mut KalahPlayer) -> Result<OnSeatTaken> {
    loop {
        let event = client.event().await?;
        player.follow(&event)?;
        if let Event::OnSeatTaken(taken) = event {
            return Ok(taken);
        }
    }
}

/// The tiles, without who is who.
fn tiles(draw: Option<&Draw>) -> Result<Vec<(u32, u32, String)>> {
    let draw = draw.context("a table without its draw")?;
    let picks = draw.rounds.iter().flat_map(|round| &round.picks);
    Ok(picks.map(|pick| (pick.participant, pick.seat, pick.letter.clone())).collect())
}

#[tokio::test]
async fn d5_d8_the_opener_moves_before_the_friend_joins() -> Result<()> {
    let server = Server::start()?;
    let (mut opener, mut first) = leading_opener(server.url(), ask::new_friend_game).await?;
    let id = first.id().to_owned();
    move_alone(&mut first, &mut opener).await?;
    let (alone, board) = (first.revision, first.view.clone());

    let mut stranger = people::one(server.url(), Wire::Json).await?;
    let early = stranger.refused(ask::watch(&id, None)).await?;
    ensure!(early.code == "PERMISSION_DENIED", "{early:?}");

    let mut joiner = people::one(server.url(), Wire::Binary).await?;
    let second = KalahPlayer::joiner(&mut joiner, &id, 9).await?;
    ensure!(second.revision == alone + 1 && second.view == board, "joining changed the game");
    ensure!(second.seat == 1 - first.seat, "the joiner sits in seat {}", second.seat);
    ensure!(second.table.first_seat == first.table.first_seat, "joining changed who is first");
    ensure!(second.table.commitment == first.table.commitment, "joining changed the commitment");
    ensure!(
        tiles(second.table.draw.as_ref())? == tiles(first.table.draw.as_ref())?,
        "joining changed the draw"
    );
    let taken = seat_taken(&mut opener, &mut first).await?;
    ensure!((taken.seat, taken.robot, taken.revision) == (second.seat, false, alone + 1), "{taken:?}");

    let mut players = [first, second];
    play_both(&mut players, &mut [opener, joiner]).await?;
    let mut http = Http::connect(server.url()).await?;
    let finished = Finished::download(&mut http, &id, &players[0].table.commitment).await?;
    ensure!(finished.view == players[0].view, "the log replays to another board");
    let journal = Journal::read(&mut stranger, &id, players[0].revision).await?;
    ensure!(journal.seats_taken() == 2, "{} seats were taken", journal.seats_taken());
    ensure!(journal.moves().count() == finished.moves()?.len(), "the journal and the log differ");
    let seat_entry = &journal.entries[alone as usize];
    ensure!(
        matches!(seat_entry, Event::OnSeatTaken(taken) if taken.seat == players[1].seat),
        "{seat_entry:?}"
    );
    Ok(())
}

#[tokio::test]
async fn d8_a_robot_takes_the_seat_when_nobody_comes() -> Result<()> {
    let server = Launch::new()?.flag("--attach-robot-after", "1s").start()?;
    let (mut opener, mut player) = leading_opener(server.url(), ask::new_game).await?;
    move_alone(&mut player, &mut opener).await?;
    let (alone, draw) = (player.revision, tiles(player.table.draw.as_ref())?);
    let taken = seat_taken(&mut opener, &mut player).await?;
    ensure!((taken.seat, taken.robot, taken.revision) == (1 - player.seat, true, alone + 1), "{taken:?}");

    player.play_to_end(&mut opener).await?;
    let mut http = Http::connect(server.url()).await?;
    let finished = Finished::download(&mut http, player.id(), &player.table.commitment).await?;
    ensure!(finished.view == player.view, "the log replays to another board");
    ensure!(finished.json["seats"][taken.seat as usize]["kind"] == "robot", "{}", finished.json["seats"]);
    let now = KalahPlayer::returned(&mut opener, player.id(), 1).await?;
    ensure!(tiles(now.table.draw.as_ref())? == draw, "the robot changed the draw");
    Ok(())
}

#[tokio::test]
async fn d6_d8_two_searches_meet_in_one_game() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let first = KalahPlayer::opener(&mut ada, ask::new_game(), 1).await?;
    let found = match blaise.done(ask::new_game()).await? {
        Event::Searching(searching) => searching,
        other => bail!("{other:?}"),
    };
    ensure!(found.joined && found.game_id == first.id(), "{found:?}");
    let second = KalahPlayer::started(&mut blaise, &found.game_id, 2).await?;
    ensure!(second.table.draw.is_some(), "a table opened without a leader of its draw");
    play_both(&mut [first, second], &mut [ada, blaise]).await?;
    Ok(())
}

#[tokio::test]
async fn d8_an_account_waits_in_a_few_games_at_most() -> Result<()> {
    let server = Server::start()?;
    let mut client = people::one(server.url(), Wire::Json).await?;
    for _ in 0..SEARCHES_MAX {
        if let Err(refusal) = client.call(ask::new_friend_game()).await? {
            ensure!(refusal.code == "ALREADY_SEARCHING", "{refusal:?}");
            return Ok(());
        }
    }
    bail!("an account may wait in {SEARCHES_MAX} games at once")
}

#[tokio::test]
async fn d8_ending_a_game_that_waits_is_a_cancel() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    for operation in [ask::resign as fn(&str) -> _, ask::leave, ask::abort] {
        let opened = KalahPlayer::opener(&mut ada, ask::new_friend_game(), 1).await?;
        ada.done(operation(opened.id())).await?;
        let gone = blaise.refused(ask::join(opened.id())).await?;
        ensure!(["FAILED_PRECONDITION", "NOT_FOUND"].contains(&gone.code.as_str()), "{gone:?}");
    }
    Ok(())
}

/// Whoever joined may neither cancel a game in which others wait nor end it in another way.
#[tokio::test]
async fn d8_nobody_but_the_opener_ends_a_game_that_waits() -> Result<()> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let three = || {
        let (game, seats) = ("crossword".to_owned(), Some(3));
        Operation::NewGame(NewGame { game, seats, ..NewGame::default() })
    };
    let Event::Searching(opened) = ada.done(three()).await? else { bail!("no search") };
    let Event::Searching(found) = blaise.done(three()).await? else { bail!("no search") };
    ensure!(found.joined && found.game_id == opened.game_id, "{found:?}");
    for operation in [ask::cancel as fn(&str) -> _, ask::resign, ask::leave, ask::abort] {
        let refused = blaise.refused(operation(&opened.game_id)).await?;
        ensure!(refused.code == "PERMISSION_DENIED" && refused.message.contains("who opened"), "{refused:?}");
    }
    ada.done(ask::cancel(&opened.game_id)).await?;
    Ok(())
}
