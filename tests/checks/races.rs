//! Two at the same instant, 200 times each: one wins every time, the other gets the right
//! answer, and the journal is whole.

use crate::finished::Finished;
use crate::journal::Journal;
use crate::people;
use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Answer, Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;

const RACES: u64 = 200;

/// Both send before either waits, so both are on their way at once.
async fn at_once(first: (&mut Client, Operation), second: (&mut Client, Operation)) -> Result<[Answer; 2]> {
    let (first_id, second_id) = tokio::try_join!(first.0.send(first.1), second.0.send(second.1))?;
    let (first, second) = tokio::try_join!(first.0.answer(&first_id), second.0.answer(&second_id))?;
    Ok([first, second])
}

fn code(answer: &Answer) -> &str {
    answer.as_ref().err().map_or("", |refusal| &refusal.code)
}

/// The place of the one that won; the other must have been refused with one of the codes.
fn winner(answers: &[Answer; 2], codes: &[&str]) -> Result<usize> {
    match answers {
        [Ok(_), Err(refusal)] if codes.contains(&refusal.code.as_str()) => Ok(0),
        [Err(refusal), Ok(_)] if codes.contains(&refusal.code.as_str()) => Ok(1),
        odd => bail!("not one winner and one of {codes:?}: {odd:?}"),
    }
}

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
            let revision = player.revision;
            while follower.revision < revision || follower.outcome.is_some() != player.outcome.is_some() {
                follower.wait(&mut other_tab).await?;
            }
            while other.revision < revision || other.outcome.is_some() != player.outcome.is_some() {
                other.wait(&mut opponent).await?;
            }
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

        let outcome = players[mover].play_to_end(&mut clients[mover]).await?;
        ensure!(outcome.reason == "left" && outcome.winner == Some(players[mover].seat), "{outcome:?}");
        let finished = Finished::download(&mut http, &id, &players[0].table.commitment).await?;
        ensure!(finished.moves()?.len() == 1 + usize::from(was_made), "{}", finished.text);
        let journal = Journal::read(&mut historian, &id, players[mover].revision).await?;
        ensure!(journal.moves().count() == finished.moves()?.len(), "the journal and the log differ");
    }
    Ok(())
}

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
        table.play_to_end(&mut opener).await?;
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
        table.play_to_end(&mut opener).await?;
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
        player.play_to_end(&mut first).await?;
    }
    let (_, welcome) = Client::enter(server.url(), &guest, Wire::Json).await?;
    ensure!(welcome.tables.is_empty() && welcome.open_games.is_empty(), "games were left over: {welcome:?}");
    Ok(())
}
