//! Those who watch: led to the next game, and told of nothing else.

use super::couple::{Couple, start_of};
use crate::people;
use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::Wire;
use astragal_tests::server::Server;

/// "Spectators were told of a rematch against someone else."
#[tokio::test]
async fn r9_spectators_are_led_on_and_get_no_buttons() -> Result<()> {
    let server = Server::start()?;
    let mut couple = Couple::at([server.url(); 2]).await?;
    let id = couple.id().to_owned();
    let mut early = people::one(server.url(), Wire::Json).await?;
    early.done(ask::watch(&id, None)).await?;
    couple.resign(0).await?;
    let mut late = people::one(server.url(), Wire::Binary).await?;
    let Event::Table(table) = late.done(ask::watch(&id, None)).await? else { bail!("no table") };
    ensure!(table.rematch.is_none() && table.rematch_until.is_none(), "{:?}", table.rematch);

    couple.ask(1).await?;
    let next = start_of(couple.clients[0].done(ask::rematch(&id)).await?)?.game_id;
    let mut later = people::one(server.url(), Wire::Json).await?;
    later.done(ask::watch(&id, None)).await?;
    for spectator in [&mut early, &mut late, &mut later] {
        let mut heard = Vec::new();
        let led = loop {
            match spectator.event().await? {
                Event::OnNextGame(led) => break led,
                other => heard.push(other),
            }
        };
        ensure!((&led.game_id, &led.next_game_id) == (&id, &next), "{led:?}");
        let of_a_rematch = |event: &Event| match event {
            Event::OnRematchRequest(_) | Event::OnRematchEnded(_) | Event::OnGameStart(_) => true,
            Event::OnGameEnd(end) => end.rematch.is_some() || end.rematch_until.is_some(),
            _ => false,
        };
        ensure!(!heard.iter().any(of_a_rematch), "{heard:?}");
        let Event::Table(table) = spectator.done(ask::watch(&next, None)).await? else { bail!("no table") };
        ensure!(table.your_seat.is_none(), "{:?}", table.your_seat);
    }
    for client in &mut couple.clients {
        ensure!(
            !client.take_unread().iter().any(|event| matches!(event, Event::OnNextGame(_))),
            "players get their start instead"
        );
    }
    Ok(())
}
