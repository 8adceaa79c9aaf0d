//! The engine, as this role calls it: about one game, and not for ever.

use std::time::Duration;

use astragal_proto::engine::v1::Occupant;
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use tonic::{Response, Status};

use crate::game::Player;

/// How long the engine may take for one answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The engine that gateways ask about the table of a game: it will have the table at hand.
pub(crate) fn engine_of(engine: &RoleChannel, game: TableId) -> EngineServiceClient<RoleChannel> {
    EngineServiceClient::new(engine.clone().about(game.0))
}

/// What the engine answers, if it does in time.
pub(crate) async fn answer<T>(
    call: impl Future<Output = std::result::Result<Response<T>, Status>>,
) -> Result<T> {
    match tokio::time::timeout(TIMEOUT, call).await {
        Ok(answered) => Ok(answered?.into_inner()),
        Err(_) => Err(Problem::unavailable("the engine does not answer; try again")),
    }
}

/// Somebody in a seat, in the engine's words.
pub(crate) fn occupant(seat: u8, player: Player) -> Occupant {
    Occupant {
        seat: seat.into(),
        account_id: player.account.to_string(),
        robot_level: player.robot_level.into(),
    }
}
