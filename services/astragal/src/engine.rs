//! `astragal engine`: the role engine in a process of its own.

use crate::database_url::DatabaseUrl;
use crate::health::Health;
use crate::keys::VerifyingKeyFlags;
use crate::process;
use crate::role_port::{OperatorsFlag, RolePort};
use crate::roles::{self, Outside};
use anyhow::Result;
use astragal_proto::engine::v1::engine_service_server::SERVICE_NAME;
use astragal_runtime::auth::gate::Gate;
use clap::Args;
use std::convert::Infallible;
use std::future::pending;
use std::net::SocketAddr;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// What an engine is started with.
#[derive(Args)]
pub(crate) struct EngineSettings {
    /// Where gateways and matchmakings call.
    #[arg(long, env = "ASTRAGAL_LISTEN", default_value = "127.0.0.1:7001")]
    listen: SocketAddr,
    #[command(flatten)]
    operators: OperatorsFlag,
    /// `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(long, env = "ASTRAGAL_DATABASE_URL", hide_env_values = true)]
    database_url: DatabaseUrl,
    /// `redis://HOST:PORT`; without it gateways learn of moves by asking, every few seconds.
    #[arg(long, env = "ASTRAGAL_REDIS_URL", hide_env_values = true)]
    redis_url: Option<String>,
    #[command(flatten)]
    keys: VerifyingKeyFlags,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: EngineSettings) -> Result<()> {
    process::run(|stop| serve(settings, stop))
}

async fn serve(settings: EngineSettings, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(settings.redis_url.as_deref())?;
    let gate = Gate::new(settings.keys.verifier()?, outside.clock.clone());
    let port = RolePort::bind(settings.listen, &settings.operators).await?;
    let engine = roles::engine(&settings.database_url, &outside).await?;
    let health = Health::of(&[SERVICE_NAME]).await;
    let draining = async {
        stop.cancelled().await;
        // The port waits for the streams, which would go on for ever.
        engine.drain();
        pending::<Infallible>().await
    };
    let serving = port.serve(Routes::new(engine.server()), gate, &health, || engine.ready(), &stop);
    let served = tokio::select! {
        served = serving => served,
        never = draining => match never {},
    };
    engine.stop().await;
    served
}
