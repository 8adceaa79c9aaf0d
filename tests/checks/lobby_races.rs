//! Two at the lobby at the same instant, many times: one wins every time, the other gets the right
//! answer, and no game is half done.

use crate::at_once::{RACES, at_once, same_at_once, winner};
use crate::journal::Journal;
use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Answer, Client, Wire};
use astragal_tests::http::Guest;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Far more games than anyone may wait in.
const SEARCHES_MAX: usize = 20;

#[tokio::test]
async fn d10_two_take_the_last_seat_at_once() -> Result<()> {
    let server = Server::start()?;
    let [mut first, mut second] = people::two(server.url(), Wire::Json).await?;
    let (mut opener, mut historian) =
        (people::one(server.url(), Wire::Json).await?, people::one(server.url(), Wire::Json).await?);
    for race in 0..RACES {
        let mut table = KalahPlayer::opener(&mut opener, ask::new_friend_game(), race).await?;
        let id = table.id().to_owned();
        let answers = at_once((&mut first, ask::join(&id)), (&mut second, ask::join(&id))).await?;
        winner(&answers, &["SEAT_TAKEN"])?;
        opener.done(ask::leave(&id)).await?;
        table.wait_for_end(&mut opener).await?;
        let journal = Journal::read(&mut historian, &id, table.revision).await?;
        ensure!(journal.seats_taken() == 2, "{} seats were taken", journal.seats_taken());
    }
    Ok(())
}

#[tokio::test]
async fn d10_a_join_and_a_cancel_at_once() -> Result<()> {
    let server = Server::start()?;
    let [mut opener, mut joiner] = people::two(server.url(), Wire::Json).await?;
    let mut historian = people::one(server.url(), Wire::Json).await?;
    let refusals = ["NOT_FOUND", "GAME_OVER", "FAILED_PRECONDITION", "SEAT_TAKEN", "GAME_IN_PROGRESS"];
    for race in 0..RACES {
        let mut table = KalahPlayer::opener(&mut opener, ask::new_friend_game(), race).await?;
        let id = table.id().to_owned();
        let answers = at_once((&mut joiner, ask::join(&id)), (&mut opener, ask::cancel(&id))).await?;
        if winner(&answers, &refusals)? == 1 {
            let again = joiner.refused(ask::join(&id)).await?;
            ensure!(refusals.contains(&again.code.as_str()), "a cancelled game: {again:?}");
            continue;
        }
        opener.done(ask::leave(&id)).await?;
        table.wait_for_end(&mut opener).await?;
        let journal = Journal::read(&mut historian, &id, table.revision).await?;
        ensure!(journal.seats_taken() == 2, "{} seats were taken", journal.seats_taken());
    }
    Ok(())
}

#[tokio::test]
async fn d10_two_search_at_once_and_meet() -> Result<()> {
    let server = Server::start()?;
    let (mut first, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let mut second = people::one(server.url(), Wire::Binary).await?;
    for race in 0..RACES {
        let answers = at_once((&mut first, ask::new_game()), (&mut second, ask::new_game())).await?;
        let [Ok(Event::Searching(mine)), Ok(Event::Searching(theirs))] = &answers else {
            bail!("{answers:?}")
        };
        ensure!(mine.game_id == theirs.game_id, "they wait side by side in race {race}: {answers:?}");
        ensure!(mine.joined != theirs.joined, "one opens, the other joins: {answers:?}");
        let id = mine.game_id.clone();
        let mut player = KalahPlayer::started(&mut first, &id, race).await?;
        KalahPlayer::started(&mut second, &id, race).await?;
        first.done(ask::leave(&id)).await?;
        player.wait_for_end(&mut first).await?;
    }
    let (_, welcome) = Client::enter(server.url(), &guest, Wire::Json).await?;
    ensure!(welcome.tables.is_empty() && welcome.open_games.is_empty(), "games were left over: {welcome:?}");
    Ok(())
}

/// The game that a search found or opened.
fn found(answer: &Answer, joined: bool) -> Result<String> {
    match answer {
        Ok(Event::Searching(searching)) if searching.joined == joined => Ok(searching.game_id.clone()),
        odd => bail!("a search with joined: {joined} was expected, not {odd:?}"),
    }
}

/// The games in which an account waits, as its next socket is told.
async fn waits_in(url: &str, guest: &Guest) -> Result<BTreeSet<String>> {
    let (_, welcome) = Client::enter(url, guest, Wire::Json).await?;
    ensure!(welcome.tables.iter().all(|table| table.phase == "waiting"), "played: {:?}", welcome.tables);
    Ok(welcome.open_games.into_iter().map(|game| game.game_id).collect())
}

#[tokio::test]
async fn d10_two_tabs_open_at_once_and_nobody_plays_themselves() -> Result<()> {
    let server = Server::start()?;
    let (guest, [mut tab, mut other_tab]) = people::with_two_sockets(server.url()).await?;
    let mut waiting = BTreeSet::new();
    while waiting.len() < SEARCHES_MAX {
        let answer = tab.call(ask::new_game()).await?;
        if answer.is_err() {
            break;
        }
        waiting.insert(found(&answer, false)?);
    }
    for _ in 0..RACES {
        let gone = waiting.pop_first().context("a search that could be opened")?;
        tab.done(ask::cancel(&gone)).await?;
        let answers = at_once((&mut tab, ask::new_game()), (&mut other_tab, ask::new_game())).await?;
        let won = winner(&answers, &["ALREADY_SEARCHING"])?;
        waiting.insert(found(&answers[won], false)?);
    }
    ensure!(waits_in(server.url(), &guest).await? == waiting, "other games wait than were told of");
    Ok(())
}

#[tokio::test]
async fn l14_d10_one_frame_from_two_tabs_at_once_opens_one_game() -> Result<()> {
    let server = Server::start()?;
    let (guest, [mut tab, mut other_tab]) = people::with_two_sockets(server.url()).await?;
    for race in 1..=RACES {
        let operation = if race % 2 == 0 { ask::new_game() } else { ask::new_friend_game() };
        let id = Uuid::from_u128(race.into()).to_string();
        let answers = same_at_once([&mut tab, &mut other_tab], &id, &operation).await?;
        ensure!(answers[0] == answers[1], "one frame was answered in two ways: {answers:?}");
        let game_id = found(&answers[0], false)?;
        ensure!(waits_in(server.url(), &guest).await? == [game_id.clone()].into(), "more than one game");
        tab.done(ask::cancel(&game_id)).await?;
    }
    Ok(())
}
