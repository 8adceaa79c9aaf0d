//! The role matchmaking: who people are, who plays whom, in which seat, and the draw that decided it.
//!
//! It owns accounts, games until they are full, and draws, in a database of its own. What happens at
//! a table is the engine's: this role opens tables, seats players and cancels what nobody joined.
//!
//! The story of a game: [`catalogue`] reads what is wanted, [`seating`] draws, [`store`] writes all of
//! it in one transaction, [`settler`] tells the engine and then everyone, [`sweeper`] repeats what a
//! crash left undone.

pub mod account;
pub mod accounts;
pub mod attempts;
pub mod catalogue;
pub mod comings;
mod desk;
pub mod ends;
mod engine;
pub mod error;
pub mod fingerprint;
pub mod follow;
mod fresh_draws;
pub mod game;
pub mod kind;
pub mod lobby;
mod metrics;
pub mod name;
pub mod news;
pub mod next_games;
pub mod open_list;
pub mod order;
pub mod password;
pub mod request;
pub mod seating;
pub mod seeding;
pub mod service;
pub mod settings;
pub mod settler;
pub mod standing;
pub mod store;
pub mod sweeper;
pub mod tournament;

use std::sync::{Arc, Mutex, PoisonError};

use astragal_proto::matchmaking::v1::account_service_server::AccountServiceServer;
use astragal_proto::matchmaking::v1::matchmaking_service_server::MatchmakingServiceServer;
use astragal_proto::matchmaking::v1::next_game_service_server::NextGameServiceServer;
use astragal_proto::seeding::v1::seeding_service_server::SeedingServiceServer;
use astragal_rules::registry::Registry;
use astragal_runtime::auth::TokenSigner;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::Clock;
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::Result;
use astragal_runtime::presence::{Presence, PresenceChanges};
use astragal_runtime::telemetry::Telemetry;
use tokio_util::sync::CancellationToken;

use self::account::robots;
use self::accounts::Accounts;
use self::attempts::Attempts;
use self::catalogue::Catalogue;
use self::comings::Comings;
use self::desk::Desk;
use self::ends::Ends;
use self::follow::Follower;
use self::fresh_draws::FreshDraws;
use self::lobby::Lobby;
use self::metrics::MatchmakingMetrics;
use self::next_games::NextGames;
use self::open_list::OpenList;
use self::password::Passwords;
use self::seeding::Seeding;
use self::seeding::ledger::Ledger;
use self::service::accounts::AccountEdge;
use self::service::lobby::LobbyEdge;
use self::service::next_games::NextGameEdge;
use self::service::seeding::SeedingEdge;
use self::settings::Settings;
use self::settler::Settler;
use self::store::MatchmakingStore;
use self::sweeper::Sweeper;
use self::tournament::Tournament;

/// What the role is connected to; all of it is chosen outside.
pub struct Wiring {
    /// Where it keeps what it owns.
    pub store: Arc<dyn MatchmakingStore>,
    /// The games that can be opened.
    pub registry: Arc<Registry>,
    /// The engine.
    pub engine: RoleChannel,
    /// Where it tells its news.
    pub bus: Bus,
    /// Who is online; none where nobody knows, and everybody counts as online.
    pub presence: Option<Presence>,
    /// Signs sessions.
    pub signer: TokenSigner,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// Where draws and names come from.
    pub entropy: Arc<dyn Entropy>,
    /// How it is seen.
    pub telemetry: Telemetry,
}

/// The role; cheap to clone.
#[derive(Clone)]
pub struct Matchmaking {
    accounts: Accounts,
    lobby: Lobby,
    open_list: OpenList,
    tournament: Tournament,
    sweeper: Sweeper,
    comings: Comings,
    /// Taken by [`Matchmaking::run`].
    news: Arc<Mutex<Option<PresenceChanges>>>,
}

