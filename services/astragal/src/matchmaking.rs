//! `astragal matchmaking`: the role matchmaking in a process of its own.

use crate::flags::database::DatabaseFlags;
use crate::flags::dictionaries::DictionaryFlags;
use crate::flags::keys::{PublicKeysFlag, SigningKeyFlag};
use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::redis::RedisFlags;
use crate::flags::roles::{EngineFlag, RematchFlag};
use crate::flags::searches::SearchFlags;
use crate::flags::telemetry::TelemetryFlags;
use crate::flags::tls::{CallerTlsFlags, ServerTlsFlags};
use crate::health::Health;
use crate::process;
use crate::role_port::RolePort;
use crate::roles::{self, Outside};
use crate::tournament_paths;
use anyhow::Result;
use astragal_proto::matchmaking::v1::{
    account_service_server, matchmaking_service_server, next_game_service_server,
};
use astragal_proto::seeding::v1::seeding_service_server;
use astragal_runtime::auth::bearer::Bearer;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::channel::Credentials;
use astragal_runtime::telemetry::Telemetry;
use clap::Args;
use tokio_util::sync::CancellationToken;

const SERVICES: [&str; 4] = [
    account_service_server::SERVICE_NAME,
    matchmaking_service_server::SERVICE_NAME,
    next_game_service_server::SERVICE_NAME,
    seeding_service_server::SERVICE_NAME,
];

/// What a matchmaking is started with.
#[derive(Args)]
#[command(mut_arg("listen", |listen| listen.default_value("127.0.0.1:7002").required(false)))]
pub(crate) struct MatchmakingSettings {
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
    engines: EngineFlag,
    #[command(flatten)]
    rematches: RematchFlag,
    #[command(flatten)]
    caller_tls: CallerTlsFlags,
    #[command(flatten)]
    key: SigningKeyFlag,
    #[command(flatten)]
    public_keys: PublicKeysFlag,
    #[command(flatten)]
    searches: SearchFlags,
    #[command(flatten)]
    dictionaries: DictionaryFlags,
    #[command(flatten)]
    watching: TelemetryFlags,
}

/// Runs until a signal asks it to stop.
pub(crate) fn run(settings: &MatchmakingSettings) -> Result<()> {
    process::run(roles::MATCHMAKING, &settings.watching, |telemetry, stop| serve(settings, telemetry, stop))
}

async fn serve(settings: &MatchmakingSettings, telemetry: Telemetry, stop: CancellationToken) -> Result<()> {
    let outside = Outside::of_this_machine(Some(&settings.redis), telemetry)?;
    let key = settings.key.key()?;
    let clock = outside.clock.clone();
    let verifier = settings.public_keys.verifier(Some(&key))?;
    let gate = Gate::with_tournaments(verifier, clock, tournament_paths::MATCHMAKING);
    let bearer = Some(Bearer::signed(key.signer()?, outside.clock.clone()));
    let credentials = Credentials { bearer, tls: settings.caller_tls.caller()? };
    let engine = settings.engines.channel(credentials.clone())?;
    let rematch = settings.rematches.channel(|| Ok(credentials))?;
    let dictionaries = settings.dictionaries.read()?;
    let calls = outside.calls(roles::MATCHMAKING);
    let port = RolePort::bind(&settings.listening, &settings.tls, &settings.operators, calls).await?;
    let (lobby, database) =
        (settings.searches.matchmaking(), settings.database.database("astragal-matchmaking"));
    let signer = key.signer()?;
    let matchmaking = roles::matchmaking(lobby, &database, dictionaries, engine, signer, &outside).await?;
    matchmaking.tell_rematch(rematch);
    let health = Health::of(&SERVICES).await;
    let services = roles::matchmaking_routes(&matchmaking);
    let serving = port.serve(services, gate, &health, || matchmaking.ready(), &stop);
    let (served, ()) = tokio::join!(serving, matchmaking.run(stop.clone()));
    outside.bus.close().await;
    served
}
