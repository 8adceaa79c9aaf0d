//! One world: an engine on a database in memory, a gateway on a loopback port, sockets of everybody. Its clock
//! stands and its entropy is scripted, so that two worlds differ in nothing but what is played.

use crate::matchmaking::{Accounts, NoGames};
use crate::stage;
use crate::toys::dare::Dare;
use anyhow::{Context, Result};
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_gateway::settings::{GatewaySettings, Pace};
use astragal_gateway::{Channels, Gateway};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{Occupant, OpenTableRequest};
use astragal_proto::matchmaking::v1::account_service_server::AccountServiceServer;
use astragal_proto::matchmaking::v1::matchmaking_service_server::MatchmakingServiceServer;
use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_runtime::auth::{Role, TokenKey, TokenSigner};
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::presence::{Presence, PresenceTimes};
use astragal_runtime::telemetry::Telemetry;
use astragal_tests::client::{Client, Wire};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// Nothing is told because time has passed.
const NEVER: Duration = Duration::from_hours(24);

/// The games of both worlds.
pub(crate) fn registry() -> Registry {
    Registry::new().with(Crossword::new(Dictionaries::default())).with(Kalah).with(Dare)
}

/// An engine and a gateway that run, and the sockets of all accounts, two each.
pub(crate) struct World {
    pub(crate) url: String,
    pub(crate) sockets: Vec<[Client; 2]>,
    engine: Engine,
    client: EngineServiceClient<RoleChannel>,
    signer: TokenSigner,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl World {
    /// Both worlds of an oracle get the same entropy, and so their tables the same seeds.
    pub(crate) async fn begin(entropy: [u8; 32]) -> Result<Self> {
        let (bus, telemetry) = (Bus::new(), Telemetry::default());
        let store = Arc::new(SqliteTables::open(&Location::Memory).await?);
        let (clock, entropy) = (Arc::new(ManualClock::default()), ScriptedEntropy::expanded(entropy));
        let engine = Engine::open(
            Settings::default(),
            store,
            registry(),
            bus.clone(),
            clock.clone(),
            Arc::new(entropy),
            telemetry.clone(),
        );
        let channel = RoleChannel::local(engine.server());
        let matchmaking = Routes::new(AccountServiceServer::new(Accounts::default()))
            .add_service(MatchmakingServiceServer::new(NoGames));
        let channels = Channels {
            engine: channel.clone(),
            matchmaking: RoleChannel::local(matchmaking.prepare()),
            rematch: None,
            replay: None,
        };
        let pace = Pace { burst: 1_000_000, every: Duration::from_millis(1) };
        let settings = GatewaySettings {
            frames_per_second_max: 1_000_000,
            sessions_per_account: pace,
            sockets_per_address: pace,
            ping_interval: NEVER,
            heads_interval: NEVER,
            audience_interval: NEVER,
            ..GatewaySettings::default()
        };
        let key = TokenKey::generate(&ScriptedEntropy::expanded([7; 32]))?;
        let presence = Presence::new(PresenceTimes::default());
        let gateway = Gateway::new(settings, channels, &bus, &presence, key.verifier(), clock, &telemetry);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let service = gateway.router().into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let stop = CancellationToken::new();
        let stopping = stop.clone();
        let running = tokio::spawn(async move { gateway.run(stopping).await });
        let client = EngineServiceClient::new(channel);
        let signer = key.signer()?;
        let mut world = Self { url, sockets: Vec::new(), engine, client, signer, stop, running };
        for account in 0..=stage::SPECTATOR {
            let mut tabs =
                [world.enter(account, Wire::Json).await?, world.enter(account, Wire::Binary).await?];
            // The welcome answers an id that no other world has.
            for tab in &mut tabs {
                tab.take_transcript();
            }
            world.sockets.push(tabs);
        }
        Ok(world)
    }

    /// One more socket of an account, which keeps what it is sent.
    pub(crate) async fn enter(&self, account: usize, wire: Wire) -> Result<Client> {
        let account = stage::accounts()?[account];
        let now = ManualClock::default().now();
        let token = self.signer.sign(account, Role::Player, now, chrono::Duration::hours(1))?;
        let mut client = Client::connect(&self.url, wire).await?;
        client.keep_transcript();
        client.hello(&token).await?;
        Ok(client)
    }

    /// Opens a table with everybody at it; gives the commitment to its seed.
    pub(crate) async fn open(&mut self, opening: &Opening) -> Result<String> {
        let accounts = stage::accounts()?;
        let occupant = |seat: u8| Occupant {
            seat: seat.into(),
            account_id: accounts[usize::from(seat)].to_string(),
            ..Occupant::default()
        };
        let asked = OpenTableRequest {
            table_id: opening.table.to_string(),
            game: opening.game.clone(),
            options: opening.options.clone().into(),
            seats: opening.seats.into(),
            first_seat: opening.first_seat.0.into(),
            occupants: (0..opening.seats).map(occupant).collect(),
            listed: true,
            ..OpenTableRequest::default()
        };
        let opened = self.client.open_table(asked).await.context("a table was not opened")?;
        Ok(opened.into_inner().commitment)
    }

    pub(crate) async fn end(self) {
        self.stop.cancel();
        // Whoever waits for the clients to go waits for these.
        drop(self.sockets);
        let _ended = self.running.await;
        self.engine.stop().await;
    }
}
