//! The roles, each made ready with what it is connected to: the one place that decides which
//! store, clock, bus and channel a role gets.

use crate::games;
use anyhow::Result;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings as EngineSettings};
use astragal_matchmaking::settings::Settings as MatchmakingSettings;
use astragal_matchmaking::store::sqlite::SqliteStore;
use astragal_matchmaking::{Matchmaking, Wiring};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_runtime::auth::TokenSigner;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::{Entropy, OsEntropy};
use std::sync::Arc;
use tonic::service::Routes;

/// What comes from outside the program, and the bus.
pub(crate) struct Outside {
    /// The time of day.
    pub(crate) clock: Arc<dyn Clock>,
    /// Random bytes.
    pub(crate) entropy: Arc<dyn Entropy>,
    /// News between the roles of this process.
    pub(crate) bus: Bus,
}

impl Outside {
    /// The operating system's clock and entropy.
    pub(crate) fn of_this_machine() -> Self {
        Self { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy), bus: Bus::new() }
    }
}

/// The role engine, on an embedded database.
pub(crate) async fn engine(location: &Location, outside: &Outside) -> Result<Engine> {
    let store = Arc::new(SqliteTables::open(location).await?);
    let Outside { clock, entropy, bus } = outside;
    let settings = EngineSettings::default();
    Ok(Engine::open(settings, store, games::registry(), bus.clone(), clock.clone(), entropy.clone()))
}

/// The role matchmaking, on an embedded database.
pub(crate) async fn matchmaking(
    settings: MatchmakingSettings,
    location: &Location,
    engine: RoleChannel,
    signer: TokenSigner,
    outside: &Outside,
) -> Result<Matchmaking> {
    let wiring = Wiring {
        store: Arc::new(SqliteStore::open(location).await?),
        registry: Arc::new(games::registry()),
        engine: EngineServiceClient::new(engine),
        bus: outside.bus.clone(),
        signer,
        clock: outside.clock.clone(),
        entropy: outside.entropy.clone(),
    };
    Ok(Matchmaking::open(settings, wiring).await?)
}

/// The services of matchmaking, as one that can be called.
pub(crate) fn matchmaking_routes(role: &Matchmaking) -> Routes {
    Routes::new(role.matchmaking_service())
        .add_service(role.account_service())
        .add_service(role.seeding_service())
}
