//! The tables of this process: the cache of live ones, the way from the store into it, and the one
//! way by which a change goes out: append, advance, publish, answer.
//!
//! A table's lock is held while its entry is appended, so that the requests of one table stay in
//! order. While the outcome of an append is open the table is out of its slot: if it stays unknown,
//! or whoever asked goes away, the next one loads the table anew.

use crate::appender::{AppendError, Appender};
use crate::change;
use crate::ends::Ends;
use crate::guard;
use crate::heads::Heads;
use crate::live::{LiveTable, Prepared, Wreck};
use crate::metrics::{EngineMetrics, SnapshotMetrics};
use crate::position::Position;
use crate::pulse::Pulse;
use crate::snapshot;
use crate::snapshots::{EVERY, Snapshots};
use crate::store::{Appended, StoreError, StoredTable, TableStore};
use crate::told::Told;
use crate::turns::Wake;
use astragal_rules::error::InvalidGame;
use astragal_rules::registry::Registry;
use astragal_runtime::bus::{Bus, Message, Topic};
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::id::TableId;
use astragal_runtime::telemetry::span;
use astragal_runtime::telemetry::tracer::Tracer;
use moka::sync::Cache;
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard, mpsc};

/// How often a change is tried against others who change the same table.
pub(crate) const ATTEMPTS_MAX: usize = 16;

/// Logs of more moves than this are replayed away from the threads that serve.
const REPLAY_INLINE_MAX: usize = 500;

/// The place of a table in the cache; empty until it is loaded.
pub(crate) type Slot = Mutex<Option<Box<LiveTable>>>;

/// A slot that is locked.
pub(crate) type Held<'s> = MutexGuard<'s, Option<Box<LiveTable>>>;

/// The tables of this process.
pub(crate) struct Tables {
    pub(crate) store: Arc<dyn TableStore>,
    pub(crate) registry: Registry,
    pub(crate) pulse: Arc<Pulse>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) appender: Appender,
    pub(crate) heads: Heads,
    pub(crate) told: Told,
    pub(crate) snapshots: Snapshots,
    pub(crate) bus: Bus,
    pub(crate) ends: Ends,
    pub(crate) cache: Cache<TableId, Arc<Slot>>,
    /// Tables that have to do something themselves. When it is full the sweeper finds them.
    pub(crate) wakes: mpsc::Sender<Wake>,
    pub(crate) tracer: Tracer,
    pub(crate) metrics: EngineMetrics,
}

impl Tables {
    /// The slot of a table, whether there is such a table or not.
    pub(crate) fn slot(&self, table: TableId) -> Arc<Slot> {
        self.cache.get_with(table, Arc::default)
    }

    /// The table in a slot, loaded if it isn't there.
    pub(crate) async fn live<'h>(&self, table: TableId, held: &'h mut Held<'_>) -> Result<&'h LiveTable> {
        if held.is_none() {
            **held = Some(span::part("load").run(self.load(table, true), span::code_of).await?);
        }
        held.as_deref().ok_or_else(|| not_there(table))
    }

    /// Loads a table anew, whatever its slot holds, with the state before its last move.
    pub(crate) async fn reload(&self, table: TableId, held: &mut Held<'_>) -> Result<()> {
        **held = None;
        **held = Some(self.load(table, false).await?);
        Ok(())
    }

    /// `resumes`: a state that was kept will do, where it saves the replay of a long log.
    async fn load(&self, table: TableId, resumes: bool) -> Result<Box<LiveTable>> {
        for _ in 0..ATTEMPTS_MAX {
            let Some(stored) = self.store.load(table).await.map_err(|error| store_problem(&error))? else {
                self.cache.invalidate(&table);
                return Err(not_there(table));
            };
            let header = &stored.header;
            if self.registry.get(&header.game, header.version).is_none() {
                let why = format!("this build has no {} of version {}", header.game, header.version);
                return Err(Problem::new(Code::InvalidGame, format!("{why}; start one that has")));
            }
            let is_long = stored.entries.len() >= EVERY as usize;
            let kept = if resumes && is_long { self.snapshots.load(table).await } else { None };
            match self.rebuild(stored, kept).await? {
                Ok(live) => return Ok(Box::new(live)),
                Err(wreck) => {
                    let mut live = Box::new(wreck.live);
                    if self.write_crash(&mut live, &wreck.why).await? == Appended::Yes {
                        return Ok(live);
                    }
                }
            }
        }
        Err(busy())
    }

    pub(crate) async fn rebuild(
        &self,
        stored: StoredTable,
        kept: Option<String>,
    ) -> Result<std::result::Result<LiveTable, Box<Wreck>>> {
        if stored.entries.len() <= REPLAY_INLINE_MAX {
            let kept = resumed(&self.registry, &stored, kept.as_deref(), self.snapshots.metrics());
            return Ok(LiveTable::rebuild(&self.registry, stored, kept));
        }
        let (registry, metrics) = (self.registry.clone(), self.snapshots.metrics().clone());
        let replay = tokio::task::spawn_blocking(move || {
            let kept = resumed(&registry, &stored, kept.as_deref(), &metrics);
            LiveTable::rebuild(&registry, stored, kept)
        });
        replay.await.map_err(|error| Problem::internal(&error))
    }

