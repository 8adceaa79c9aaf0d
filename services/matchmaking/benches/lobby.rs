//! The lobby on PostgreSQL, as durable as in production, through its gRPC services but without an engine: what one
//! search costs among many others, how many pairs come together in a second, and how long a match takes when 200
//! look for one at once.

#![expect(clippy::expect_used, reason = "a benchmark that can't go on has failed")]
#![expect(clippy::print_stdout, reason = "its figures are what it is for")]

#[allow(dead_code)]
#[path = "../tests/lobby/engine.rs"]
mod engine;
#[path = "../tests/lobby/parlour.rs"]
mod parlour;

use astragal_matchmaking::settings::Settings;
use astragal_matchmaking::store::postgres::PostgresStore;
use astragal_matchmaking::{Matchmaking, Wiring};
use astragal_proto::engine::v1::engine_service_server::EngineServiceServer;
use astragal_proto::matchmaking::v1::account_service_client::AccountServiceClient;
use astragal_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use astragal_proto::matchmaking::v1::{
    CancelGameRequest, CreateGuestRequest, FindGameRequest, FindGameResponse, GameRequest,
};
use astragal_rules::registry::Registry;
use astragal_runtime::auth::TokenKey;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::database::postgres::PostgresSettings;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::RequestId;
use astragal_runtime::telemetry::Telemetry;
use astragal_support::postgres::Postgres;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Waiting games of other kinds.
const LOBBIES: [u32; 3] = [100, 1_000, 10_000];
const SEARCHES: usize = 300;
const PAIRS_AT_ONCE: usize = 64;
const PAIRS_FOR: Duration = Duration::from_secs(10);
const SEARCHERS: usize = 200;
const ROUNDS: usize = 30;

#[derive(Clone)]
struct Lobby {
    accounts: AccountServiceClient<RoleChannel>,
    games: MatchmakingServiceClient<RoleChannel>,
    _role: Matchmaking,
}

