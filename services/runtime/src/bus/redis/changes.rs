//! Topics of which somebody's wish has changed, on their way to Redis.
//!
//! A change names the topic only. What is wanted is read from the switchboard when the change is carried out, so an
//! old wish can't undo a newer one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::bus::Topic;

/// Topics in one command to Redis.
pub(super) const BATCH_MAX: usize = 1_000;

/// A topic to look at, and who waits for that. Dropping it lets the waiter go on.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) topic: Topic,
    _waiter: Option<oneshot::Sender<()>>,
}

/// Changes that wait: no more than there are waiters, and topics given up since the last look. While Redis is away
/// none are kept, because all topics are subscribed to when it is back.
#[derive(Debug, Default)]
pub(super) struct Changes {
    state: Mutex<State>,
    noted: Notify,
}

#[derive(Debug, Default)]
struct State {
    away: bool,
    waiting: Vec<Change>,
}

impl Changes {
    /// Notes a change, and returns once it is carried out or Redis is away.
    pub(super) async fn settle(&self, topic: Topic) {
        let (waiter, done) = oneshot::channel();
        self.push(Change { topic, _waiter: Some(waiter) });
        // Nothing is ever sent: the end of the change is the news.
        let _ended = done.await;
    }

    /// Notes a change.
    pub(super) fn note(&self, topic: Topic) {
        self.push(Change { topic, _waiter: None });
    }

    fn push(&self, change: Change) {
        let mut state = self.state();
        if !state.away {
            state.waiting.push(change);
            drop(state);
            self.noted.notify_one();
        }
    }

    /// Waits for changes, and takes as many as fit one command.
    pub(super) async fn take(&self) -> Vec<Change> {
        loop {
            {
                let mut state = self.state();
                let count = state.waiting.len().min(BATCH_MAX);
                if count > 0 {
                    return state.waiting.drain(..count).collect();
                }
            }
            self.noted.notified().await;
        }
    }

    /// Redis is there: from now on changes are kept. True if it was away before.
    pub(super) fn arrive(&self) -> bool {
        std::mem::take(&mut self.state().away)
    }

    /// Redis is away: nobody waits for it any more. True if it was there before.
    pub(super) fn depart(&self) -> bool {
        let mut state = self.state();
        state.waiting.clear();
        !std::mem::replace(&mut state.away, true)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
