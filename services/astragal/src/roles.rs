//! The roles, each made ready with what it is connected to: the one place that decides which
//! store, clock, bus and channel a role gets.

use crate::flags::database::Database;
use crate::flags::redis::RedisFlags;
use crate::games;
use anyhow::{Result, bail};
use astragal_engine::snapshots::redis::RedisSnapshots;
use astragal_engine::store::TableStore;
use astragal_engine::store::postgres::PostgresTables;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings as EngineSettings};
use astragal_matchmaking::settings::Settings as MatchmakingSettings;
use astragal_matchmaking::store::MatchmakingStore;
use astragal_matchmaking::store::postgres::PostgresStore;
use astragal_matchmaking::store::sqlite::SqliteStore;
use astragal_matchmaking::{Matchmaking, Wiring};
use astragal_rematch::present::{Everyone, Present};
use astragal_rematch::store::OfferStore;
use astragal_rematch::store::memory::MemoryOffers;
use astragal_rematch::store::redis::RedisOffers;
use astragal_rematch::{Rematch, Wiring as RematchWiring};
use astragal_replay::Replay;
use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_runtime::auth::TokenSigner;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::{Entropy, OsEntropy};
use astragal_runtime::presence::{Presence, PresenceChanges, PresenceTimes};
use astragal_runtime::redis_link::RedisSettings;
use astragal_runtime::telemetry::Telemetry;
use astragal_runtime::telemetry::calls::Calls;
use std::sync::Arc;
use tonic::service::Routes;

/// What comes from outside the program, and the bus.
pub(crate) struct Outside {
    /// The time of day.
    pub(crate) clock: Arc<dyn Clock>,
    /// Random bytes.
    pub(crate) entropy: Arc<dyn Entropy>,
    /// What bus and presence go through; none: they are inside this process.
    redis: Option<RedisSettings>,
    /// News between the roles.
    pub(crate) bus: Bus,
    /// Who is there, at whichever gateway.
    pub(crate) presence: Presence,
    /// Whether gateways say so in a place that this process sees.
    pub(crate) knows_who_is_online: bool,
    /// Who watches this process.
    pub(crate) telemetry: Telemetry,
}

/// The names of the roles, as their processes, spans and counters say them.
pub(crate) const ENGINE: &str = "engine";
pub(crate) const MATCHMAKING: &str = "matchmaking";
pub(crate) const REPLAY: &str = "replay";
pub(crate) const REMATCH: &str = "rematch";
pub(crate) const GATEWAY: &str = "gateway";

impl Outside {
    /// The operating system's clock and entropy; bus and presence in Redis, or inside this process.
    pub(crate) fn of_this_machine(redis: Option<&RedisFlags>, telemetry: Telemetry) -> Result<Self> {
        let times = PresenceTimes::default();
        let alone = redis.is_none();
        let redis = redis.map(RedisFlags::settings).transpose()?.flatten();
        let knows_who_is_online = alone || redis.is_some();
        let (bus, presence) = match &redis {
            Some(redis) => (Bus::through_redis(redis)?, Presence::through_redis(redis, times)?),
            None => (Bus::new(), Presence::new(times)),
        };
        let (clock, entropy) = (Arc::new(SystemClock), Arc::new(OsEntropy));
        Ok(Self { clock, entropy, redis, bus, presence, knows_who_is_online, telemetry })
    }

    /// Watches the calls that a role answers.
    pub(crate) fn calls(&self, role: &'static str) -> Calls {
        Calls::of(role, &self.telemetry)
    }
}

/// The tables of a database.
pub(crate) async fn tables(database: &Database) -> Result<Arc<dyn TableStore>> {
    Ok(match database {
        Database::Embedded(location) => Arc::new(SqliteTables::open(location).await?),
        Database::Postgres(settings) => Arc::new(PostgresTables::open(settings).await?),
    })
}

/// The tables of a database, to be read and nothing else: it is neither made nor brought up to date.
pub(crate) async fn tables_to_read(database: &Database) -> Result<Arc<dyn TableStore>> {
    match database {
        Database::Embedded(Location::Memory) => bail!("a database in memory has no tables yet; name a file"),
        Database::Embedded(Location::File(path)) => Ok(Arc::new(SqliteTables::open_to_read(path).await?)),
        // Here it is `migrate` that changes the schema, and no role.
        Database::Postgres(_) => tables(database).await,
    }
}

/// The role engine on its database.
pub(crate) async fn engine(
    database: &Database,
    dictionaries: Dictionaries,
    outside: &Outside,
) -> Result<Engine> {
    let store = tables(database).await?;
    let Outside { clock, entropy, bus, telemetry, .. } = outside;
    let settings = EngineSettings::default();
    let (bus, clock, entropy, telemetry) = (bus.clone(), clock.clone(), entropy.clone(), telemetry.clone());
    let registry = games::registry(dictionaries);
    let engine = Engine::open(settings, store, registry, bus, clock, entropy, telemetry);
    if let Some(redis) = &outside.redis {
        engine.share_snapshots(Arc::new(RedisSnapshots::open(redis)?));
    }
    Ok(engine)
}

/// The role matchmaking on its database.
pub(crate) async fn matchmaking(
    settings: MatchmakingSettings,
    database: &Database,
    dictionaries: Dictionaries,
    engine: RoleChannel,
    signer: TokenSigner,
    outside: &Outside,
) -> Result<Matchmaking> {
    let store: Arc<dyn MatchmakingStore> = match database {
        Database::Embedded(location) => Arc::new(SqliteStore::open(location).await?),
        Database::Postgres(settings) => Arc::new(PostgresStore::open(settings).await?),
    };
    let wiring = Wiring {
        store,
        registry: Arc::new(games::registry(dictionaries)),
        engine,
        bus: outside.bus.clone(),
        presence: outside.knows_who_is_online.then(|| outside.presence.clone()),
        signer,
        clock: outside.clock.clone(),
        entropy: outside.entropy.clone(),
        telemetry: outside.telemetry.clone(),
    };
    Ok(Matchmaking::open(settings, wiring).await?)
}

/// The role replay, which reads an engine. It needs no words: moves were judged when they were made.
pub(crate) fn replay(engine: RoleChannel) -> Replay {
    Replay::new(engine, games::registry(Dictionaries::default()))
}

/// The role rematch, on Redis or in the memory of this process, and who comes and goes.
pub(crate) fn rematch(
    engine: RoleChannel,
    matchmaking: RoleChannel,
    outside: &Outside,
) -> Result<(Rematch, PresenceChanges)> {
    let store: Arc<dyn OfferStore> = match &outside.redis {
        Some(redis) => Arc::new(RedisOffers::open(redis)?),
        None => Arc::new(MemoryOffers::default()),
    };
    let (desk, changes) = outside.presence.open_desk();
    let present: Arc<dyn Present> =
        if outside.knows_who_is_online { Arc::new(desk) } else { Arc::new(Everyone) };
    let (bus, clock) = (outside.bus.clone(), outside.clock.clone());
    Ok((Rematch::new(RematchWiring { store, engine, matchmaking, bus, present, clock }), changes))
}

/// The services of matchmaking, as one that can be called.
pub(crate) fn matchmaking_routes(role: &Matchmaking) -> Routes {
    Routes::new(role.matchmaking_service())
        .add_service(role.account_service())
        .add_service(role.next_game_service())
        .add_service(role.seeding_service())
}

/// The services of an engine, as one that can be called.
pub(crate) fn engine_routes(role: &Engine) -> Routes {
    Routes::new(role.server()).add_service(role.series_server())
}
