//! Asking, accepting, declining; what each answer is, and that nobody else hears of it.

use super::couple::{Couple, requested, start_of};
use crate::at_once::{at_once, code, same_at_once};
use crate::people;
use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::server::Server;
use uuid::Uuid;

const UNKNOWN: &str = "019343f0-0000-7000-8000-000000000000";

#[tokio::test]
async fn r1_r3_r7_a_rematch_swaps_who_moves_first_and_keeps_the_seats() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::at([server.url(); 2]).await?;
    let first = couple.table.clone();
    let [end, other] = couple.resign(1).await?;
    ensure!(end.rematch.as_deref() == Some("available") && end.rematch_until.is_some(), "{end:?}");
    ensure!(other.rematch == end.rematch && other.rematch_until == end.rematch_until, "{other:?}");
    let games = &end.series.as_ref().unwrap_or_else(|| unreachable!("an end has a series")).games;
    ensure!(games.len() == 1 && games[0].reason == "resigned" && games[0].winner == Some(0), "{games:?}");

    let second = couple.rematch(1).await?.clone();
    ensure!(second.first_seat == 1 - first.first_seat && second.to_move == [second.first_seat], "{second:?}");
    let [before, now] = [&first, &second].map(|table| table.series.clone().unwrap_or_default());
    ensure!(before.id == now.id && !now.id.is_empty() && &now.games == games, "{now:?}");
    let names = |seat: usize| [&first, &second].map(|table| table.seats[seat].name.clone());
    ensure!(names(0)[0] == names(0)[1] && names(1)[0] == names(1)[1], "seats moved");
    ensure!(second.commitment != first.commitment, "R38: a seed was used twice");
    ensure!(second.draw.is_none() && first.draw.is_some(), "a rematch draws nothing");
    Ok(())
}

#[tokio::test]
async fn r1_declined_withdrawn_and_closed_are_told_to_both() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    couple.ask(0).await?;
    couple.clients[0].done(ask::decline_rematch(&id)).await?;
    ensure!([couple.refused(0).await?, couple.refused(1).await?] == ["withdrawn"; 2], "withdrawn");
    couple.ask(1).await?;
    couple.clients[0].done(ask::decline_rematch(&id)).await?;
    ensure!([couple.refused(0).await?, couple.refused(1).await?] == ["declined"; 2], "declined");
    for seat in [0, 1] {
        ensure!(couple.closed(seat, &id).await? == "closed", "after it was declined");
        ensure!(couple.clients[seat].take_unread().is_empty(), "closed is the asker's alone");
    }
    Ok(())
}

#[tokio::test]
async fn r1_who_searches_or_leaves_is_not_pulled_into_a_rematch() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    couple.ask(0).await?;
    couple.clients[0].done(ask::new_bot_game(1)).await?;
    ensure!([couple.refused(0).await?, couple.refused(1).await?] == ["left"; 2], "left");
    ensure!(couple.closed(1, &id).await? == "closed", "A is elsewhere");

    let mut couple = Couple::at([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    couple.clients[0].done(ask::leave(&id)).await?;
    let end = couple.ended(1, &id).await?;
    ensure!(end.rematch.is_none() && end.rematch_until.is_none(), "{end:?}");
    for seat in [0, 1] {
        ensure!(couple.closed(seat, &id).await? == "closed", "somebody left");
    }
    Ok(())
}

#[tokio::test]
async fn r8_what_stands_is_said_again_to_a_new_socket() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let (_, heard) = couple.ask(0).await?;
    for (seat, word) in [(0, "waiting"), (1, "requested")] {
        let (mut tab, welcome) = Client::enter(server.url(), &couple.guests[seat], Wire::Json).await?;
        let [offer] = &welcome.offers[..] else { bail!("{:?}", welcome.offers) };
        ensure!((&offer.game_id, offer.from_seat) == (&heard.game_id, 0), "{offer:?}");
        ensure!(offer.expires_at == heard.expires_at, "{offer:?}");
        let Event::Table(table) = tab.done(ask::watch(&heard.game_id, None)).await? else {
            bail!("no table")
        };
        ensure!(table.rematch.as_deref() == Some(word), "{:?}", table.rematch);
        ensure!(table.rematch_until == heard.expires_at, "{:?}", table.rematch_until);
    }
    let (mut tab, _) = Client::enter(server.url(), &couple.guests[0], Wire::Json).await?;
    tab.done(ask::decline_rematch(&heard.game_id)).await?;
    ensure!(couple.refused(0).await? == "withdrawn", "any tab can withdraw");
    Ok(())
}

