//! A gateway that runs on a loopback port, with roles that the test plays.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use astragal_gateway::settings::{GatewaySettings, Pace};
use astragal_gateway::{Channels, Gateway};
use astragal_proto::engine::v1::engine_service_server::EngineServiceServer;
use astragal_proto::matchmaking::v1::account_service_server::AccountServiceServer;
use astragal_proto::matchmaking::v1::matchmaking_service_server::MatchmakingServiceServer;
use astragal_runtime::auth::{Role, TokenKey, TokenSigner};
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::AccountId;
use astragal_runtime::presence::{Presence, PresenceTimes};
use astragal_runtime::telemetry::Telemetry;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::client::Client;
use crate::engine::Engine;
use crate::matchmaking::{Accounts, NoGames};

pub(crate) const TABLE: &str = "01936f5e-0000-7000-8000-00000000aaaa";
pub(crate) const ADA: &str = "01936f5e-0000-7000-8000-0000000000a0";
pub(crate) const BLAISE: &str = "01936f5e-0000-7000-8000-0000000000b0";
/// Has no seat.
pub(crate) const CLEO: &str = "01936f5e-0000-7000-8000-0000000000c0";

/// How long a gateway waits for a `hello` that does not come; a busy machine may need as long for one that does.
pub(crate) const IMPATIENT: Duration = Duration::from_secs(2);

/// What a gateway is set to, unless a test is about just that.
pub(crate) fn settings() -> GatewaySettings {
    // Tests come and go faster than people do.
    let pace = Pace { burst: 100_000, every: Duration::from_millis(1) };
    GatewaySettings {
        frames_per_second_max: 1_000_000,
        queue_frames_max: 64,
        hello_timeout: Duration::from_mins(1),
        heads_interval: Duration::from_millis(20),
        sessions_interval: Duration::from_millis(20),
        audience_interval: Duration::from_millis(20),
        sockets_per_address: pace,
        sessions_per_account: pace,
        trusted_proxies: 1,
        ..GatewaySettings::default()
    }
}

fn account(name: &str) -> AccountId {
    let id = match name {
        "ada" => ADA,
        "blaise" => BLAISE,
        _ => CLEO,
    };
    id.parse().unwrap()
}

/// A gateway that runs, and what the test can do to its roles.
pub(crate) struct Stage {
    pub(crate) address: SocketAddr,
    /// What operators reach.
    pub(crate) operators: SocketAddr,
    pub(crate) engine: Engine,
    pub(crate) accounts: Accounts,
    pub(crate) stop: CancellationToken,
    pub(crate) running: JoinHandle<()>,
    signer: TokenSigner,
}

impl Stage {
    /// A gateway that is the only one.
    pub(crate) async fn set() -> Self {
        let times = PresenceTimes { offline_after: Duration::ZERO, ..PresenceTimes::default() };
        Self::set_among_others(&Presence::new(times)).await
    }

    /// One of several gateways, which have nothing but presence in common.
    pub(crate) async fn set_among_others(presence: &Presence) -> Self {
        Self::set_with(presence, settings()).await
    }

    /// A gateway that waits for no `hello` for long.
    pub(crate) async fn set_impatient() -> Self {
        let settings = GatewaySettings { hello_timeout: IMPATIENT, ..settings() };
        Self::set_with(&Presence::new(PresenceTimes::default()), settings).await
    }

    /// A gateway with settings of its own.
    pub(crate) async fn set_with(presence: &Presence, settings: GatewaySettings) -> Self {
        let bus = Bus::new();
        let (engine, accounts) = (Engine::new(bus.clone()), Accounts::default());
        let matchmaking = Routes::new(AccountServiceServer::new(accounts.clone()))
            .add_service(MatchmakingServiceServer::new(NoGames));
        let channels = Channels {
            engine: RoleChannel::local(EngineServiceServer::new(engine.clone())),
            matchmaking: RoleChannel::local(matchmaking.prepare()),
            rematch: None,
            replay: None,
        };
        let key = TokenKey::generate(&ScriptedEntropy::expanded([7; 32])).unwrap();
        let (verifier, telemetry) = (key.verifier(), Telemetry::default());
        let gateway =
            Gateway::new(settings, channels, &bus, presence, verifier, Arc::new(SystemClock), &telemetry);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let service = gateway.router().into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let operators = listener.local_addr().unwrap();
        let service = gateway.operators_router();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let stopping = stop.clone();
        let running = tokio::spawn(async move { gateway.run(stopping).await });
        Self { address, operators, engine, accounts, stop, running, signer: key.signer().unwrap() }
    }

    /// A socket that has said hello, and was told of the table.
    pub(crate) async fn enter(&self, name: &str) -> Client {
        let mut client = Client::connect(self.address).await;
        client.send("hello", json!({ "hello": { "token": self.token(name, Role::Player) } })).await;
        let welcome = client.next().await;
        assert_eq!(welcome["welcome"]["tables"][0]["gameId"], TABLE, "{welcome}");
        client
    }

    /// A token that is good for an hour.
    pub(crate) fn token(&self, name: &str, role: Role) -> String {
        self.token_for(name, role, chrono::Duration::hours(1))
    }

    /// A token that is good for so long, to the second.
    pub(crate) fn token_for(&self, name: &str, role: Role, lifetime: chrono::Duration) -> String {
        self.signer.sign(account(name), role, SystemClock.now(), lifetime).unwrap()
    }

    /// Whether the gateway counts somebody as online, which others see at the table.
    pub(crate) async fn gateway_knows(&self, name: &str) -> bool {
        let mut other = self.enter("ada").await;
        other.send("table", json!({ "watch": { "gameId": TABLE } })).await;
        let table = other.next_answer().await;
        let seats = table["table"]["seats"].as_array().unwrap();
        seats.iter().any(|seat| seat["name"] == name && seat["online"] == true)
    }
}
