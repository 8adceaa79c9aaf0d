//! Who takes the turns that fall to tables themselves: at once where this process made the move
//! before, and by a sweep over what is overdue, also after a crash of anyone.

use crate::store::StoreError;
use crate::tables::Tables;
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use chrono::TimeDelta;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// How often the rows of what is due are looked through.
const SWEEP_INTERVAL: Duration = Duration::from_millis(100);

/// The most tables that one sweep takes up.
const SWEEP_MAX: u32 = 256;

/// The most tables whose turns are being taken; the sweeper comes back for others.
const RUNNING_MAX: usize = 4_096;

/// How long a table rests that could not be served.
const REST: TimeDelta = TimeDelta::seconds(30);

/// The loop that takes the turns.
pub(crate) struct Turns {
    tables: Arc<Tables>,
    wakes: mpsc::Receiver<TableId>,
    searches: Arc<Semaphore>,
    running: JoinSet<(TableId, Result<()>)>,
    /// Tables whose turns are being taken; true: look again afterwards.
    again: HashMap<TableId, bool>,
}

enum Event {
    Stop,
    Wake(TableId),
    Sweep,
    Done(TableId, Result<()>),
}

impl Turns {
    pub(crate) fn new(tables: Arc<Tables>, wakes: mpsc::Receiver<TableId>, searches: usize) -> Self {
        let searches = Arc::new(Semaphore::new(searches.max(1)));
        Self { tables, wakes, searches, running: JoinSet::new(), again: HashMap::new() }
    }

    /// Runs until it is stopped; a move that is under way then is finished first.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        let mut sweeps = tokio::time::interval(SWEEP_INTERVAL);
        sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let event = tokio::select! {
                () = stop.cancelled() => Event::Stop,
                Some(table) = self.wakes.recv() => Event::Wake(table),
                Some(Ok((table, done))) = self.running.join_next() => Event::Done(table, done),
                _ = sweeps.tick() => Event::Sweep,
            };
            match event {
                Event::Stop => break,
                Event::Wake(table) => self.take_up(table),
                Event::Sweep => match self.tables.store.due(self.tables.clock.now(), SWEEP_MAX).await {
                    Ok(due) => due.into_iter().for_each(|table| self.take_up(table)),
                    Err(error) => complain(&error),
                },
                Event::Done(table, done) => self.put_down(table, done).await,
            }
        }
        while self.running.join_next().await.is_some() {}
    }

    fn take_up(&mut self, table: TableId) {
        let crowded = self.again.len() >= RUNNING_MAX;
        match self.again.entry(table) {
            Entry::Occupied(mut again) => *again.get_mut() = true,
            Entry::Vacant(_) if crowded => {}
            Entry::Vacant(free) => {
                free.insert(false);
                let (tables, searches) = (Arc::clone(&self.tables), Arc::clone(&self.searches));
                self.running.spawn(async move { (table, tables.take_turns(table, &searches).await) });
            }
        }
    }

    async fn put_down(&mut self, table: TableId, done: Result<()>) {
        let again = self.again.remove(&table).unwrap_or(false);
        match done {
            Ok(()) if again => self.take_up(table),
            Ok(()) => {}
            Err(problem) => {
                tracing::warn!(%table, %problem, "the turn of a table was not taken");
                let until = self.tables.clock.now() + REST;
                if let Err(error) = self.tables.store.postpone(table, until).await {
                    complain(&error);
                }
            }
        }
    }
}

fn complain(error: &StoreError) {
    tracing::error!(%error, "what is due can't be read or put off");
}
