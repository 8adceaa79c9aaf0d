//! What ends a request for a rematch, and what doesn't: only who has found another game has turned away.

use super::couple::Couple;
use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{NewBotGame, NewFriendGame, NewGame};
use astragal_runtime::id::RequestId;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::server::Server;

const UNKNOWN: &str = "01936f5e-0000-7000-8000-00000000ffff";

fn no_game() -> NewGame {
    NewGame { game: "nope".into(), ..NewGame::default() }
}

/// A request of one of them that stands: it is withdrawn after all, and nothing else was told before.
async fn stands(couple: &mut Couple, asker: usize) -> Result<()> {
    let id = couple.id().to_owned();
    couple.clients[asker].done(ask::decline_rematch(&id)).await?;
    ensure!([couple.refused(0).await?, couple.refused(1).await?] == ["withdrawn"; 2], "it had ended before");
    Ok(())
}

/// "The frame was refused, and the rematch was gone all the same."
#[tokio::test]
async fn r1_a_search_that_is_refused_turns_nobody_away() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    couple.ask(1).await?;
    let full = couple.id().to_owned();
    for wrong in [
        Operation::NewGame(no_game()),
        Operation::NewGame(NewGame { game: "kalah".into(), seats: Some(99), ..NewGame::default() }),
        Operation::NewBotGame(NewBotGame { game: "nope".into(), level: 1, ..NewBotGame::default() }),
        ask::new_game_with_friends(&[UNKNOWN]),
        ask::join(UNKNOWN),
        ask::join(&full),
    ] {
        couple.clients[0].refused(wrong).await?;
    }
    stands(&mut couple, 1).await
}

/// Sent again after the game that it led to, a frame is answered as before and applied once: whoever opened that game
/// has not turned away from it, nor who joined it.
#[tokio::test]
async fn l14_an_old_search_that_is_sent_again_turns_nobody_away() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, first) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let (mut blaise, second) = Client::guest(server.url(), "Blaise", Wire::Binary).await?;
    let [opening, joining] = [(); 2].map(|()| RequestId::new().to_string());
    ada.send_as(&opening, ask::new_friend_game()).await?;
    let searching = ada.answer(&opening).await?;
    let Ok(Event::Searching(found)) = &searching else { bail!("{searching:?}") };
    let id = found.game_id.clone();
    blaise.send_as(&joining, ask::join(&id)).await?;
    ensure!(blaise.answer(&joining).await?.is_ok(), "an answer");
    let Event::Table(table) = ada.done(ask::watch(&id, None)).await? else { bail!("no table") };
    let mut couple = Couple { clients: [ada, blaise], guests: [first, second], table };
    couple.resign(0).await?;
    let Event::Ack(_) = couple.clients[0].done(ask::rematch(&id)).await? else { bail!("not asked") };

    couple.clients[0].send_as(&opening, ask::new_friend_game()).await?;
    let again = couple.clients[0].answer(&opening).await?;
    let Ok(Event::Searching(same)) = &again else { bail!("{again:?}") };
    ensure!(same.game_id == id, "answered the same");
    couple.clients[1].send_as(&joining, ask::join(&id)).await?;
    ensure!(couple.clients[1].answer(&joining).await?.is_ok(), "an answer");
    stands(&mut couple, 0).await
}

/// Who is named by a friend has done nothing, and so keeps what they asked for; only who opens the game goes elsewhere.
#[tokio::test]
async fn r1_who_is_named_by_a_friend_has_not_turned_away() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    couple.ask(0).await?;
    let mut friend = people::one(server.url(), Wire::Json).await?;
    let named = couple.guests[0].account_id.clone();
    let Event::Searching(game) = friend.done(ask::new_game_with_friends(&[&named])).await? else {
        bail!("no game among friends")
    };
    couple.started(0, &game.game_id).await.context("the one who is named is seated")?;
    stands(&mut couple, 0).await
}

/// The same id with other content is refused, also across rematch and decline.
#[tokio::test]
async fn l14_one_id_does_not_ask_and_decline() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    let request = RequestId::new().to_string();
    couple.clients[0].send_as(&request, ask::rematch(&id)).await?;
    ensure!(couple.clients[0].answer(&request).await?.is_ok(), "an answer");
    couple.clients[0].send_as(&request, ask::decline_rematch(&id)).await?;
    let refused = couple.clients[0].answer(&request).await?;
    let Err(refusal) = &refused else { bail!("{refused:?}") };
    ensure!(refusal.code == "INVALID_ARGUMENT", "{refusal:?}");
    couple.requested(1).await?;
    stands(&mut couple, 0).await
}

/// R1, R7: leaving means no rematch, also where the others have played on: none is offered, and none can be asked for.
#[tokio::test]
async fn r1_r7_after_somebody_has_left_nobody_plays_on() -> Result<()> {
    let server = Server::start()?;
    let mut people = Vec::new();
    for _ in 0..3 {
        people.push(people::one(server.url(), Wire::Json).await?);
    }
    let opening = NewFriendGame { game: "crossword".into(), seats: Some(3), ..NewFriendGame::default() };
    let Event::Searching(found) = people[0].done(Operation::NewFriendGame(opening)).await? else {
        bail!("no game")
    };
    for friend in &mut people[1..] {
        friend.done(ask::join(&found.game_id)).await?;
    }
    people[1].done(ask::leave(&found.game_id)).await?;
    people[2].done(ask::resign(&found.game_id)).await?;
    for person in &mut people {
        let end = person.event_where(|event| match event {
            Event::OnGameEnd(end) => Some(end),
            _ => None,
        });
        let end = end.await?;
        ensure!(end.outcome.as_ref().is_some_and(|outcome| outcome.reason == "resigned"), "{end:?}");
        ensure!(end.rematch.is_none() && end.rematch_until.is_none(), "{end:?}");
        let Event::OnRematchEnded(ended) = person.done(ask::rematch(&found.game_id)).await? else {
            bail!("a rematch")
        };
        ensure!(ended.reason == "closed", "{ended:?}");
    }
    Ok(())
}
