//! Two actions at one table at the same instant, many times: one wins every time, the other gets
//! the right answer, and the journal is whole.

use crate::at_once::{RACES, at_once, code, same_at_once, winner};
use crate::finished::Finished;
use crate::journal::Journal;
use crate::people;
use anyhow::{Result, ensure};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, told_both};
use astragal_tests::server::Server;
use uuid::Uuid;

#[tokio::test]
async fn l14_two_moves_of_one_seat_at_once() -> Result<()> {
    let server = Server::start()?;
    let (_, [mut tab, mut other_tab]) = people::with_two_sockets(server.url()).await?;
    let mut opponent = people::one(server.url(), Wire::Json).await?;
    let mut historian = people::one(server.url(), Wire::Json).await?;
    let mut http = Http::connect(server.url()).await?;
    let mut raced = 0;
    while raced < RACES {
        let [mut player, mut other] = KalahPlayer::pair(&mut tab, &mut opponent, raced).await?;
        let mut follower = KalahPlayer::started(&mut other_tab, player.id(), raced).await?;
        while player.outcome.is_none() {
            let mut refused = String::new();
            if player.is_to_move() {
                let (mine, theirs) = (player.next_move()?, player.next_move()?);
                let answers = at_once((&mut tab, mine), (&mut other_tab, theirs)).await?;
                winner(&answers, &["CONCURRENT_MOVE", "ILLEGAL_MOVE"])?;
                refused = answers.iter().map(code).collect::<String>();
                raced += 1;
            } else if other.is_to_move() {
                other.make_move(&mut opponent).await?;
            }
            follow_to(&mut player, &mut tab).await?;
            // After the last move there is nothing left to come too late for.
            ensure!(
                refused != "ILLEGAL_MOVE" || player.outcome.is_some(),
                "a move that was legal: {refused}"
            );
            catch_up(&mut follower, &mut other_tab, &player).await?;
            catch_up(&mut other, &mut opponent, &player).await?;
        }
        let journal = Journal::read(&mut historian, player.id(), player.revision).await?;
        let finished = Finished::download(&mut http, player.id(), &player.table.commitment).await?;
        ensure!(journal.moves().count() == finished.moves()?.len(), "the journal and the log differ");
        ensure!(finished.view == player.view, "the log replays to another board");
    }
    Ok(())
}

/// Takes in the next move, and the end where it comes with it.
async fn follow_to(player: &mut KalahPlayer, client: &mut Client) -> Result<()> {
    let number = player.number + 1;
    while player.number < number {
        player.wait(client).await?;
    }
    while player.to_move.is_empty() && player.outcome.is_none() {
        player.wait(client).await?;
    }
    Ok(())
}

/// Takes in all that another player knows.
async fn catch_up(player: &mut KalahPlayer, client: &mut Client, ahead: &KalahPlayer) -> Result<()> {
    while player.revision < ahead.revision || player.outcome != ahead.outcome {
        player.wait(client).await?;
    }
    Ok(())
}

#[tokio::test]
async fn l14_a_move_and_a_leave_at_once() -> Result<()> {
    let server = Server::start()?;
    let [ada, blaise] = people::two(server.url(), Wire::Json).await?;
    let mut clients = [ada, blaise];
    let mut historian = people::one(server.url(), Wire::Json).await?;
    let mut http = Http::connect(server.url()).await?;
    for race in 0..RACES {
        let [first, second] = &mut clients;
        let mut players = KalahPlayer::pair(first, second, race).await?;
        let id = players[0].id().to_owned();
        let mover = usize::from(players[1].is_to_move());
        let mut operations = [ask::leave(&id), ask::leave(&id)];
        operations[mover] = ask::make_move(&id, players[1].revision, &players[mover].pick()?);
        let [first_operation, second_operation] = operations;
        let answers = at_once((first, first_operation), (second, second_operation)).await?;
        ensure!(answers[1 - mover].is_ok(), "the leave: {answers:?}");
        let was_made = answers[mover].is_ok();
        ensure!(was_made || code(&answers[mover]) == "ILLEGAL_MOVE", "the move: {answers:?}");

        let outcome = told_both(&mut players, &mut clients).await?;
        ensure!(outcome.reason == "left" && outcome.winner == Some(players[mover].seat), "{outcome:?}");
        let finished = Finished::download(&mut http, &id, &players[0].table.commitment).await?;
        ensure!(finished.moves()?.len() == 1 + usize::from(was_made), "{}", finished.text);
        let journal = Journal::read(&mut historian, &id, players[mover].revision).await?;
        ensure!(journal.moves().count() == finished.moves()?.len(), "the journal and the log differ");
    }
    Ok(())
}

#[tokio::test]
async fn l14_one_move_from_two_tabs_at_once_is_made_once() -> Result<()> {
    let server = Server::start()?;
    let (_, [mut tab, mut other_tab]) = people::with_two_sockets(server.url()).await?;
    let mut opponent = people::one(server.url(), Wire::Json).await?;
    let mut historian = people::one(server.url(), Wire::Json).await?;
    let mut raced = 0;
    while raced < RACES {
        let [mut player, mut other] = KalahPlayer::pair(&mut tab, &mut opponent, raced).await?;
        let opening = other.revision;
        while player.outcome.is_none() && raced < RACES {
            if player.is_to_move() {
                raced += 1;
                let (id, operation) = (Uuid::from_u128(raced.into()).to_string(), player.next_move()?);
                let answers = same_at_once([&mut tab, &mut other_tab], &id, &operation).await?;
                ensure!(answers[0].is_ok() && answers[0] == answers[1], "{answers:?}");
            } else {
                other.make_move(&mut opponent).await?;
            }
            follow_to(&mut player, &mut tab).await?;
            catch_up(&mut other, &mut opponent, &player).await?;
        }
        let journal = Journal::read(&mut historian, player.id(), player.revision).await?;
        let moves = journal.moves().count();
        ensure!(moves as u32 == player.number && player.revision == opening + player.number, "{moves} moves");
        if player.outcome.is_none() {
            tab.done(ask::leave(player.id())).await?;
        }
    }
    Ok(())
}