/// Options by which no two numbers are the same kind of game.
fn options(kind: u32) -> Vec<u8> {
    let [one, two, three, four] = kind.to_be_bytes();
    format!(r#"{{"a":{one},"b":{two},"c":{three},"d":{four}}}"#).into_bytes()
}

impl Lobby {
    async fn open(server: &Postgres) -> Self {
        let database = PostgresSettings::new(server.database());
        PostgresStore::migrate(&database).await.expect("a schema");
        let key = TokenKey::generate(&OsEntropy).expect("a key");
        let wiring = Wiring {
            store: Arc::new(PostgresStore::open(&database).await.expect("a store")),
            registry: Arc::new(Registry::new().with(parlour::Parlour)),
            engine: RoleChannel::local(EngineServiceServer::new(engine::NotingEngine::default())),
            bus: Bus::new(),
            presence: None,
            signer: key.signer().expect("a signer"),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(OsEntropy),
            telemetry: Telemetry::default(),
        };
        let settings = Settings { searches_max: u32::MAX, ..Settings::default() };
        let role = Matchmaking::open(settings, wiring).await.expect("the role");
        Self {
            accounts: AccountServiceClient::new(RoleChannel::local(role.account_service())),
            games: MatchmakingServiceClient::new(RoleChannel::local(role.matchmaking_service())),
            _role: role,
        }
    }

    async fn guest(&self) -> String {
        let guest = self.accounts.clone().create_guest(CreateGuestRequest::default()).await;
        guest.expect("a guest").into_inner().account_id
    }

    async fn guests(&self, count: usize) -> Vec<String> {
        let mut guests = Vec::with_capacity(count);
        for _ in 0..count {
            guests.push(self.guest().await);
        }
        guests
    }

    async fn find(&self, account: &str, kind: u32) -> FindGameResponse {
        let game = GameRequest {
            account_id: account.into(),
            request_id: RequestId::new().to_string(),
            game: "parlour".into(),
            options: options(kind).into(),
            ..GameRequest::default()
        };
        let found = self.games.clone().find_game(FindGameRequest { game: Some(game) }).await;
        found.expect("a game").into_inner()
    }

    async fn cancel(&self, account: &str, game_id: String) {
        let (account_id, request_id) = (account.to_owned(), RequestId::new().to_string());
        let request = CancelGameRequest { account_id, request_id, game_id };
        self.games.clone().cancel_game(request).await.expect("cancelled");
    }

    /// Opens games of kinds of their own until so many wait.
    async fn fill(&self, from: u32, to: u32) {
        let openers = self.guests(64).await;
        let mut opened = JoinSet::new();
        for (kind, opener) in (from..to).zip(openers.iter().cycle().cloned()) {
            let lobby = self.clone();
            opened.spawn(async move { lobby.find(&opener, kind).await });
            if opened.len() >= 256 {
                opened.join_next().await;
            }
        }
        while opened.join_next().await.is_some() {}
    }
}

/// One after the other, so that each is a transaction of its own.
async fn search(lobby: &Lobby, waiting: u32) {
    let guest = lobby.guest().await;
    let mut spent = Vec::with_capacity(SEARCHES);
    for search in 0..SEARCHES as u32 {
        let begin = Instant::now();
        let found = lobby.find(&guest, u32::MAX - search % 7).await;
        spent.push(begin.elapsed());
        lobby.cancel(&guest, found.game_id).await;
    }
    println!("a search alone, {waiting:>6} other games wait    {}", quantiles(spent));
}

async fn pairs(lobby: &Lobby, waiting: u32) {
    let count = Arc::new(AtomicU32::new(0));
    let (end, mut loops) = (Instant::now() + PAIRS_FOR, JoinSet::new());
    for place in 0..PAIRS_AT_ONCE as u32 {
        let (lobby, count) = (lobby.clone(), count.clone());
        let guests = lobby.guests(2).await;
        loops.spawn(async move {
            while Instant::now() < end {
                lobby.find(&guests[0], 1_000_000_000 + place).await;
                assert!(lobby.find(&guests[1], 1_000_000_000 + place).await.joined);
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let begin = Instant::now();
    loops.join_all().await;
    let per_second = f64::from(count.load(Ordering::Relaxed)) / begin.elapsed().as_secs_f64();
    println!("open and join, {PAIRS_AT_ONCE} pairs at once, {waiting} wait    {per_second:.0} pairs/s");
}

async fn crowd(lobby: &Lobby, waiting: u32) {
    let guests = lobby.guests(SEARCHERS).await;
    let mut spent = Vec::new();
    for round in 0..ROUNDS as u32 {
        let mut searches = JoinSet::new();
        for guest in guests.clone() {
            let lobby = lobby.clone();
            searches.spawn(async move {
                let begin = Instant::now();
                lobby.find(&guest, 2_000_000_000 + round).await;
                begin.elapsed()
            });
        }
        spent.extend(searches.join_all().await);
    }
    println!("a match, {SEARCHERS} look at once, {waiting} wait    {}", quantiles(spent));
}

fn quantiles(mut spent: Vec<Duration>) -> String {
    spent.sort();
    let at = |share: usize| spent[(spent.len() * share / 100).min(spent.len() - 1)].as_secs_f64() * 1_000.0;
    format!("median {:.2} ms, p99 {:.2} ms, worst {:.2} ms", at(50), at(99), at(100))
}

fn main() {
    let server = Postgres::start(&[]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let lobby = Lobby::open(&server).await;
        let mut waiting = 0;
        for more in LOBBIES {
            lobby.fill(waiting, more).await;
            // What autovacuum does within a minute.
            server.run_sql("test0", "ANALYZE");
            waiting = more;
            search(&lobby, waiting).await;
        }
        pairs(&lobby, waiting).await;
        crowd(&lobby, waiting).await;
    });
}
