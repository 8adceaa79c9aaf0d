//! The one place of a process where changes of the lobby are written: orders that come while others
//! are being written are written together afterwards, with one transaction, however many they are.
//!
//! What the engine has confirmed is noted along with them; nobody waits for that.

use std::sync::Arc;
use std::time::Duration;

use astragal_runtime::error::{Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::gather::{Gate, Gathering, Job, Refused, gather};
use sqlx::error::ErrorKind;
use tokio::sync::oneshot;

use crate::ends::Ends;
use crate::error::LobbyError;
use crate::order::{Batch, Confirmation, Done, Order};
use crate::store::Orders;

/// Orders and confirmations that may wait at once.
const WAITING_MAX: usize = 8_192;
/// The most of one transaction.
const BATCH_MAX: usize = 256;
/// A transaction costs as much as several orders, and nobody notices so little of a wait in a lobby.
const PACE: Duration = Duration::from_millis(20);
/// So many orders are worth a transaction at once.
const CROWD: usize = 64;

const BUSY: &str = "too much is asked for at once, or this process stops; send the request again";

enum Task {
    Order(Box<Order>),
    Confirmed(Confirmation),
}

/// Nothing comes of a confirmation but that it is noted.
type Outcome = Result<Option<Done>>;

/// Comes when a confirmation is noted.
pub(crate) type Noted = oneshot::Receiver<Outcome>;

/// The way to the desk; cheap to clone.
#[derive(Clone)]
pub(crate) struct Desk(Gate<Task, Outcome>);

impl Desk {
    /// A desk over a store. It works until every clone of it is gone. Must be called inside a runtime.
    pub(crate) fn open(store: Arc<dyn Orders>, ends: Ends) -> Self {
        let (gate, gathering) = gather(WAITING_MAX, BATCH_MAX);
        tokio::spawn(work(store, ends, gathering.paced(PACE, CROWD)));
        Self(gate)
    }

    /// Carries an order out; answers when that is written.
    pub(crate) async fn order(&self, order: Order) -> Result<Done> {
        let done = self.0.ask(Task::Order(Box::new(order)), BUSY).await?;
        done.ok_or_else(|| Problem::unavailable(BUSY))
    }

    /// Notes what the engine has confirmed, sooner or later; whoever wants to know when may wait for
    /// the answer. Where it is lost the sweeper finds the game again.
    pub(crate) fn note(&self, confirmation: Confirmation) -> std::result::Result<Noted, Refused> {
        self.0.send(Task::Confirmed(confirmation))
    }
}

async fn work(store: Arc<dyn Orders>, ends: Ends, mut gathering: Gathering<Task, Outcome>) {
    while let Some(jobs) = gathering.next().await {
        do_all(&*store, &ends, jobs).await;
    }
}

async fn do_all(store: &dyn Orders, ends: &Ends, jobs: Vec<Job<Task, Outcome>>) {
    let (mut batch, mut askers, mut notes) = (Batch::default(), Vec::new(), Vec::new());
    for job in jobs {
        match job.into_parts() {
            (Task::Order(order), asker) => {
                batch.orders.push(*order);
                askers.push(asker);
            }
            (Task::Confirmed(confirmation), asker) => {
                batch.confirmed.push(confirmation);
                notes.push(asker);
            }
        }
    }
    if let Err(problem) = ends.learn_newest(&batch.orders).await {
        // Whose last draw stands is not known, so nobody may open a game now.
        let orders = batch.orders.into_iter().zip(askers);
        let (opening, others): (Vec<_>, Vec<_>) = orders.partition(|(order, _)| order.opens().is_some());
        for (_, asker) in opening {
            let _ = asker.send(Err(problem.clone()));
        }
        (batch.orders, askers) = others.into_iter().unzip();
    }
    if batch.orders.is_empty() && batch.confirmed.is_empty() {
        return;
    }
    let batch = Arc::new(batch);
    if !batch.orders.is_empty() {
        fault::reach(Point::MatchmakingOrdered);
    }
    let mut done = store.change(batch.clone()).await;
    if batch.orders.len() + batch.confirmed.len() > 1 && done.as_ref().is_err_and(is_about_its_rows) {
        // One of them can't be written, and takes only itself along.
        done = Ok(one_by_one(store, &batch).await);
    }
    match done {
        Ok(outcomes) => {
            for (asker, outcome) in askers.into_iter().zip(outcomes) {
                // Who asked may have gone away.
                let _ = asker.send(outcome.map(Some).map_err(Problem::from));
            }
            for asker in notes {
                let _ = asker.send(Ok(None));
            }
        }
        Err(error) => {
            let problem = Problem::from(error);
            for asker in askers.into_iter().chain(notes) {
                let _ = asker.send(Err(problem.clone()));
            }
        }
    }
}

async fn one_by_one(store: &dyn Orders, batch: &Batch) -> Vec<crate::error::Result<Done>> {
    for confirmation in &batch.confirmed {
        let alone = Batch { confirmed: vec![*confirmation], ..Batch::default() };
        if let Err(error) = store.change(Arc::new(alone)).await {
            tracing::error!(%error, game = %confirmation.game, "a confirmation could not be noted");
        }
    }
    let mut outcomes = Vec::with_capacity(batch.orders.len());
    for order in &batch.orders {
        let alone = Batch { orders: vec![order.clone()], ..Batch::default() };
        let done = store.change(Arc::new(alone)).await;
        outcomes.push(done.and_then(|mut done| done.pop().unwrap_or(Err(LobbyError::UnknownGame))));
    }
    outcomes
}

/// Whether what was to be written is what the database refuses.
fn is_about_its_rows(error: &LobbyError) -> bool {
    let LobbyError::Store(cause) = error else { return false };
    let refused = |error: &sqlx::Error| match error {
        sqlx::Error::Database(error) => !matches!(error.kind(), ErrorKind::Other),
        _ => false,
    };
    cause.downcast_ref().is_some_and(refused)
}

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;
