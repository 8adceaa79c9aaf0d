//! Scenarios by their numbers that need the whole system: whoever turns to another game says so through the gateway,
//! and what a next game is drawn and shown depends on all roles. The others are played in the crate of the role.

use super::couple::Couple;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::NewFriendGame;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::Wire;
use astragal_tests::http::Http;
use astragal_tests::server::Server;
use serde_json::Value;

fn crossword() -> Operation {
    Operation::NewFriendGame(NewFriendGame { game: "crossword".into(), ..NewFriendGame::default() })
}

/// 14: the one who is asked searches. 15, 15a, 15b: the one who asked plays a robot, opens a game for a friend, joins
/// one. "The offer stayed after the asker left."
#[tokio::test]
async fn r1_s14_s15_who_turns_to_another_game_ends_the_request_and_stays_there() -> Result<()> {
    let server = Server::start()?;
    let mut friend = people::one(server.url(), Wire::Json).await?;
    let Event::Searching(waiting) = friend.done(ask::new_friend_game()).await? else {
        anyhow::bail!("no game to join")
    };
    for (turns, elsewhere) in [
        (1, ask::new_game()),
        (0, ask::new_bot_game(1)),
        (0, ask::new_friend_game()),
        (0, ask::join(&waiting.game_id)),
    ] {
        let mut couple = Couple::played([server.url(); 2]).await?;
        let id = couple.id().to_owned();
        couple.ask(0).await?;
        let said = couple.clients[turns].done(elsewhere.clone()).await?;
        ensure!([couple.refused(0).await?, couple.refused(1).await?] == ["left"; 2], "{elsewhere:?}");
        ensure!(couple.closed(1 - turns, &id).await? == "closed", "{elsewhere:?}");
        let after: Vec<Event> = couple.clients[turns].take_unread().into();
        let game = match &said {
            Event::Searching(searching) => &searching.game_id,
            Event::OnGameStart(start) => &start.table.as_ref().context("a table")?.game_id,
            other => anyhow::bail!("{other:?}"),
        };
        ensure!(*game != id, "{said:?}");
        let elsewhere_again = |event: &Event| match event {
            Event::OnGameStart(start) => start.table.as_ref().is_none_or(|table| table.game_id != *game),
            Event::OnRematchEnded(_) | Event::OnRematchRequest(_) => true,
            _ => false,
        };
        ensure!(!after.iter().any(elsewhere_again), "pulled out, or told twice: {after:?}");
    }
    Ok(())
}

/// 36 and 38: a game with tiles and hidden racks. The first one is drawn, the second alternates and says so; each has
/// a seed of its own, and neither is shown before its own end.
#[tokio::test]
async fn r3_s36_s38_a_rematch_at_crossword_draws_nothing_and_hides_what_is_new() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let mut couple = Couple::playing([server.url(); 2], crossword()).await?;
    let first = couple.table.clone();
    ensure!(first.draw.is_some() && first.first_seat == 0, "the draw decides who goes first: {first:?}");
    couple.resign(1).await?;
    let second = couple.rematch(0).await?.clone();
    ensure!(second.first_seat == 1 && second.to_move == [1], "{second:?}");
    ensure!(
        second.draw.is_none() && second.series.as_ref().is_some_and(|of| of.games.len() == 1),
        "{second:?}"
    );
    let drawn = async |http: &mut Http, id: &str| http.get(&format!("/v1/tables/{id}/draw")).await;
    ensure!(drawn(&mut http, &first.game_id).await?.status == 200, "the draw of the first game");
    ensure!(drawn(&mut http, &second.game_id).await?.status == 404, "a draw of a rematch");

    ensure!(second.commitment != first.commitment, "a seed was used twice");
    let log = async |http: &mut Http, id: &str| http.get(&format!("/v1/tables/{id}/log")).await;
    let of_first: Value = log(&mut http, &first.game_id).await?.json()?;
    let refused = log(&mut http, &second.game_id).await?;
    ensure!(refused.status == 409 && refused.text().contains("GAME_IN_PROGRESS"), "{}", refused.text());
    let seed = of_first["seed"].as_str().context("a seed")?;
    couple.resign(0).await?;
    let of_second: Value = log(&mut http, &second.game_id).await?.json()?;
    ensure!(of_second["seed"].is_string() && of_second["seed"] != seed, "the same seed");
    ensure!(
        couple.clients.iter().all(|client| client.unread().all(|event| !format!("{event:?}").contains(seed)))
    );
    // Over by now, it is among the games of its series, and still was not drawn.
    let Event::Table(over) = couple.clients[0].done(ask::watch(&second.game_id, None)).await? else {
        anyhow::bail!("no table")
    };
    ensure!(over.draw.is_none() && over.series.is_some_and(|of| of.games.len() == 2), "a draw appeared");
    Ok(())
}
