//! `astragal engine`: the role engine in a process of its own.

use crate::flags::database::DatabaseFlags;
use crate::flags::dictionaries::DictionaryFlags;
use crate::flags::keys::CallerKeyFlags;
use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::redis::RedisFlags;
use crate::flags::roles::RematchFlag;
use crate::flags::telemetry::TelemetryFlags;
use crate::flags::tls::{CallerTlsFlags, ServerTlsFlags};
use crate::health::Health;
use crate::process;
use crate::role_port::RolePort;
use crate::roles::{self, Outside};
use crate::tournament_paths;
use anyhow::Result;
use astragal_proto::engine::v1::{engine_service_server, series_service_server};
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::telemetry::Telemetry;
use clap::Args;
use std::convert::Infallible;
use std::future::pending;
use tokio_util::sync::CancellationToken;

const SERVICES: [&str; 2] = [engine_service_server::SERVICE_NAME, series_service_server::SERVICE_NAME];

/// What an engine is started with.
#[derive(Args)]
#[command(mut_arg("listen", |listen| listen.default_value("127.0.0.1:7001").required(false)))]
pub(crate) struct EngineSettings {
    #[command(flatten)]
    listening: ListeningFlags,
    #[command(flatten)]
    tls: ServerTlsFlags,
    #[command(flatten)]
    operators: OperatorsFlag,
    #[command(flatten)]
    database: DatabaseFlags,
    #[command(flatten)]
    redis: RedisFlags,
    #[command(flatten)]
    keys: CallerKeyFlags,
    #[command(flatten)]
    rematches: RematchFlag,
    #[command(flatten)]
    caller_tls: CallerTlsFlags,
    #[command(flatten)]
    dictionaries: DictionaryFlags,
    #[command(flatten)]
    watching: TelemetryFlags,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: &EngineSettings) -> Result<()> {
    process::run(roles::ENGINE, &settings.watching, |telemetry, stop| serve(settings, telemetry, stop))
}

async fn serve(settings: &EngineSettings, telemetry: Telemetry, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(Some(&settings.redis), telemetry)?;
    let clock = outside.clock.clone();
    let gate = Gate::with_tournaments(settings.keys.verifier()?, clock, tournament_paths::ENGINE);
    let credentials = || settings.keys.credentials(&settings.caller_tls, outside.clock.clone());
    let rematch = settings.rematches.channel(credentials)?;
    let dictionaries = settings.dictionaries.read()?;
    let calls = outside.calls(roles::ENGINE);
    let port = RolePort::bind(&settings.listening, &settings.tls, &settings.operators, calls).await?;
    let database = settings.database.database("astragal-engine");
    let engine = roles::engine(&database, dictionaries, &outside).await?;
    engine.tell_ends_to(rematch);
    let health = Health::of(&SERVICES).await;
    let draining = async {
        stop.cancelled().await;
        // The port waits for the streams, which would go on for ever.
        engine.drain();
        pending::<Infallible>().await
    };
    let serving = port.serve(roles::engine_routes(&engine), gate, &health, || engine.ready(), &stop);
    let served = tokio::select! {
        served = serving => served,
        never = draining => match never {},
    };
    engine.stop().await;
    outside.bus.close().await;
    served
}