    /// Appends a change, and when it is in the journal takes it in and tells those who watch. A
    /// conflict brings the table up to date instead, for the caller to decide anew.
    pub(crate) async fn commit(
        &self,
        table: TableId,
        held: &mut Held<'_>,
        prepared: Prepared,
    ) -> Result<Option<u32>> {
        let Some(mut live) = held.take() else { return Err(not_there(table)) };
        let revision = prepared.append.entry.revision;
        match self.appender.append(Arc::clone(&prepared.append)).await {
            Ok(Appended::Yes) => {
                fault::reach(Point::EngineCommitted);
                self.metrics.committed(&prepared.append);
                let event = live.commit(prepared).map_err(|why| Problem::internal(&why))?;
                if live.due.any() || live.outcome.is_some() {
                    let _ = self.wakes.try_send(Wake::Now(table));
                }
                self.set_timer(&mut live, self.pulse.now());
                self.snapshots.note(&live);
                **held = Some(live);
                self.bus.publish(Topic::Table(table), &Message::Table(Arc::new(event)));
                Ok(Some(revision))
            }
            Ok(Appended::Conflict) => {
                **held = Some(live);
                self.catch_up(table, held).await?;
                Ok(None)
            }
            Err(error) => {
                if matches!(error, AppendError::Refused | AppendError::Unanswered) {
                    **held = Some(live);
                }
                Err(Problem::unavailable(format!("{error}; send the request again")))
            }
        }
    }

    /// Takes in what other replicas have appended.
    pub(crate) async fn catch_up(&self, table: TableId, held: &mut Held<'_>) -> Result<()> {
        let Some(mut live) = held.take() else { return self.reload(table, held).await };
        let after = live.head.revision;
        let entries = self.store.tail(table, after).await.map_err(|error| store_problem(&error))?;
        match guard::catch(|| live.follow(&entries)) {
            Ok(true) => {
                **held = Some(live);
                Ok(())
            }
            // Rebuilding says what is wrong, if anything is.
            Ok(false) | Err(_) => self.reload(table, held).await,
        }
    }

    /// Writes that a table can't go on, and keeps it so in its slot.
    pub(crate) async fn crash(&self, table: TableId, held: &mut Held<'_>, why: &InvalidGame) -> Problem {
        let Some(mut live) = held.take() else { return not_there(table) };
        match self.write_crash(&mut live, why).await {
            Ok(Appended::Yes) => {
                **held = Some(live);
                let message = "the game broke one of its own rules and was ended; it does not count";
                Problem::new(Code::Internal, message)
            }
            Ok(Appended::Conflict) => busy(),
            Err(problem) => problem,
        }
    }

    async fn write_crash(&self, live: &mut LiveTable, why: &InvalidGame) -> Result<Appended> {
        let table = live.header.id;
        tracing::error!(%table, revision = live.head.revision, %why, "a table can't go on");
        let prepared = change::crash(live, self.pulse.now(), why);
        let appended = self.appender.append(Arc::clone(&prepared.append)).await;
        let appended = appended.map_err(|error| Problem::unavailable(format!("{error}; try again")))?;
        if appended == Appended::Yes {
            self.metrics.committed(&prepared.append);
            let event = live.commit(prepared).map_err(|why| Problem::internal(&why))?;
            self.bus.publish(Topic::Table(table), &Message::Table(Arc::new(event)));
        }
        Ok(appended)
    }
}

/// The table as it stands, if what a cache kept of it holds good.
fn resumed(
    registry: &Registry,
    stored: &StoredTable,
    kept: Option<&str>,
    metrics: &SnapshotMetrics,
) -> Option<Position> {
    let kept = kept?;
    match guard::catch(|| snapshot::resume(kept, registry, stored)) {
        Ok(position) => {
            metrics.used.inc();
            Some(position)
        }
        Err(why) => {
            metrics.refused.inc();
            tracing::warn!(table = %stored.header.id, %why, "a snapshot is refused, the log is replayed");
            None
        }
    }
}

/// The sentence for a table that nobody has opened.
pub(crate) fn not_there(table: TableId) -> Problem {
    Problem::not_found(format!("there is no table {table}"))
}

/// The sentence for a table that others keep changing.
pub(crate) fn busy() -> Problem {
    Problem::unavailable("others keep changing this table; send the request again")
}

/// What a client is told of an error of the store.
pub(crate) fn store_problem(error: &StoreError) -> Problem {
    match error {
        _ if error.refuses_writes() => {
            tracing::error!(%error, "the database refuses to write");
            Problem::unavailable("the database refuses to write; try again later")
        }
        StoreError::Failed(_) | StoreError::Unknown(_) => {
            tracing::error!(%error, "the database does not answer");
            Problem::unavailable("the database does not answer; try again")
        }
        StoreError::Unreadable(_) => Problem::internal(error),
    }
}
