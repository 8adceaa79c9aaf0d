//! One world: an engine and a matchmaking on databases in memory, a gateway on a loopback port, sockets of
//! everybody. Its clock and its entropy are told, so that two worlds differ in nothing but what is played.

use crate::stage;
use crate::toys::dare::Dare;
use anyhow::{Context, Result};
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_gateway::settings::{GatewaySettings, Pace};
use astragal_gateway::{Channels, Gateway};
use astragal_matchmaking::store::MatchmakingStore;
use astragal_matchmaking::store::sqlite::SqliteStore;
use astragal_matchmaking::{Matchmaking, Wiring};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{ClockSettings, Occupant, OpenTableRequest};
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::game::Crossword;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_runtime::auth::{Role, TokenKey, TokenSigner};
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::{Entropy, ScriptedEntropy};
use astragal_runtime::id::robot_account;
use astragal_runtime::presence::{Presence, PresenceTimes};
use astragal_runtime::telemetry::Telemetry;
use astragal_tests::client::{Client, Wire};
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// Nothing is told because time has passed.
const NEVER: Duration = Duration::from_hours(24);

/// The words of the program.
pub(crate) static WORDS: LazyLock<Dictionaries> = LazyLock::new(|| {
    let files: [&[u8]; 4] = [
        include_bytes!("../../services/astragal/dictionaries/english.dict"),
        include_bytes!("../../services/astragal/dictionaries/russian.dict"),
        include_bytes!("../../services/astragal/dictionaries/erudit.dict"),
        include_bytes!("../../services/astragal/dictionaries/turkish.dict"),
    ];
    files
        .into_iter()
        .filter_map(|file| Dictionary::from_bytes(file).ok())
        .fold(Dictionaries::default(), Dictionaries::with)
});

/// The games of both worlds.
pub(crate) fn registry() -> Registry {
    Registry::new().with(Crossword::new(WORDS.clone())).with(Kalah).with(Dare)
}

/// The entropy of an engine: what it was told last, again and again. So a robot that thinks once more than it has
/// to leaves the next table's seed alone.
#[derive(Clone, Default)]
struct Dictated(Arc<Mutex<[u8; 32]>>);

impl Entropy for Dictated {
    fn fill(&self, bytes: &mut [u8]) -> astragal_runtime::error::Result<()> {
        let dictated = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.iter_mut().zip(dictated.iter().cycle()).for_each(|(byte, told)| *byte = *told);
        Ok(())
    }
}

/// A robot at a table.
#[derive(Clone, Copy)]
pub(crate) struct Robot {
    pub(crate) seat: Seat,
    pub(crate) level: u8,
}

/// A table that is opened in both worlds.
pub(crate) struct Wanted<'w> {
    pub(crate) opening: &'w Opening,
    /// The seed, and what a robot draws from.
    pub(crate) entropy: [u8; 32],
    pub(crate) robot: Option<Robot>,
    pub(crate) timed: bool,
}

/// An engine and a gateway that run, and the sockets of all accounts, two each.
pub(crate) struct World {
    pub(crate) url: String,
    pub(crate) sockets: Vec<[Client; 2]>,
    /// Stands: for how long a gateway holds a move is real time, and would show in what a player is charged.
    clock: Arc<ManualClock>,
    entropy: Dictated,
    engine: Engine,
    client: EngineServiceClient<RoleChannel>,
    signer: TokenSigner,
    stop: CancellationToken,
    running: JoinHandle<((), ())>,
}

impl World {
    /// Two worlds that begin are the same.
    pub(crate) async fn begin() -> Result<Self> {
        let (bus, telemetry) = (Bus::new(), Telemetry::default());
        let store = Arc::new(SqliteTables::open(&Location::Memory).await?);
        let (clock, entropy) = (Arc::new(ManualClock::default()), Dictated::default());
        let engine = Engine::open(
            Settings::default(),
            store,
            registry(),
            bus.clone(),
            clock.clone(),
            Arc::new(entropy.clone()),
            telemetry.clone(),
        );
        let channel = RoleChannel::local(engine.server());
        let key = TokenKey::generate(&ScriptedEntropy::expanded([7; 32]))?;
        let lobby = SqliteStore::open(&Location::Memory).await?;
        lobby.add_accounts(&stage::people(clock.now())?).await?;
        let wiring = Wiring {
            store: Arc::new(lobby),
            registry: Arc::new(registry()),
            engine: channel.clone(),
            bus: bus.clone(),
            presence: None,
            signer: key.signer()?,
            clock: clock.clone(),
            entropy: Arc::new(ScriptedEntropy::expanded([9; 32])),
            telemetry: telemetry.clone(),
        };
        let lobby = Matchmaking::open(astragal_matchmaking::settings::Settings::default(), wiring).await?;
        let matchmaking = Routes::new(lobby.matchmaking_service())
            .add_service(lobby.account_service())
            .add_service(lobby.next_game_service())
            .add_service(lobby.seeding_service());
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
        let presence = Presence::new(PresenceTimes::default());
        let gateway =
            Gateway::new(settings, channels, &bus, &presence, key.verifier(), clock.clone(), &telemetry);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let service = gateway.router().into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let stop = CancellationToken::new();
        let stopping = stop.clone();
        let running =
            tokio::spawn(async move { tokio::join!(gateway.run(stopping.clone()), lobby.run(stopping)) });
        let client = EngineServiceClient::new(channel);
        let signer = key.signer()?;
        let mut world =
            Self { url, sockets: Vec::new(), clock, entropy, engine, client, signer, stop, running };
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
        let now = self.clock.now();
        let token = self.signer.sign(account, Role::Player, now, chrono::Duration::hours(1))?;
        let mut client = Client::connect(&self.url, wire).await?;
        client.keep_transcript();
        client.hello(&token).await?;
        Ok(client)
    }

    /// Opens a table with everybody at it; gives the commitment to its seed, and its revision.
    pub(crate) async fn open(&mut self, wanted: &Wanted<'_>) -> Result<(String, u32)> {
        let Wanted { opening, entropy, robot, timed } = *wanted;
        *self.entropy.0.lock().unwrap_or_else(PoisonError::into_inner) = entropy;
        let accounts = stage::accounts()?;
        let occupant = |seat: u8| {
            let robot_level = robot.filter(|robot| robot.seat.0 == seat).map_or(0, |robot| robot.level);
            let person = accounts[usize::from(seat)];
            let account = if robot_level == 0 { person } else { robot_account(robot_level) };
            Occupant { seat: seat.into(), account_id: account.to_string(), robot_level: robot_level.into() }
        };
        let seconds = |seconds| Some(astragal_proto::time::Duration { seconds, nanos: 0 });
        let clock = ClockSettings { initial: seconds(600), increment: seconds(2), per_move: None };
        let asked = OpenTableRequest {
            table_id: opening.table.to_string(),
            game: opening.game.clone(),
            options: opening.options.clone().into(),
            seats: opening.seats.into(),
            first_seat: opening.first_seat.0.into(),
            occupants: (0..opening.seats).map(occupant).collect(),
            clock: timed.then_some(clock),
            listed: true,
            ..OpenTableRequest::default()
        };
        let opened = self.client.open_table(asked).await.context("a table was not opened")?.into_inner();
        Ok((opened.commitment, opened.revision))
    }

    pub(crate) async fn end(self) {
        self.stop.cancel();
        // Whoever waits for the clients to go waits for these.
        drop(self.sockets);
        let _ended = self.running.await;
        self.engine.stop().await;
    }
}
