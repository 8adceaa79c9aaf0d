//! Who takes the turns that fall to tables themselves: at once where this process made the move
//! before, when a clock can have run out, and by a sweep over what is overdue, also after a crash of
//! anyone. One heap holds the timers of all tables.

use crate::store::StoreError;
use crate::tables::Tables;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::TableId;
use astragal_runtime::telemetry::span;
use chrono::TimeDelta;
use futures::FutureExt;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How often the rows of what is due are looked through: while any is due soon, and while none is.
const SWEEP_INTERVAL: Duration = Duration::from_millis(100);
const SWEEP_INTERVAL_IDLE: Duration = Duration::from_millis(500);

/// What is due within this is due soon. Where a seat has so little time left its table has such a row, whoever has the
/// turn; so an engine that writes a nearer one and is gone at once is not noticed too late.
const SOON: Duration = Duration::from_secs(1);

/// The most tables that one sweep takes up.
const SWEEP_MAX: u32 = 256;

/// The most tables whose turns are being taken; the sweeper comes back for others.
const RUNNING_MAX: usize = 4_096;

/// The most timers; a clock without one has its row of what is due.
const TIMERS_MAX: usize = 100_000;

/// How long a table rests whose turn could not be taken.
const REST: TimeDelta = TimeDelta::seconds(30);

/// How long it rests if its turn may be taken soon. Rows that stay due come first in every sweep, so without
/// a rest a few hundred of them would let no other table have its turn.
const SHORT_REST: TimeDelta = TimeDelta::seconds(1);

/// Why a table is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wake {
    /// It has something to do.
    Now(TableId),
    /// A row of what is due says so.
    Swept(TableId),
    /// It may have something to do then.
    At(Timestamp, TableId),
}

/// The loop that takes the turns.
pub(crate) struct Turns {
    tables: Arc<Tables>,
    wakes: mpsc::Receiver<Wake>,
    searches: Arc<Semaphore>,
    running: JoinSet<(TableId, bool)>,
    timers: BinaryHeap<Reverse<(Timestamp, TableId)>>,
    /// Tables whose turns are being taken, and whether and how to look again afterwards.
    again: HashMap<TableId, Option<Swept>>,
}

/// Whether it was a row of what is due that said so.
type Swept = bool;

enum Event {
    Stop,
    Wake(Wake),
    Timer,
    /// True if the turn was taken.
    Done(TableId, bool),
}

impl Turns {
    pub(crate) fn new(tables: Arc<Tables>, wakes: mpsc::Receiver<Wake>, searches: usize) -> Self {
        let searches = Arc::new(Semaphore::new(searches.max(1)));
        let (timers, again) = (BinaryHeap::new(), HashMap::new());
        Self { tables, wakes, searches, running: JoinSet::new(), timers, again }
    }

    /// Runs until it is stopped; a move that is under way then is finished first.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        let mut timer = std::pin::pin!(tokio::time::sleep(Duration::ZERO));
        let mut timer_at = None;
        loop {
            let first = self.timers.peek().map(|Reverse((at, _))| *at);
            if first != timer_at {
                timer_at = first;
                if let Some(at) = first {
                    let left = (at - self.tables.pulse.now()).to_std().unwrap_or_default();
                    timer.as_mut().reset(Instant::now() + left);
                }
            }
            let event = tokio::select! {
                () = stop.cancelled() => Event::Stop,
                () = &mut timer, if timer_at.is_some() => Event::Timer,
                Some(wake) = self.wakes.recv() => Event::Wake(wake),
                Some(Ok((table, done))) = self.running.join_next() => Event::Done(table, done),
            };
            match event {
                Event::Stop => break,
                Event::Wake(Wake::Now(table)) => self.take_up(table, false),
                Event::Wake(Wake::Swept(table)) => self.take_up(table, true),
                Event::Wake(Wake::At(at, table)) if self.timers.len() < TIMERS_MAX => {
                    self.timers.push(Reverse((at, table)));
                }
                Event::Wake(Wake::At(..)) => {}
                Event::Timer => {
                    timer_at = None;
                    self.fire();
                }
                Event::Done(table, done) => self.put_down(table, done),
            }
        }
        while self.running.join_next().await.is_some() {}
    }

    /// Looks at every table whose timer is over.
    fn fire(&mut self) {
        let now = self.tables.pulse.now();
        while let Some(Reverse((at, table))) = self.timers.peek().copied()
            && at <= now
        {
            self.timers.pop();
            self.take_up(table, false);
        }
    }

    fn take_up(&mut self, table: TableId, swept: Swept) {
        let crowded = self.again.len() >= RUNNING_MAX;
        match self.again.entry(table) {
            Entry::Occupied(mut again) => {
                let before = again.get().unwrap_or_default();
                *again.get_mut() = Some(before || swept);
            }
            Entry::Vacant(_) if crowded => {}
            Entry::Vacant(free) => {
                free.insert(None);
                let (tables, searches) = (Arc::clone(&self.tables), Arc::clone(&self.searches));
                self.running.spawn(async move {
                    let turns = tables.take_turns(table, swept, &searches);
                    let turns = tables.tracer.root("turn").run(turns, span::code_of);
                    // Who isn't put down is never taken up again.
                    let done = AssertUnwindSafe(turns).catch_unwind().await;
                    match done.unwrap_or_else(|_| Err(panicked())) {
                        Ok(()) => (table, true),
                        Err(problem) => {
                            rest(&tables, table, &problem).await;
                            (table, false)
                        }
                    }
                });
            }
        }
    }

    fn put_down(&mut self, table: TableId, done: bool) {
        if let Some(swept) = self.again.remove(&table).flatten().filter(|_| done) {
            self.take_up(table, swept);
        }
    }
}

/// Puts off the turns of a table that can't be taken now.
async fn rest(tables: &Tables, table: TableId, problem: &Problem) {
    tracing::warn!(%table, %problem, "the turn of a table waits");
    let rest = if problem.code == Code::Unavailable { SHORT_REST } else { REST };
    if let Err(error) = tables.store.postpone(table, tables.pulse.now() + rest).await {
        complain(&error);
    }
}

fn panicked() -> Problem {
    Problem::new(Code::Internal, "the code of this program panicked; the log has the place")
}

/// Looks through what is due until it is stopped, and wakes those tables.
pub(crate) async fn sweep(tables: Arc<Tables>, stop: CancellationToken) {
    let mut look_at = Instant::now();
    while stop.run_until_cancelled(tokio::time::sleep_until(look_at)).await.is_some() {
        // From here, so that an answer that takes its time doesn't put off the next look too.
        let (looked_at, now) = (Instant::now(), tables.pulse.now());
        let rest = match tables.store.due(now + SOON, SWEEP_MAX).await {
            Ok(due) => {
                for (table, _) in due.iter().filter(|(_, at)| *at <= now) {
                    // The loop that takes the turns goes when it is stopped too.
                    if tables.wakes.send(Wake::Swept(*table)).await.is_err() {
                        return;
                    }
                }
                if due.is_empty() { SWEEP_INTERVAL_IDLE } else { SWEEP_INTERVAL }
            }
            Err(error) => {
                complain(&error);
                SWEEP_INTERVAL
            }
        };
        look_at = looked_at + rest;
    }
}

pub(crate) fn complain(error: &StoreError) {
    tracing::error!(%error, "what is due can't be read or put off");
}
