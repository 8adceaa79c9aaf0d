//! The role in a world that the test controls: its clock, its chance, its engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use astragal_matchmaking::settings::Settings;
use astragal_matchmaking::store::MatchmakingStore;
use astragal_matchmaking::store::postgres::PostgresStore;
use astragal_matchmaking::store::sqlite::SqliteStore;
use astragal_matchmaking::{Matchmaking, Wiring};
use astragal_proto::engine::v1::engine_service_server::EngineServiceServer;
use astragal_proto::matchmaking::v1::account_service_client::AccountServiceClient;
use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use astragal_proto::matchmaking::v1::{
    CancelGameRequest, CreateGameRequest, CreateGuestRequest, FindGameRequest, FindGameResponse, Friends,
    GameRequest, JoinGameRequest, JoinGameResponse, ListOpenGamesRequest, OpenGame, Robots,
};
use astragal_proto::seeding::v1::seeding_service_client::SeedingServiceClient;
use astragal_proto::seeding::v1::{GetDrawRequest, GetDrawResponse};
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_runtime::auth::TokenKey;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::ManualClock;
use astragal_runtime::database::Location;
use astragal_runtime::database::postgres::PostgresSettings;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::error::Problem;
use astragal_runtime::id::RequestId;
use astragal_runtime::presence::Presence;
use astragal_runtime::telemetry::Telemetry;
use astragal_support::postgres::Postgres;
use tempfile::TempDir;
use tonic::{Response, Status};

use crate::engine::NotingEngine;
use crate::parlour::Parlour;

pub(crate) type Answer<T> = Result<T, Problem>;

/// One replica of the role; others can stand beside it on the same file.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) role: Matchmaking,
    pub(crate) engine: NotingEngine,
    pub(crate) bus: Bus,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) key: TokenKey,
    settings: Settings,
    place: Place,
    presence: Option<Presence>,
    accounts: AccountServiceClient<RoleChannel>,
    lobby: MatchmakingServiceClient<RoleChannel>,
    seeding: SeedingServiceClient<RoleChannel>,
}

/// Where the database is.
#[derive(Clone)]
enum Place {
    File(Arc<TempDir>),
    Postgres(Box<PostgresSettings>),
}

impl Place {
    async fn store(&self) -> Arc<dyn MatchmakingStore> {
        match self {
            Self::File(_) => {
                Arc::new(SqliteStore::open(&Location::File(self.file())).await.expect("a store"))
            }
            Self::Postgres(settings) => Arc::new(PostgresStore::open(settings).await.expect("a store")),
        }
    }

    fn file(&self) -> PathBuf {
        match self {
            Self::File(directory) => directory.path().join("matchmaking.sqlite"),
            Self::Postgres(_) => PathBuf::new(),
        }
    }
}

