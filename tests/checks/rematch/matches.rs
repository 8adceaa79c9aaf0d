//! Best of N on top of a series.

use super::couple::Couple;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{MatchRequest, NewFriendGame, NewGame};
use astragal_tests::client::Wire;
use astragal_tests::server::Server;

fn best_of(games: u32) -> Operation {
    let r#match = Some(MatchRequest { best_of: games });
    Operation::NewFriendGame(NewFriendGame { game: "kalah".into(), r#match, ..NewFriendGame::default() })
}

#[tokio::test]
async fn r11_best_of_three_ends_when_it_is_decided_and_a_new_match_begins() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::playing([server.url(); 2], best_of(3)).await?;
    let series = couple.table.series.clone().context("a series")?.id;
    // Seat 1 wins, seat 0 wins, seat 1 wins: two to one.
    for (game, loser) in [0, 1, 0].into_iter().enumerate() {
        ensure!(
            couple.table.r#match.as_ref().is_some_and(|of| of.best_of == 3),
            "{:?}",
            couple.table.r#match
        );
        let now = couple.table.series.clone().context("a series")?;
        ensure!(now.id == series && now.games.len() == game, "{now:?}");
        ensure!(couple.table.first_seat == game as u32 % 2, "{}", couple.table.first_seat);
        couple.resign(loser).await?;
        couple.rematch(0).await?;
    }
    let new = couple.table.series.clone().context("a series")?;
    ensure!(new.id != series && new.games.is_empty(), "a new match begins: {new:?}");
    ensure!(couple.table.first_seat == 1, "the first seat goes on alternating");
    ensure!(couple.table.r#match.as_ref().is_some_and(|of| of.best_of == 3), "{:?}", couple.table.r#match);
    Ok(())
}

#[tokio::test]
async fn r11_only_those_who_want_the_same_match_meet() -> Result<()> {
    let server = Server::start()?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let mut blaise = people::one(server.url(), Wire::Json).await?;
    let wanted = |games: u32| {
        let r#match = Some(MatchRequest { best_of: games });
        Operation::NewGame(NewGame { game: "kalah".into(), r#match, ..NewGame::default() })
    };
    for wrong in [0, 1, 2, 4, 6, 8, 9] {
        ensure!(ada.refused(wanted(wrong)).await?.code == "INVALID_ARGUMENT", "best of {wrong}");
    }
    let joined = |event: Event| matches!(event, Event::Searching(searching) if searching.joined);
    ensure!(!joined(ada.done(wanted(3)).await?), "nobody waits");
    ensure!(!joined(blaise.done(wanted(5)).await?), "another match");
    ensure!(!joined(blaise.done(astragal_tests::ask::new_game()).await?), "no match");
    ensure!(joined(blaise.done(wanted(3)).await?), "the same match");
    Ok(())
}
