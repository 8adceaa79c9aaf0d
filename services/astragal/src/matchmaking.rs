//! `astragal matchmaking`: the role matchmaking in a process of its own.

use crate::database_url::DatabaseUrl;
use crate::health::Health;
use crate::keys::SigningKeyFlag;
use crate::process;
use crate::role_port::{OperatorsFlag, RolePort};
use crate::roles::{self, Outside};
use anyhow::Result;
use astragal_matchmaking::settings::Settings;
use astragal_proto::matchmaking::v1::{account_service_server, matchmaking_service_server};
use astragal_proto::seeding::v1::seeding_service_server;
use astragal_runtime::auth::bearer::Bearer;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::channel::RoleChannel;
use clap::Args;
use std::net::SocketAddr;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const SERVICES: [&str; 3] = [
    account_service_server::SERVICE_NAME,
    matchmaking_service_server::SERVICE_NAME,
    seeding_service_server::SERVICE_NAME,
];

/// What a matchmaking is started with.
#[derive(Args)]
pub(crate) struct MatchmakingSettings {
    /// Where gateways call.
    #[arg(long, env = "ASTRAGAL_LISTEN", default_value = "127.0.0.1:7002")]
    listen: SocketAddr,
    #[command(flatten)]
    operators: OperatorsFlag,
    /// `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(long, env = "ASTRAGAL_DATABASE_URL", hide_env_values = true)]
    database_url: DatabaseUrl,
    /// `redis://HOST:PORT`; without it nobody is told when a game starts or is found.
    #[arg(long, env = "ASTRAGAL_REDIS_URL", hide_env_values = true)]
    redis_url: Option<String>,
    /// The engines, `http://HOST:PORT` with commas between them; a name may stand for several.
    #[arg(long, env = "ASTRAGAL_ENGINE_URL", value_delimiter = ',', required = true)]
    engine_url: Vec<String>,
    #[command(flatten)]
    key: SigningKeyFlag,
    /// Seat a robot in a listed game that nobody joined for this long, such as `30s`; without it, never.
    #[arg(long, env = "ASTRAGAL_ATTACH_ROBOT_AFTER", value_parser = humantime::parse_duration)]
    attach_robot_after: Option<Duration>,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: MatchmakingSettings) -> Result<()> {
    process::run(|stop| serve(settings, stop))
}

async fn serve(settings: MatchmakingSettings, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(settings.redis_url.as_deref())?;
    let key = settings.key.key()?;
    let gate = Gate::new(key.verifier(), outside.clock.clone());
    let bearer = Bearer::signed(key.signer()?, outside.clock.clone());
    let engine = RoleChannel::remote(&settings.engine_url, Some(bearer))?;
    let port = RolePort::bind(settings.listen, &settings.operators).await?;
    let lobby = Settings { attach_robot_after: settings.attach_robot_after, ..Settings::default() };
    let database = &settings.database_url;
    let matchmaking = roles::matchmaking(lobby, database, engine, key.signer()?, &outside).await?;
    let health = Health::of(&SERVICES).await;
    let services = roles::matchmaking_routes(&matchmaking);
    let serving = port.serve(services, gate, &health, || matchmaking.ready(), &stop);
    let (served, ()) = tokio::join!(serving, matchmaking.run(stop.clone()));
    served
}
