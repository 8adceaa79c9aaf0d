//! What operators see of roles apart: traces at a collector of the test, metrics, log lines; and what they
//! don't see.

mod collector;
mod logs;
mod metrics;
mod page;
mod secrets;
mod traces;

use self::collector::Collector;
use super::{Pair, embedded};
use anyhow::{Context, Result};
use astragal_proto::content::Content;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::{Move, NewGame};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::roles::Roles;
use astragal_tests::server::Server;

/// A matchmaking, an engine and two gateways with ports for operators, which send a share of all traces to
/// the collector.
fn watched(collector: &Collector, ratio: &str) -> Result<Roles> {
    watched_by(collector.url(), ratio)
}

fn watched_by(endpoint: &str, ratio: &str) -> Result<Roles> {
    Roles::start_with(&embedded(1, 2), |_, _, launch| {
        let launch = launch.flag("--otlp-endpoint", endpoint).flag("--trace-ratio", ratio);
        Ok(launch.variable("ASTRAGAL_LOG_FORMAT", "json").operators())
    })
}

/// All processes, in the order in which they may stop.
fn processes(roles: &mut Roles) -> impl Iterator<Item = &mut Server> {
    roles.gateways.iter_mut().chain(&mut roles.matchmakings).chain(&mut roles.engines)
}

impl Pair {
    /// The place of whoever is to move, and of the other one.
    fn to_move(&self) -> Result<(usize, usize)> {
        let moving = self.players.iter().position(KalahPlayer::is_to_move);
        let moving = moving.context("nobody is to move")?;
        Ok((moving, 1 - moving))
    }

    /// One move, by whoever is to make it.
    async fn move_once(&mut self) -> Result<()> {
        let (moving, _) = self.to_move()?;
        self.players[moving].make_move(&mut self.clients[moving]).await?;
        Ok(())
    }

    /// A move of whoever is not to move.
    async fn move_out_of_turn(&mut self) -> Result<String> {
        let (_, waiting) = self.to_move()?;
        let player = &self.players[waiting];
        let content = Content::from_json(r#"{"pit":1}"#.into());
        let wrong =
            Move { game_id: player.id().to_owned(), revision: player.revision, r#move: Some(content) };
        Ok(self.clients[waiting].refused(Operation::Move(wrong)).await?.code)
    }
}

fn new_game() -> Operation {
    Operation::NewGame(NewGame { game: "kalah".into(), ..NewGame::default() })
}
