//! The queue of one connection: bounded, never waited for by a publisher, and honest about gaps.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{Delivery, Message, Topic};

/// Deliveries of one connection, with a single reader.
#[derive(Debug)]
pub(super) struct Queue {
    capacity: usize,
    state: Mutex<State>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct State {
    deliveries: VecDeque<Delivery>,
    closed: bool,
}

impl Queue {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), state: Mutex::default(), filled: Notify::new() }
    }

    /// Queues a message; in a full queue a single mark of the gap takes its place.
    pub(super) fn push(&self, topic: Topic, message: Message) {
        let mut state = self.state();
        if state.closed {
            return;
        }
        if state.deliveries.len() < self.capacity {
            state.deliveries.push_back(Delivery::Message(topic, message));
        } else if state.deliveries.back() != Some(&Delivery::Lagged) {
            state.deliveries.push_back(Delivery::Lagged);
        }
        drop(state);
        self.filled.notify_one();
    }

    /// Waits for the next delivery; nothing once the queue is closed.
    pub(super) async fn pop(&self) -> Option<Delivery> {
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

    pub(super) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.deliveries.clear();
        drop(state);
        self.filled.notify_one();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
