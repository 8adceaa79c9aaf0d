//! Games whose players, tables and seats are looked after by different processes.

use super::{Pair, embedded};
use crate::finished::Finished;
use anyhow::{Result, ensure};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::play_both;
use astragal_tests::roles::Roles;

#[tokio::test]
async fn o1_whole_games_across_two_gateways_and_two_engines() -> Result<()> {
    let roles = Roles::start(&embedded(2, 2))?;
    // Several, so that each engine is preferred for some.
    let games = (0..6).map(|_| whole_game(&roles));
    futures::future::try_join_all(games).await?;
    Ok(())
}

async fn whole_game(roles: &Roles) -> Result<()> {
    let mut pair = Pair::seat(roles).await?;
    let outcome = play_both(&mut pair.players, &mut pair.clients).await?;
    ensure!(outcome.reason == "finished", "{outcome:?}");
    let [first, second] = &pair.players;
    ensure!(first.view == second.view, "the players saw two boards");
    for gateway in &roles.gateways {
        let mut http = Http::connect(gateway.url()).await?;
        let finished = Finished::download(&mut http, first.id(), &first.table.commitment).await?;
        ensure!(finished.view == first.view, "the log replays to another board");
    }
    Ok(())
}
