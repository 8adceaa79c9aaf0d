//! `astragal replay`: the role replay in a process of its own.

use crate::flags::keys::CallerKeyFlags;
use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::roles::EngineFlag;
use crate::flags::telemetry::TelemetryFlags;
use crate::flags::tls::{CallerTlsFlags, ServerTlsFlags};
use crate::health::Health;
use crate::process;
use crate::role_port::RolePort;
use crate::roles::{self, Outside};
use anyhow::Result;
use astragal_proto::replay::v1::replay_service_server::SERVICE_NAME;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::telemetry::Telemetry;
use clap::Args;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// What a replay is started with. It has no store: whatever it shows, an engine told it.
#[derive(Args)]
#[command(mut_arg("listen", |listen| listen.default_value("127.0.0.1:7004").required(false)))]
pub(crate) struct ReplaySettings {
    #[command(flatten)]
    listening: ListeningFlags,
    #[command(flatten)]
    tls: ServerTlsFlags,
    #[command(flatten)]
    operators: OperatorsFlag,
    #[command(flatten)]
    engines: EngineFlag,
    #[command(flatten)]
    caller_tls: CallerTlsFlags,
    #[command(flatten)]
    keys: CallerKeyFlags,
    #[command(flatten)]
    watching: TelemetryFlags,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: &ReplaySettings) -> Result<()> {
    process::run(roles::REPLAY, &settings.watching, |telemetry, stop| serve(settings, telemetry, stop))
}

async fn serve(settings: &ReplaySettings, telemetry: Telemetry, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(None, telemetry)?;
    let gate = Gate::new(settings.keys.verifier()?, outside.clock.clone());
    let credentials = settings.keys.credentials(&settings.caller_tls, outside.clock.clone())?;
    let engine = settings.engines.channel(credentials)?;
    let calls = outside.calls(roles::REPLAY);
    let port = RolePort::bind(&settings.listening, &settings.tls, &settings.operators, calls).await?;
    let health = Health::of(&[SERVICE_NAME]).await;
    let services = Routes::new(roles::replay(engine).server());
    port.serve(services, gate, &health, async || Ok(()), &stop).await
}
