//! `astragal rematch`: the role rematch in a process of its own.

use crate::flags::keys::CallerKeyFlags;
use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::redis::RedisFlags;
use crate::flags::roles::{EngineFlag, MatchmakingFlag};
use crate::flags::telemetry::TelemetryFlags;
use crate::flags::tls::{CallerTlsFlags, ServerTlsFlags};
use crate::health::Health;
use crate::process;
use crate::role_port::RolePort;
use crate::roles::{self, Outside};
use anyhow::Result;
use astragal_proto::rematch::v1::rematch_service_server::SERVICE_NAME;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::telemetry::Telemetry;
use clap::Args;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// What a rematch is started with. Without Redis its requests are lost with it, and there can be one only.
#[derive(Args)]
#[command(mut_arg("listen", |listen| listen.default_value("127.0.0.1:7003").required(false)))]
pub(crate) struct RematchSettings {
    #[command(flatten)]
    listening: ListeningFlags,
    #[command(flatten)]
    tls: ServerTlsFlags,
    #[command(flatten)]
    operators: OperatorsFlag,
    #[command(flatten)]
    redis: RedisFlags,
    #[command(flatten)]
    engines: EngineFlag,
    #[command(flatten)]
    matchmakings: MatchmakingFlag,
    #[command(flatten)]
    caller_tls: CallerTlsFlags,
    #[command(flatten)]
    keys: CallerKeyFlags,
    #[command(flatten)]
    watching: TelemetryFlags,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: &RematchSettings) -> Result<()> {
    process::run(roles::REMATCH, &settings.watching, |telemetry, stop| serve(settings, telemetry, stop))
}

async fn serve(settings: &RematchSettings, telemetry: Telemetry, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(Some(&settings.redis), telemetry)?;
    let gate = Gate::new(settings.keys.verifier()?, outside.clock.clone());
    let credentials = settings.keys.credentials(&settings.caller_tls, outside.clock.clone())?;
    let engine = settings.engines.channel(credentials.clone())?;
    let matchmaking = settings.matchmakings.channel(credentials)?;
    let calls = outside.calls(roles::REMATCH);
    let port = RolePort::bind(&settings.listening, &settings.tls, &settings.operators, calls).await?;
    let (rematch, presence) = roles::rematch(engine, matchmaking, &outside)?;
    let health = Health::of(&[SERVICE_NAME]).await;
    let services = Routes::new(rematch.service());
    let serving = port.serve(services, gate, &health, || rematch.ready(), &stop);
    let (served, ()) = tokio::join!(serving, rematch.run(presence, stop.clone()));
    outside.bus.close().await;
    served
}
