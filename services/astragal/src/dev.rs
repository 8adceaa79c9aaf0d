//! `astragal dev`: every role in one process, on embedded databases. The wiring is the one of
//! production with other settings.

use crate::data::DataDirectory;
use crate::flags::clients::ClientFlags;
use crate::flags::dictionaries::DictionaryFlags;
use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::searches::SearchFlags;
use crate::flags::telemetry::TelemetryFlags;
use crate::gateway::sockets;
use crate::roles::{self, Outside};
use crate::{listen, metrics_page, process};
use anyhow::Result;
use astragal_gateway::{Channels, Gateway};
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::telemetry::Telemetry;
use clap::Args;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Layer;

/// Where to listen, where to keep the data, and what one may want to try.
#[derive(Args)]
#[command(mut_arg("listen", |listen| listen.default_value("127.0.0.1:8080").required(false)))]
pub(crate) struct DevSettings {
    #[command(flatten)]
    listening: ListeningFlags,
    #[command(flatten)]
    operators: OperatorsFlag,
    /// A directory, or `:memory:` to keep nothing.
    #[arg(long, env = "ASTRAGAL_DATA_DIR", default_value = "./data")]
    data: DataDirectory,
    #[command(flatten)]
    searches: SearchFlags,
    #[command(flatten)]
    dictionaries: DictionaryFlags,
    #[command(flatten)]
    clients: ClientFlags,
    #[command(flatten)]
    watching: TelemetryFlags,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: &DevSettings) -> Result<()> {
    process::run("dev", &settings.watching, |telemetry, stop| serve(settings, telemetry, stop))
}

/// Roles stop in the order in which they depend on each other, so that each can still finish.
async fn serve(settings: &DevSettings, telemetry: Telemetry, stop: CancellationToken) -> Result<()> {
    let clients = settings.listening.bind().await?;
    let operators = settings.operators.bind().await?;
    let outside = Outside::of_this_machine(None, telemetry)?;
    let _lock = settings.data.lock()?;
    let key = settings.data.token_key(&*outside.entropy)?;

    let dictionaries = settings.dictionaries.read()?;
    let engine = roles::engine(&settings.data.database("engine"), dictionaries.clone(), &outside).await?;
    let engine_channel =
        RoleChannel::local(outside.calls(roles::ENGINE).layer(roles::engine_routes(&engine)));
    let matchmaking = roles::matchmaking(
        settings.searches.matchmaking(),
        &settings.data.database("matchmaking"),
        dictionaries,
        engine_channel.clone(),
        key.signer()?,
        &outside,
    )
    .await?;
    let lobby = outside.calls(roles::MATCHMAKING).layer(roles::matchmaking_routes(&matchmaking));
    let lobby = RoleChannel::local(lobby);
    let (rematch, comings) = roles::rematch(engine_channel.clone(), lobby.clone(), &outside)?;
    let rematches = RoleChannel::local(outside.calls(roles::REMATCH).layer(rematch.service()));
    engine.tell_ends_to(Some(rematches.clone()));
    matchmaking.tell_rematch(Some(rematches.clone()));
    let replay = roles::replay(engine_channel.clone()).server();
    let replay = Some(RoleChannel::local(outside.calls(roles::REPLAY).layer(replay)));
    let channels = Channels { engine: engine_channel, matchmaking: lobby, rematch: Some(rematches), replay };
    let Outside { bus, presence, clock, telemetry, .. } = outside;
    let (limits, verifier) = (settings.clients.gateway(), key.verifier());
    let gateway = Gateway::new(limits, channels, &bus, &presence, verifier, clock, &telemetry);

    let sockets_gone = CancellationToken::new();
    let back = TaskTracker::new();
    back.spawn({
        let (matchmaking, stop) = (matchmaking.clone(), sockets_gone.clone());
        async move { matchmaking.run(stop).await }
    });
    back.spawn({
        let (rematch, stop) = (rematch.clone(), sockets_gone.clone());
        async move { rematch.run(comings, stop).await }
    });
    if let Some(listener) = operators {
        let pages = gateway.operators_router().merge(metrics_page::router(&telemetry.metrics));
        back.spawn(listen::serve(listener, pages, sockets_gone.clone()));
    }
    listen::announce(&clients, false)?;
    let served = sockets(&gateway, clients, &stop).await;
    sockets_gone.cancel();
    back.close();
    back.wait().await;
    engine.stop().await;
    served
}
