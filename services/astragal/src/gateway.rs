//! `astragal gateway`: the role gateway in a process of its own.

use crate::keys::VerifyingKeyFlags;
use crate::role_port::OperatorsFlag;
use crate::roles::Outside;
use crate::secret::Secret;
use crate::{listen, process};
use anyhow::Result;
use astragal_gateway::settings::GatewaySettings as Limits;
use astragal_gateway::{Channels, Gateway};
use astragal_runtime::channel::RoleChannel;
use clap::Args;
use std::net::SocketAddr;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What a gateway is started with.
#[derive(Args)]
pub(crate) struct GatewaySettings {
    /// Where clients connect.
    #[arg(long, env = "ASTRAGAL_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    operators: OperatorsFlag,
    /// `redis://HOST:PORT`; without it moves are learnt of by asking, every few seconds.
    #[arg(long, env = "ASTRAGAL_REDIS_URL", hide_env_values = true)]
    redis_url: Option<String>,
    /// The engines, `http://HOST:PORT` with commas between them; a name may stand for several.
    #[arg(long, env = "ASTRAGAL_ENGINE_URL", value_delimiter = ',', required = true)]
    engine_url: Vec<String>,
    /// The matchmakings, in the same way.
    #[arg(long, env = "ASTRAGAL_MATCHMAKING_URL", value_delimiter = ',', required = true)]
    matchmaking_url: Vec<String>,
    #[command(flatten)]
    keys: VerifyingKeyFlags,
    /// A token of the role service, as a file or as itself, for a gateway that has only the public key.
    #[arg(long, env = "ASTRAGAL_SERVICE_TOKEN", hide_env_values = true, value_name = "FILE")]
    service_token: Option<Secret>,
    /// Frames that one connection may send in a second.
    #[arg(long, env = "ASTRAGAL_FRAMES_PER_SECOND_MAX", default_value_t = Limits::default().frames_per_second_max)]
    frames_per_second_max: u32,
    /// How often the engines are asked for moves of watched tables that the bus did not bring.
    #[arg(long, env = "ASTRAGAL_HEADS_INTERVAL", value_parser = humantime::parse_duration, default_value = "2s")]
    heads_interval: Duration,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: GatewaySettings) -> Result<()> {
    process::run(|stop| serve(settings, stop))
}

async fn serve(settings: GatewaySettings, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(settings.redis_url.as_deref())?;
    let verifier = settings.keys.verifier()?;
    let bearer = settings.keys.bearer(settings.service_token.as_ref(), outside.clock.clone())?;
    let channels = Channels {
        engine: RoleChannel::remote(&settings.engine_url, Some(bearer.clone()))?,
        matchmaking: RoleChannel::remote(&settings.matchmaking_url, Some(bearer))?,
    };
    let (clients, operators) = (listen::bind(settings.listen).await?, settings.operators.bind().await?);
    let limits = Limits {
        frames_per_second_max: settings.frames_per_second_max,
        heads_interval: settings.heads_interval,
        ..Limits::default()
    };
    let Outside { bus, presence, clock, .. } = outside;
    let gateway = Gateway::new(limits, channels, &bus, &presence, verifier, clock);

    listen::announce(&clients)?;
    let end = CancellationToken::new();
    let answering = async {
        if let Some(listener) = operators {
            listen::serve(listener, gateway.operators_router(), end.clone()).await;
        }
    };
    let serving = async {
        tokio::join!(listen::serve(clients, gateway.router(), stop.clone()), gateway.run(stop.clone()));
        end.cancel();
    };
    tokio::join!(answering, serving);
    Ok(())
}
