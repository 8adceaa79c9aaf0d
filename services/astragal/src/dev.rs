//! `astragal dev`: every role in one process, on embedded databases. The wiring is the one of
//! production with other settings.

use crate::data::DataDirectory;
use crate::role_port::OperatorsFlag;
use crate::roles::{self, Outside};
use crate::{listen, process};
use anyhow::Result;
use astragal_gateway::settings::GatewaySettings;
use astragal_gateway::{Channels, Gateway};
use astragal_matchmaking::settings::Settings as MatchmakingSettings;
use astragal_runtime::channel::RoleChannel;
use clap::Args;
use std::net::SocketAddr;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Where to listen, where to keep the data, and what one may want to try.
#[derive(Args)]
pub(crate) struct DevSettings {
    /// Where clients connect.
    #[arg(long, env = "ASTRAGAL_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    operators: OperatorsFlag,
    /// A directory, or `:memory:` to keep nothing.
    #[arg(long, env = "ASTRAGAL_DATA_DIR", default_value = "./data")]
    data: DataDirectory,
    /// Seat a robot in a listed game that nobody joined for this long, such as `30s`; without it, never.
    #[arg(long, env = "ASTRAGAL_ATTACH_ROBOT_AFTER", value_parser = humantime::parse_duration)]
    attach_robot_after: Option<Duration>,
    /// Frames that one connection may send in a second.
    #[arg(long, env = "ASTRAGAL_FRAMES_PER_SECOND_MAX", default_value_t = GatewaySettings::default().frames_per_second_max)]
    frames_per_second_max: u32,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: DevSettings) -> Result<()> {
    process::run(|stop| serve(settings, stop))
}

/// Roles stop in the order in which they depend on each other, so that each can still finish.
async fn serve(settings: DevSettings, stop: CancellationToken) -> Result<()> {
    let clients = listen::bind(settings.listen).await?;
    let operators = settings.operators.bind().await?;
    let outside = Outside::of_this_machine(None)?;
    let key = settings.data.token_key(&*outside.entropy)?;

    let engine = roles::engine(&settings.data.database("engine"), &outside).await?;
    let engine_channel = RoleChannel::local(engine.server());
    let lobby = MatchmakingSettings {
        attach_robot_after: settings.attach_robot_after,
        ..MatchmakingSettings::default()
    };
    let matchmaking = roles::matchmaking(
        lobby,
        &settings.data.database("matchmaking"),
        engine_channel.clone(),
        key.signer()?,
        &outside,
    )
    .await?;
    let limits = GatewaySettings {
        frames_per_second_max: settings.frames_per_second_max,
        ..GatewaySettings::default()
    };
    let channels = Channels {
        engine: engine_channel,
        matchmaking: RoleChannel::local(roles::matchmaking_routes(&matchmaking)),
    };
    let Outside { bus, presence, clock, .. } = outside;
    let gateway = Gateway::new(limits, channels, &bus, &presence, key.verifier(), clock);

    let sockets_gone = CancellationToken::new();
    let (front, back) = (TaskTracker::new(), TaskTracker::new());
    back.spawn({
        let (matchmaking, stop) = (matchmaking.clone(), sockets_gone.clone());
        async move { matchmaking.run(stop).await }
    });
    front.spawn({
        let (gateway, stop) = (gateway.clone(), stop.clone());
        async move { gateway.run(stop).await }
    });
    if let Some(listener) = operators {
        back.spawn(listen::serve(listener, gateway.operators_router(), sockets_gone.clone()));
    }
    listen::announce(&clients)?;
    front.spawn(listen::serve(clients, gateway.router(), stop.clone()));

    front.close();
    front.wait().await;
    sockets_gone.cancel();
    back.close();
    back.wait().await;
    engine.stop().await;
    Ok(())
}
