//! The queue of one reader of news: bounded, never waited for by a publisher, and honest about gaps.
//!
//! It knows neither what the news are nor what a reader does about a gap.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// What can stand in a queue where news are missing.
pub(crate) trait Gap: PartialEq {
    /// The mark that takes the place of what was lost.
    const GAP: Self;
}

/// News for a single reader.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    capacity: usize,
    state: Mutex<State<T>>,
    filled: Notify,
}

#[derive(Debug)]
struct State<T> {
    deliveries: VecDeque<T>,
    closed: bool,
}

impl<T: Gap> Queue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        let state = State { deliveries: VecDeque::new(), closed: false };
        Self { capacity: capacity.max(1), state: Mutex::new(state), filled: Notify::new() }
    }

    /// Queues a piece of news; in a full queue a single mark of the gap takes its place.
    pub(crate) fn push(&self, news: T) {
        let mut state = self.state();
        if state.closed {
            return;
        }
        if state.deliveries.len() < self.capacity {
            state.deliveries.push_back(news);
        } else if state.deliveries.back() != Some(&T::GAP) {
            state.deliveries.push_back(T::GAP);
        }
        drop(state);
        self.filled.notify_one();
    }

    /// Marks that news were lost, unless that is the last thing that will be read anyway.
    pub(crate) fn push_gap(&self) {
        let mut state = self.state();
        if !state.closed && state.deliveries.back() != Some(&T::GAP) {
            state.deliveries.push_back(T::GAP);
        }
        drop(state);
        self.filled.notify_one();
    }

    /// Waits for the next delivery; nothing once the queue is closed.
    pub(crate) async fn pop(&self) -> Option<T> {
        loop {
            {
                let mut state = self.state();
                if let Some(delivery) = state.deliveries.pop_front() {
                    return Some(delivery);
                }
                if state.closed {
                    return None;
                }
            }
            // A push between the look and this wait has left its permit.
            self.filled.notified().await;
        }
    }

    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.deliveries.clear();
        drop(state);
        self.filled.notify_one();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Everything that waits, without waiting for more.
    #[cfg(test)]
    pub(crate) fn take(&self) -> Vec<T> {
        self.state().deliveries.drain(..).collect()
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
