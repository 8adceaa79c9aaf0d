//! `astragal gateway`: the role gateway in a process of its own.

use crate::flags::clients::ClientFlags;
use crate::flags::durations;
use crate::flags::keys::CallerKeyFlags;
use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::redis::RedisFlags;
use crate::flags::roles::{EngineFlag, MatchmakingFlag, RematchFlag, ReplayFlag};
use crate::flags::telemetry::TelemetryFlags;
use crate::flags::tls::CallerTlsFlags;
use crate::roles::{self, Outside};
use crate::{listen, metrics_page, process};
use anyhow::Result;
use astragal_gateway::settings::GatewaySettings as Limits;
use astragal_gateway::{Channels, Gateway};
use astragal_runtime::telemetry::Telemetry;
use clap::Args;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// What a gateway is started with.
#[derive(Args)]
#[command(mut_arg("listen", |listen| listen.default_value("127.0.0.1:8080").required(false)))]
pub(crate) struct GatewaySettings {
    #[command(flatten)]
    listening: ListeningFlags,
    #[command(flatten)]
    operators: OperatorsFlag,
    #[command(flatten)]
    redis: RedisFlags,
    #[command(flatten)]
    engines: EngineFlag,
    #[command(flatten)]
    matchmakings: MatchmakingFlag,
    #[command(flatten)]
    rematches: RematchFlag,
    #[command(flatten)]
    replays: ReplayFlag,
    #[command(flatten)]
    tls: CallerTlsFlags,
    #[command(flatten)]
    keys: CallerKeyFlags,
    #[command(flatten)]
    clients: ClientFlags,
    /// How soon moves of watched tables are found that the bus did not bring.
    #[arg(long, env = "ASTRAGAL_HEADS_INTERVAL", value_parser = heads_interval, default_value = "2s")]
    heads_interval: Duration,
    #[command(flatten)]
    watching: TelemetryFlags,
}

fn heads_interval(text: &str) -> std::result::Result<Duration, String> {
    durations::between(text, Duration::from_millis(10), Duration::from_hours(24))
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: &GatewaySettings) -> Result<()> {
    process::run(roles::GATEWAY, &settings.watching, |telemetry, stop| serve(settings, telemetry, stop))
}

async fn serve(settings: &GatewaySettings, telemetry: Telemetry, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(Some(&settings.redis), telemetry)?;
    let verifier = settings.keys.verifier()?;
    let credentials = settings.keys.credentials(&settings.tls, outside.clock.clone())?;
    let channels = Channels {
        replay: settings.replays.channel(credentials.clone())?,
        engine: settings.engines.channel(credentials.clone())?,
        rematch: settings.rematches.channel(|| Ok(credentials.clone()))?,
        matchmaking: settings.matchmakings.channel(credentials)?,
    };
    let (clients, operators) = (settings.listening.bind().await?, settings.operators.bind().await?);
    let limits = Limits { heads_interval: settings.heads_interval, ..settings.clients.gateway() };
    let Outside { bus, presence, clock, telemetry, .. } = outside;
    let gateway = Gateway::new(limits, channels, &bus, &presence, verifier, clock, &telemetry);

    listen::announce(&clients, false)?;
    let end = CancellationToken::new();
    let answering = async {
        if let Some(listener) = operators {
            let pages = gateway.operators_router().merge(metrics_page::router(&telemetry.metrics));
            listen::serve(listener, pages, end.clone()).await;
        }
    };
    let serving = async {
        let served = sockets(&gateway, clients, &stop).await;
        end.cancel();
        served
    };
    let ((), served) = tokio::join!(answering, serving);
    served
}

/// Serves the sockets of a gateway and runs its hub until both have stopped. Sockets without their hub would hear
/// nothing, so its fall is an error at once.
pub(crate) async fn sockets(gateway: &Gateway, clients: TcpListener, stop: &CancellationToken) -> Result<()> {
    // A task, as all sockets are: what this thread would hand to them has to wake another one.
    let hub = tokio::spawn({
        let (gateway, stop) = (gateway.clone(), stop.clone());
        async move { gateway.run(stop).await }
    });
    let served = async {
        listen::serve(clients, gateway.router(), stop.clone()).await;
        Ok(())
    };
    tokio::try_join!(served, hub)?;
    Ok(())
}
