//! News from the roles to whoever watches, in memory: one connection a watcher, many topics on it.
//!
//! Publishing never waits for a slow watcher: a watcher whose queue is full loses messages and is
//! told so at the place where they are missing. The order of one publisher's messages is kept.

mod queue;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use astragal_proto::engine::v1::TableEvent;
use astragal_proto::matchmaking::v1::{AccountEvent, LobbyEvent};

use self::queue::Queue;
use crate::id::{AccountId, TableId};

/// What news can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// One table.
    Table(TableId),
    /// One account, on all its sockets.
    Account(AccountId),
    /// The list of open games.
    Lobby,
}

/// One piece of news.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// An entry of a table's journal.
    Table(Arc<TableEvent>),
    /// News for an account.
    Account(Arc<AccountEvent>),
    /// A change in the list of open games.
    Lobby(Arc<LobbyEvent>),
}

/// What comes out of a connection.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    /// News of a topic.
    Message(Topic, Message),
    /// Messages are missing here, because the queue was full: load again what is watched.
    Lagged,
}

type Topics = HashMap<Topic, Vec<Arc<Queue>>>;

/// The bus; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Bus(Arc<RwLock<Topics>>);

impl Bus {
    /// A bus that nobody is connected to.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells everyone who has subscribed to `topic`; never waits.
    pub fn publish(&self, topic: Topic, message: &Message) {
        let topics = self.0.read().unwrap_or_else(PoisonError::into_inner);
        for queue in topics.get(&topic).into_iter().flatten() {
            queue.push(topic, message.clone());
        }
    }

    /// A new connection, whose queue holds at most `capacity` messages.
    pub fn connect(&self, capacity: usize) -> (BusSubscriber, BusReceiver) {
        let queue = Arc::new(Queue::new(capacity));
        let subscriber = BusSubscriber { bus: self.clone(), queue: queue.clone() };
        (subscriber, BusReceiver { bus: self.clone(), queue })
    }

    fn topics(&self) -> RwLockWriteGuard<'_, Topics> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a connection that chooses its topics; cheap to clone.
#[derive(Debug, Clone)]
pub struct BusSubscriber {
    bus: Bus,
    queue: Arc<Queue>,
}

impl BusSubscriber {
    /// Asks for news of `topic`. Whatever is published after this returns is delivered.
    #[expect(clippy::unused_async, reason = "a bus between processes confirms over a socket")]
    pub async fn subscribe(&self, topic: Topic) {
        let mut topics = self.bus.topics();
        // Checked under the lock, so that a connection that closes now leaves nothing behind.
        if self.queue.is_closed() {
            return;
        }
        let queues = topics.entry(topic).or_default();
        if !queues.iter().any(|queue| Arc::ptr_eq(queue, &self.queue)) {
            queues.push(self.queue.clone());
        }
    }

    /// Wants no more news of `topic`. Messages that are queued already are still delivered.
    #[expect(clippy::unused_async, reason = "a bus between processes confirms over a socket")]
    pub async fn unsubscribe(&self, topic: Topic) {
        if let Entry::Occupied(mut queues) = self.bus.topics().entry(topic) {
            queues.get_mut().retain(|queue| !Arc::ptr_eq(queue, &self.queue));
            if queues.get().is_empty() {
                queues.remove();
            }
        }
    }
}

/// The end of a connection from which the news are read. Dropping it ends the connection.
#[derive(Debug)]
pub struct BusReceiver {
    bus: Bus,
    queue: Arc<Queue>,
}

impl BusReceiver {
    /// The next delivery, or nothing when the bus is closed; this one never is while the process lives.
    pub async fn recv(&mut self) -> Option<Delivery> {
        self.queue.pop().await
    }
}

impl Drop for BusReceiver {
    fn drop(&mut self) {
        let mut topics = self.bus.topics();
        self.queue.close();
        topics.retain(|_, queues| {
            queues.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
            !queues.is_empty()
        });
    }
}

#[cfg(test)]
mod tests;