/// A wish for a game: its name and its seats.
#[derive(Clone, Copy)]
pub(crate) struct Game(pub(crate) &'static str, pub(crate) u32);

pub(crate) const KALAH: Game = Game("kalah", 0);

impl World {
    pub(crate) async fn new() -> Self {
        Self::with([1; 32], Settings::default()).await
    }

    /// A world whose chance follows from a seed.
    pub(crate) async fn with(seed: [u8; 32], settings: Settings) -> Self {
        let place = Place::File(Arc::new(tempfile::tempdir().expect("a directory")));
        Self::at(place, seed, settings, None).await
    }

    /// A world that knows who is online.
    pub(crate) async fn with_presence(presence: Presence) -> Self {
        let place = Place::File(Arc::new(tempfile::tempdir().expect("a directory")));
        Self::at(place, [1; 32], Settings::default(), Some(presence)).await
    }

    /// A world on PostgreSQL.
    pub(crate) async fn on_postgres(settings: Settings) -> Self {
        let database = PostgresSettings {
            acquire_timeout: Duration::from_secs(30),
            statement_timeout: Duration::from_secs(30),
            lock_timeout: Duration::from_secs(30),
            ..PostgresSettings::new(Postgres::shared().database())
        };
        PostgresStore::migrate(&database).await.expect("a schema");
        Self::at(Place::Postgres(Box::new(database)), [1; 32], settings, None).await
    }

    async fn at(place: Place, seed: [u8; 32], settings: Settings, presence: Option<Presence>) -> Self {
        let (engine, bus) = (NotingEngine::default(), Bus::new());
        let key = TokenKey::generate(&ScriptedEntropy::expanded([7; 32])).expect("a key");
        let clock = Arc::new(ManualClock::default());
        Self::start(seed, settings, place, presence, engine, bus, clock, key).await
    }

    /// The role started once more, on the same database: a replica, or the same one after a crash.
    pub(crate) async fn again(&self, seed: u8) -> Self {
        let (place, engine, bus) = (self.place.clone(), self.engine.clone(), self.bus.clone());
        let (settings, clock, key) = (self.settings.clone(), self.clock.clone(), self.key.clone());
        let presence = self.presence.clone();
        Self::start([seed; 32], settings, place, presence, engine, bus, clock, key).await
    }

    /// As [`Self::again`], on a bus that brings nothing of what the others tell.
    pub(crate) async fn again_deaf(&self, seed: u8) -> Self {
        Self { bus: Bus::new(), ..self.clone() }.again(seed).await
    }

    /// As [`Self::again`], once it is noted what the engine has confirmed: it is not asked again then.
    pub(crate) async fn once_more(&self) -> Self {
        self.sweep().await.expect("swept");
        self.again(9).await
    }

    #[expect(clippy::too_many_arguments, reason = "each is a part of the world")]
    async fn start(
        seed: [u8; 32],
        settings: Settings,
        place: Place,
        presence: Option<Presence>,
        engine: NotingEngine,
        bus: Bus,
        clock: Arc<ManualClock>,
        key: TokenKey,
    ) -> Self {
        let wiring = Wiring {
            store: place.store().await,
            registry: Arc::new(Registry::new().with(Kalah).with(Parlour)),
            engine: RoleChannel::local(EngineServiceServer::new(engine.clone())),
            bus: bus.clone(),
            presence: presence.clone(),
            signer: key.signer().expect("a signer"),
            clock: clock.clone(),
            entropy: Arc::new(ScriptedEntropy::expanded(seed)),
            telemetry: Telemetry::default(),
        };
        let role = Matchmaking::open(settings.clone(), wiring).await.expect("the role");
        Self {
            accounts: AccountServiceClient::new(RoleChannel::local(role.account_service())),
            lobby: MatchmakingServiceClient::new(RoleChannel::local(role.matchmaking_service())),
            seeding: SeedingServiceClient::new(RoleChannel::local(role.seeding_service())),
            role,
            engine,
            bus,
            clock,
            key,
            settings,
            place,
            presence,
        }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.place.file()
    }

    pub(crate) fn accounts(&self) -> AccountServiceClient<RoleChannel> {
        self.accounts.clone()
    }

    pub(crate) fn seeding(&self) -> SeedingServiceClient<RoleChannel> {
        self.seeding.clone()
    }

    pub(crate) fn lobby(&self) -> MatchmakingServiceClient<RoleChannel> {
        self.lobby.clone()
    }

    pub(crate) async fn guest(&self, name: &str) -> String {
        let request = CreateGuestRequest { name: name.into() };
        self.accounts().create_guest(request).await.expect("a guest").into_inner().account_id
    }

    pub(crate) async fn find(&self, account: &str, game: Game) -> Answer<FindGameResponse> {
        self.find_again(account, &RequestId::new().to_string(), game).await
    }

    pub(crate) async fn find_again(
        &self,
        account: &str,
        request: &str,
        game: Game,
    ) -> Answer<FindGameResponse> {
        let game = Some(game_request(account, request, game));
        inner(self.lobby.clone().find_game(FindGameRequest { game }).await)
    }

    pub(crate) async fn friends(&self, account: &str, friends: &[&str], game: Game) -> Answer<String> {
        let account_ids = friends.iter().map(ToString::to_string).collect();
        self.create_again(
            account,
            &RequestId::new().to_string(),
            Kind::Friends(Friends { account_ids }),
            game,
        )
        .await
    }

    pub(crate) async fn robots(&self, account: &str, level: u32, game: Game) -> Answer<String> {
        self.create_again(account, &RequestId::new().to_string(), Kind::Robots(Robots { level }), game).await
    }

    pub(crate) async fn create_again(
        &self,
        account: &str,
        request: &str,
        kind: Kind,
        game: Game,
    ) -> Answer<String> {
        let request =
            CreateGameRequest { game: Some(game_request(account, request, game)), kind: Some(kind) };
        inner(self.lobby.clone().create_game(request).await).map(|created| created.game_id)
    }

    pub(crate) async fn join(&self, account: &str, game: &str) -> Answer<JoinGameResponse> {
        self.join_again(account, &RequestId::new().to_string(), game).await
    }

    pub(crate) async fn join_again(
        &self,
        account: &str,
        request: &str,
        game: &str,
    ) -> Answer<JoinGameResponse> {
        let (account_id, request_id, game_id) = (account.into(), request.into(), game.into());
        inner(self.lobby.clone().join_game(JoinGameRequest { account_id, request_id, game_id }).await)
    }

    pub(crate) async fn cancel(&self, account: &str, game: &str) -> Answer<()> {
        self.cancel_again(account, &RequestId::new().to_string(), game).await
    }

    pub(crate) async fn cancel_again(&self, account: &str, request: &str, game: &str) -> Answer<()> {
        let (account_id, request_id, game_id) = (account.into(), request.into(), game.into());
        let request = CancelGameRequest { account_id, request_id, game_id };
        inner(self.lobby.clone().cancel_game(request).await).map(drop)
    }

    pub(crate) async fn open_games(&self, account: &str) -> Vec<OpenGame> {
        let request = ListOpenGamesRequest { account_id: account.into(), ..ListOpenGamesRequest::default() };
        inner(self.lobby.clone().list_open_games(request).await).expect("a list").games
    }

    pub(crate) async fn draw(&self, game: &str) -> Answer<GetDrawResponse> {
        inner(self.seeding.clone().get_draw(GetDrawRequest { game_id: game.into() }).await)
    }

    /// Sweeps as at the start: every change that is not settled counts as left undone.
    pub(crate) async fn sweep(&self) -> Answer<()> {
        self.role.sweeper().sweep(Duration::ZERO).await
    }
}

pub(crate) fn game_request(account: &str, request: &str, Game(game, seats): Game) -> GameRequest {
    GameRequest {
        account_id: account.into(),
        request_id: request.into(),
        game: game.into(),
        seats,
        ..GameRequest::default()
    }
}

fn inner<T>(answer: Result<Response<T>, Status>) -> Answer<T> {
    answer.map(Response::into_inner).map_err(Problem::from)
}