#[tokio::test]
async fn r1_what_is_asked_wrongly_is_answered_and_heard_by_nobody() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::at([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    let mut stranger = people::one(server.url(), Wire::Json).await?;
    for operation in [ask::rematch(&id), ask::decline_rematch(&id)] {
        let refusal = couple.clients[0].refused(operation.clone()).await?;
        ensure!(refusal.code == "GAME_IN_PROGRESS", "{refusal:?}");
        ensure!(stranger.refused(operation).await?.code == "NOT_FOUND", "a stranger, before the end");
    }
    couple.resign(0).await?;
    for (game_id, code) in [(UNKNOWN, "NOT_FOUND"), ("no-id", "INVALID_ARGUMENT"), ("", "INVALID_ARGUMENT")] {
        for operation in [ask::rematch(game_id), ask::decline_rematch(game_id)] {
            ensure!(couple.clients[0].refused(operation).await?.code == code, "{game_id:?}");
        }
    }
    stranger.done(ask::watch(&id, None)).await?;
    for operation in [ask::rematch(&id), ask::decline_rematch(&id)] {
        ensure!(stranger.refused(operation.clone()).await?.code == "NOT_FOUND", "a spectator, after the end");
        couple.clients[0].send_as("no uuid", operation).await?;
        ensure!(code(&couple.clients[0].answer("no uuid").await?) == "INVALID_ARGUMENT", "an id");
    }
    couple.clients[0].done(ask::decline_rematch(&id)).await?;
    for client in &mut couple.clients {
        ensure!(client.take_unread().is_empty(), "somebody heard of it");
    }
    couple.ask(0).await?;
    Ok(())
}

#[tokio::test]
async fn r1_asking_often_is_refused_and_the_sixth_time_heard_by_nobody() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    for _ in 0..5 {
        couple.ask(0).await?;
        couple.clients[0].done(ask::decline_rematch(&id)).await?;
        ensure!(couple.refused(1).await? == "withdrawn", "withdrawn");
    }
    ensure!(couple.clients[0].refused(ask::rematch(&id)).await?.code == "RATE_LIMITED", "the sixth");
    couple.ask(1).await?;
    Ok(())
}

/// "A double click made two games."
#[tokio::test]
async fn r2_l14_two_clicks_and_a_repetition_make_one_game() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    let (mut tab, _) = Client::enter(server.url(), &couple.guests[0], Wire::Json).await?;
    couple.ask(1).await?;
    let request = "019343f0-0000-7000-8000-000000000001";
    let accepted = same_at_once([&mut couple.clients[0], &mut tab], request, &ask::rematch(&id)).await?;
    let mut games = Vec::new();
    for answer in accepted {
        games.push(start_of(answer.map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?)?.game_id);
    }
    couple.clients[0].send_as(request, ask::rematch(&id)).await?;
    let again = couple.clients[0].answer(request).await?;
    games.push(start_of(again.map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?)?.game_id);
    ensure!(games.iter().all(|game| *game == games[0]), "{games:?}");
    ensure!(couple.closed(0, &id).await? == "closed", "another request comes too late");
    Ok(())
}

/// Two tabs ask at once, each with an id of its own: the other one hears of it once, and both wait for the same.
#[tokio::test]
async fn r1_asking_at_once_on_two_sockets_asks_once() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    let (mut tab, _) = Client::enter(server.url(), &couple.guests[0], Wire::Json).await?;
    let [ada, _] = &mut couple.clients;
    let mut until = Vec::new();
    for answer in at_once((ada, ask::rematch(&id)), (&mut tab, ask::rematch(&id))).await? {
        match answer {
            Ok(Event::Ack(ack)) => until.push(ack.expires_at),
            other => bail!("{other:?}"),
        }
    }
    let heard = couple.requested(1).await?;
    ensure!(until == [heard.expires_at; 2], "{until:?}");
    couple.clients[1].done(ask::ping()).await?;
    ensure!(couple.clients[1].take_unread().is_empty(), "asked twice");
    couple.clients[1].done(ask::decline_rematch(&id)).await?;
    ensure!(couple.refused(0).await? == "declined", "one no ends it");
    Ok(())
}

/// "Both asked at once, two games."
#[tokio::test]
async fn r2_both_ask_at_the_same_instant() -> Result<()> {
    let server = Server::start()?;
    for _ in 0..25 {
        let mut couple = Couple::played([server.url(); 2]).await?;
        let id = couple.id().to_owned();
        let [one, other] = &mut couple.clients;
        let answers = at_once((one, ask::rematch(&id)), (other, ask::rematch(&id))).await?;
        let started = answers.iter().filter(|answer| matches!(answer, Ok(Event::OnGameStart(_)))).count();
        ensure!(started >= 1, "{answers:?}");
        let Some(Ok(Event::OnGameStart(start))) =
            answers.iter().find(|answer| matches!(answer, Ok(Event::OnGameStart(_))))
        else {
            bail!("{answers:?}")
        };
        let next = start.table.as_ref().map(|table| table.game_id.clone()).unwrap_or_default();
        for (seat, answer) in answers.iter().enumerate() {
            if !matches!(answer, Ok(Event::OnGameStart(_))) {
                couple.started(seat, &next).await?;
            }
        }
        for client in &mut couple.clients {
            ensure!(
                !client.take_unread().iter().any(|event| matches!(event, Event::OnRematchEnded(_))),
                "no end is told"
            );
        }
    }
    Ok(())
}

/// "The offer stayed in other tabs", "was lost on reload".
#[tokio::test]
async fn r8_every_tab_of_both_hears_of_the_request_and_its_end() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::played([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    let (mut tab, _) = Client::enter(server.url(), &couple.guests[1], Wire::Json).await?;
    couple.ask(0).await?;
    ensure!(requested(&mut tab).await?.game_id == id, "the other tab");
    couple.clients[1].done(ask::decline_rematch(&id)).await?;
    let ended = tab.event_where(|event| match event {
        Event::OnRematchEnded(ended) => Some(ended.reason),
        _ => None,
    });
    ensure!(ended.await? == "declined", "the other tab");
    let (_, welcome) = Client::enter(server.url(), &couple.guests[1], Wire::Json).await?;
    ensure!(welcome.offers.is_empty(), "{:?}", welcome.offers);
    ensure!(Uuid::parse_str(&id).is_ok(), "{id}");
    Ok(())
}
