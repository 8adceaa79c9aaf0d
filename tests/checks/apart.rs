//! The roles as processes of their own: games across gateways and engines, who is let in, stops of
//! one role while the others go on, and starts that can't be.

mod clocks;
mod crowd;
mod games;
mod hosted;
mod limits;
mod migrations;
mod outages;
mod production;
mod refusals;
#[cfg(debug_assertions)]
mod rematch_crashes;
mod rematches;
mod rotation;
mod silence;
mod starts;
mod stops;
mod system;
mod telemetry;
mod tls;
mod viewers;

use anyhow::{Result, bail};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Guest;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::roles::{Plan, Roles};
use std::time::Duration;

/// Roles on SQLite files. Without a bus between the processes a move is learnt of by asking.
const fn embedded(engines: usize, gateways: usize) -> Plan {
    Plan {
        engines,
        matchmakings: 1,
        rematches: 0,
        gateways,
        heads_interval: Duration::from_millis(50),
        database_url: None,
        redis_url: None,
    }
}

/// Two players of one game, each on a gateway of their own.
struct Pair {
    clients: [Client; 2],
    guests: [Guest; 2],
    players: [KalahPlayer; 2],
}

impl Pair {
    /// A friend game between the first two gateways, with all seats taken.
    async fn seat(roles: &Roles) -> Result<Self> {
        let (mut ada, first) = Client::guest(roles.gateways[0].url(), "Ada", Wire::Json).await?;
        let (mut blaise, second) = Client::guest(roles.gateways[1].url(), "Blaise", Wire::Binary).await?;
        let game_id = match ada.done(ask::new_friend_game()).await? {
            Event::Searching(searching) if !searching.joined => searching.game_id,
            other => bail!("a waiting game was expected, not {other:?}"),
        };
        let joined = KalahPlayer::joiner(&mut blaise, &game_id, 7).await?;
        let opened = KalahPlayer::returned(&mut ada, &game_id, 5).await?;
        Ok(Self { clients: [ada, blaise], guests: [first, second], players: [opened, joined] })
    }

    /// Plays on until some moves have been made.
    async fn play_some(&mut self) -> Result<()> {
        let Self { clients: [ada, blaise], players: [first, second], .. } = self;
        tokio::try_join!(play_until(first, ada, 6), play_until(second, blaise, 6))?;
        Ok(())
    }
}

async fn play_until(player: &mut KalahPlayer, client: &mut Client, number: u32) -> Result<()> {
    while player.number < number {
        if player.is_to_move() {
            player.make_move(client).await?;
        } else {
            player.wait(client).await?;
        }
    }
    Ok(())
}
