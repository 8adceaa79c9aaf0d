//! The role engine: tables that are open, from the first seat to the finished log.
//!
//! The journal is the only truth and the append to it is the lock; live tables are a cache of it.
//! It knows accounts by their ids only, and nothing of sockets, lobbies or how seats were drawn.

pub mod clocks;
pub mod header;
pub mod journal;
pub mod occupant;
pub mod outcome;
pub mod replay_gate;
pub mod request;
pub mod series;
pub mod service;
pub mod snapshots;
pub mod store;
pub mod stream;

mod action;
mod appender;
mod change;
mod decide;
mod due;
mod ends;
mod event;
mod finished;
mod flag;
mod guard;
mod heads;
mod history;
mod live;
mod metrics;
mod play;
mod position;
mod pulse;
mod review;
mod seating;
mod series_service;
mod snapshot;
mod tables;
mod told;
mod turn;
mod turns;
mod view;
mod wire;

use crate::ends::{Ends, Listener};
use crate::heads::Heads;
use crate::metrics::EngineMetrics;
use crate::pulse::Pulse;
use crate::service::TableService;
use crate::snapshots::{SnapshotCache, Snapshots};
use crate::store::TableStore;
use crate::tables::Tables;
use crate::told::Told;
use crate::turns::Turns;
use astragal_proto::engine::v1::engine_service_server::EngineServiceServer;
use astragal_proto::engine::v1::series_service_server::SeriesServiceServer;
use astragal_rules::registry::Registry;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::Clock;
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use astragal_runtime::telemetry::Telemetry;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The finished log of the longest game, with room to spare.
const MESSAGE_BYTES_MAX: usize = 64 << 20;

/// A request holds one move, or the ids of a thousand tables.
const REQUEST_BYTES_MAX: usize = 1 << 20;

/// How much an engine keeps and does at once.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The most tables that are kept in memory.
    pub tables_max: u64,
    /// The most entries that wait to be written; above it requests are refused.
    pub queued_max: usize,
    /// The most robots that search for a move at once.
    pub searches_max: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let searches_max = available_parallelism().map_or(1, usize::from);
        Self { tables_max: 20_000, queued_max: 8_192, searches_max }
    }
}

/// A running engine.
pub struct Engine {
    service: TableService,
    /// Streams, unary plays and the turns of tables.
    tasks: TaskTracker,
    stop: CancellationToken,
    /// Stopped last: what the tasks still write has to be written.
    committer: tokio::task::JoinHandle<()>,
    stop_committer: CancellationToken,
}

impl Engine {
    /// Starts an engine on a store. Must be called inside a runtime.
    pub fn open(
        settings: Settings,
        store: Arc<dyn TableStore>,
        registry: Registry,
        bus: Bus,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        telemetry: Telemetry,
    ) -> Self {
        let Telemetry { tracer, metrics } = telemetry;
        let metrics = EngineMetrics::new(&metrics);
        let (appender, committer) = appender::channel(
            Arc::clone(&store),
            settings.queued_max,
            tracer.clone(),
            metrics.appends.clone(),
        );
        let pulse = Arc::new(Pulse::new(Arc::clone(&store), clock));
        let (wakes, woken) = mpsc::channel(settings.queued_max);
        let policy = EvictionPolicy::lru();
        let cache = Cache::builder().max_capacity(settings.tables_max).eviction_policy(policy).build();
        let tables = Tables {
            heads: Heads::of(Arc::clone(&store)),
            told: Told::of(Arc::clone(&store)),
            snapshots: Snapshots::in_memory(metrics.snapshots.clone()),
            store,
            registry,
            pulse: Arc::clone(&pulse),
            entropy,
            appender,
            bus,
            ends: Ends::default(),
            cache,
            wakes,
            tracer,
            metrics,
        };
        let tables = Arc::new(tables);
        let (tasks, stop, stop_committer) =
            (TaskTracker::new(), CancellationToken::new(), CancellationToken::new());
        let committer = tokio::spawn(committer.run(stop_committer.clone().cancelled_owned()));
        let beating = stop.clone();
        tasks.spawn(async move { pulse.run(beating).await });
        tasks.spawn(turns::sweep(Arc::clone(&tables), stop.clone()));
        tasks.spawn(Turns::new(Arc::clone(&tables), woken, settings.searches_max).run(stop.clone()));
        let service = TableService { tables, stop: stop.clone(), tasks: tasks.clone() };
        Self { service, tasks, stop, committer, stop_committer }
    }

    /// The service, for a server or for a channel inside this process.
    pub fn server(&self) -> EngineServiceServer<TableService> {
        EngineServiceServer::new(self.service.clone())
            .max_encoding_message_size(MESSAGE_BYTES_MAX)
            .max_decoding_message_size(REQUEST_BYTES_MAX)
    }

    /// The service of series.
    pub fn series_server(&self) -> SeriesServiceServer<TableService> {
        SeriesServiceServer::new(self.service.clone()).max_encoding_message_size(MESSAGE_BYTES_MAX)
    }

    /// Says who offers rematches, or that nobody does. Until then the ends of tables wait to be told.
    pub fn tell_ends_to(&self, rematch: Option<RoleChannel>) {
        self.service.tables.ends.set(rematch.map_or(Listener::Nobody, Listener::Rematch));
    }

    /// Says where snapshots are shared with other engines. Until then they stay in this process.
    pub fn share_snapshots(&self, cache: Arc<dyn SnapshotCache>) {
        self.service.tables.snapshots.share(cache);
    }

    /// Whether the journals can be read now, and the database writes: a sign of life is a row of it.
    pub async fn ready(&self) -> Result<()> {
        self.service.tables.pulse.fresh().await?;
        let asked = self.service.tables.store.heads(&[TableId::new()]).await;
        asked.map(drop).map_err(|error| tables::store_problem(&error))
    }

    /// Begins to stop: reads no more from streams, and tells their callers to go elsewhere.
    pub fn drain(&self) {
        self.stop.cancel();
    }

    /// Stops: reads no more requests, answers what is under way, writes what is queued.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        // That one may call this engine, within one process.
        self.service.tables.ends.set(Listener::Unknown);
        self.stop_committer.cancel();
        if let Err(error) = self.committer.await {
            tracing::error!(%error, "the loop that writes the journals broke");
        }
    }
}
