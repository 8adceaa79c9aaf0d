//! The pulse of an engine: it tells the database that it lives, and takes from it what time it is and
//! when no engine lived. It knows no table.
//!
//! An engine that was not answered for a moment can't know of an outage that goes on. So time is
//! charged to a player only on a fresh answer: no outage that it lived through is shorter than an answer stays
//! fresh. Only the first beat of an engine finds shorter ones, in which it did not live itself.

use crate::store::TableStore;
use crate::store::heart::{Beat, Outage};
use crate::tables::store_problem;
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::Result;
use chrono::{DateTime, TimeDelta};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// How often an engine says that it lives.
const BEAT_INTERVAL: Duration = Duration::from_millis(500);

/// For how long an answer is fresh.
const FRESH_FOR: TimeDelta = TimeDelta::seconds(1);

/// A longer time without a sign of life of any engine is an outage.
const SILENCE_MAX: TimeDelta = TimeDelta::milliseconds(1_500);

/// What an engine finds that just came is more than a late beat: where another one lives, the last beat is at most
/// an interval old. So a restart is an outage although it is shorter than the silence of one that is slow.
const ABSENCE_MAX: TimeDelta = TimeDelta::milliseconds(750);

/// Outages that are older than the longest turn are of no interest to any clock.
const OUTAGES_KEPT: TimeDelta = TimeDelta::days(30);

/// When something came, by the clock of the process: what that is in the time of the database may be known
/// only later.
#[derive(Clone, Copy)]
pub(crate) struct Arrival(Timestamp);

impl Arrival {
    /// So long before.
    pub(crate) fn before(self, held: TimeDelta) -> Self {
        Self(self.0 - held)
    }
}

/// The pulse of one engine, and the clock that it gets by it.
pub(crate) struct Pulse {
    store: Arc<dyn TableStore>,
    clock: Arc<dyn Clock>,
    /// By how much the database is ahead of the clock of the process.
    ahead_us: AtomicI64,
    /// The latest instant that was told; time never goes back.
    told_us: AtomicI64,
    /// The instant of the newest beat that was answered.
    beaten_us: AtomicI64,
    /// Oldest first.
    outages: RwLock<Vec<Outage>>,
    /// The end of the newest outage.
    outage_us: AtomicI64,
    beating: Mutex<()>,
}

impl Pulse {
    pub(crate) fn new(store: Arc<dyn TableStore>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            ahead_us: AtomicI64::new(0),
            told_us: AtomicI64::new(i64::MIN),
            beaten_us: AtomicI64::new(i64::MIN),
            outages: RwLock::default(),
            outage_us: AtomicI64::new(i64::MIN),
            beating: Mutex::default(),
        }
    }

    /// The time of the database.
    pub(crate) fn now(&self) -> Timestamp {
        // Until the database has answered once nobody knows how wrong the clock of the process is.
        let known = self.beaten_us.load(Ordering::Acquire) != i64::MIN;
        let mut now_us = self.process_us().saturating_add(self.ahead_us.load(Ordering::Relaxed));
        if known {
            now_us = now_us.max(self.told_us.fetch_max(now_us, Ordering::Relaxed));
        }
        DateTime::from_timestamp_micros(now_us).unwrap_or_default()
    }

    /// Something comes now.
    pub(crate) fn arrival(&self) -> Arrival {
        Arrival(self.clock.now())
    }

    /// When something came, in the time of the database as far as it is known.
    pub(crate) fn when(&self, Arrival(came): Arrival) -> Timestamp {
        came + TimeDelta::microseconds(self.ahead_us.load(Ordering::Relaxed))
    }

    fn process_us(&self) -> i64 {
        self.clock.now().timestamp_micros()
    }

    /// Beats until it is stopped.
    pub(crate) async fn run(&self, stop: CancellationToken) {
        let mut beats = tokio::time::interval(BEAT_INTERVAL);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = beats.tick() => {}
            }
            // What is wrong with the database is told by whoever needs it more.
            let _ = self.beat().await;
        }
    }

    /// Returns once every outage until now is known, as far as there can be one.
    pub(crate) async fn fresh(&self) -> Result<()> {
        if self.is_fresh() { Ok(()) } else { self.beat().await }
    }

    fn is_fresh(&self) -> bool {
        let age_us = self.now().timestamp_micros().saturating_sub(self.beaten_us.load(Ordering::Acquire));
        TimeDelta::microseconds(age_us) <= FRESH_FOR
    }

    async fn beat(&self) -> Result<()> {
        let asked_us = self.process_us();
        let _beating = self.beating.lock().await;
        if self.beaten_us.load(Ordering::Acquire)
            >= asked_us.saturating_add(self.ahead_us.load(Ordering::Relaxed))
        {
            // Somebody else has done it meanwhile.
            return Ok(());
        }
        let now = self.clock.now();
        let known = self.outages().last().map(|outage| outage.ended_at);
        let known_until = known.unwrap_or(now - OUTAGES_KEPT);
        let has_beaten = self.beaten_us.load(Ordering::Acquire) != i64::MIN;
        let silence_max = if has_beaten { SILENCE_MAX } else { ABSENCE_MAX };
        let beaten = self.store.beat(Beat { now, silence_max, known_until }).await;
        let beaten = beaten.map_err(|error| store_problem(&error))?;
        let (before_us, after_us) = (now.timestamp_micros(), self.process_us());
        if let Some(at) = beaten.at {
            // The database looked at its clock on the way, about halfway. What was known before stays if it
            // may be right, so that a slow answer doesn't make time jump.
            let error_us = after_us.saturating_sub(before_us) / 2;
            let ahead_us = at.timestamp_micros() - before_us - error_us;
            if self.ahead_us.load(Ordering::Relaxed).abs_diff(ahead_us) > error_us.unsigned_abs() {
                self.ahead_us.store(ahead_us, Ordering::Relaxed);
            }
        }
        if !beaten.outages.is_empty() {
            self.note(beaten.outages);
        }
        let beaten_us = before_us.saturating_add(self.ahead_us.load(Ordering::Relaxed));
        self.beaten_us.store(beaten_us, Ordering::Release);
        Ok(())
    }

    fn note(&self, outages: Vec<Outage>) {
        for outage in &outages {
            let Outage { began_at, ended_at } = outage;
            tracing::warn!(%began_at, %ended_at, "no engine lived; no clock ran");
        }
        let mut known = self.outages.write().unwrap_or_else(PoisonError::into_inner);
        known.extend(outages);
        if let Some(newest) = known.last() {
            self.outage_us.store(newest.ended_at.timestamp_micros(), Ordering::Release);
        }
    }

    fn outages(&self) -> std::sync::RwLockReadGuard<'_, Vec<Outage>> {
        self.outages.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first outage that ended after an instant.
    pub(crate) fn outage_after(&self, instant: Timestamp) -> Option<Outage> {
        if instant.timestamp_micros() >= self.outage_us.load(Ordering::Acquire) {
            return None;
        }
        self.outages().iter().find(|outage| outage.ended_at > instant).copied()
    }
}