impl Matchmaking {
    /// Makes the role ready to serve: the robots have their accounts afterwards.
    pub async fn open(settings: Settings, wiring: Wiring) -> Result<Self> {
        let Wiring { store, registry, engine, bus, presence, signer, clock, entropy, telemetry } = wiring;
        let metrics = MatchmakingMetrics::new(&telemetry.metrics);
        store.add_accounts(&robots(clock.now())).await?;
        let settings = Arc::new(settings);
        let catalogue = Catalogue::new(registry);
        let ends = Ends { draws: store.clone(), engine: engine.clone(), clock: clock.clone() };
        let desk = Desk::open(store.clone(), ends.clone());
        let settler = Settler::new(store.clone(), desk.clone(), engine, bus.clone(), clock.clone());
        let stopping = CancellationToken::new();
        let (presence, news) = presence.map(|presence| presence.open_desk()).unzip();
        let lobby = Lobby {
            store: store.clone(),
            desk: desk.clone(),
            catalogue: catalogue.clone(),
            settler: settler.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            settings: settings.clone(),
            drawn: FreshDraws::default(),
            metrics,
        };
        let seeding = Seeding {
            draws: store.clone(),
            store: store.clone(),
            catalogue: catalogue.clone(),
            ledger: Ledger { draws: store.clone(), ends: ends.clone() },
            bus: bus.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            stopping: stopping.clone(),
        };
        let follower = Follower { store: store.clone(), ends, bus: bus.clone(), stopping };
        Ok(Self {
            tournament: Tournament { seeding, lobby: lobby.clone(), follower },
            open_list: OpenList::new(store.clone(), bus.clone()),
            comings: Comings { store: store.clone(), bus: bus.clone(), desk: presence },
            news: Arc::new(Mutex::new(news)),
            accounts: Accounts {
                store: store.clone(),
                lobby: lobby.clone(),
                bus,
                signer,
                passwords: Passwords::open()?,
                attempts: Attempts { store: store.clone(), clock: clock.clone(), settings: settings.clone() },
                clock: clock.clone(),
                entropy,
                settings: settings.clone(),
            },
            sweeper: Sweeper { store, desk, catalogue, settler, clock, settings },
            lobby,
        })
    }

    /// The service of accounts and sessions.
    pub fn account_service(&self) -> AccountServiceServer<AccountEdge> {
        AccountServiceServer::new(AccountEdge(self.accounts.clone()))
    }

    /// The service of open games and seats.
    pub fn matchmaking_service(&self) -> MatchmakingServiceServer<LobbyEdge> {
        MatchmakingServiceServer::new(LobbyEdge {
            lobby: self.lobby.clone(),
            open_list: self.open_list.clone(),
            tournament: self.tournament.clone(),
        })
    }

    /// Says who offers rematches, and is told of people who are seated elsewhere; none: nobody.
    pub fn tell_rematch(&self, rematch: Option<RoleChannel>) {
        self.lobby.settler.offer_rematches(rematch);
    }

    /// The service of next games.
    pub fn next_game_service(&self) -> NextGameServiceServer<NextGameEdge> {
        let Lobby { store, settler, clock, .. } = self.lobby.clone();
        NextGameServiceServer::new(NextGameEdge(NextGames::open(store, settler, clock)))
    }

    /// The service of draws.
    pub fn seeding_service(&self) -> SeedingServiceServer<SeedingEdge> {
        SeedingServiceServer::new(SeedingEdge {
            lobby: self.lobby.clone(),
            seeding: self.tournament.seeding.clone(),
        })
    }

    /// Whether the database can be written now: one that is full or read-only serves nobody.
    pub async fn ready(&self) -> Result<()> {
        self.accounts.attempts.try_writing().await
    }

    /// Finishes what was left undone, seats robots, and follows who is online, until it is told to stop.
    pub async fn run(&self, stop: CancellationToken) {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner).take();
        tokio::join!(self.sweeper.run(stop.clone()), self.comings.run(news, stop));
        self.open_list.close();
        self.tournament.follower.stopping.cancel();
    }

    /// What [`Self::run`] repeats; for tests, which don't wait.
    pub const fn sweeper(&self) -> &Sweeper {
        &self.sweeper
    }

    /// What [`Self::run`] follows; for tests, which don't wait.
    pub const fn comings(&self) -> &Comings {
        &self.comings
    }
}
