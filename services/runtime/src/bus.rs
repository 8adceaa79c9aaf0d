//! News from the roles to whoever watches: one connection a watcher, many topics on it. They go
//! through the memory of one process, or through Redis between many.
//!
//! Publishing never waits, neither for a slow watcher nor for Redis: what is lost is lost, and the
//! watchers are told that something is missing. The order of one publisher's messages is kept.

mod redis;
mod switchboard;

use std::sync::Arc;

use astragal_proto::engine::v1::TableEvent;
use astragal_proto::matchmaking::v1::{AccountEvent, LobbyEvent};
use astragal_proto::seeding::v1::DrawEvent;

use self::redis::RedisBus;
use self::switchboard::{Line, Switchboard};
use crate::fault::{self, Point};
use crate::id::{AccountId, TableId};
use crate::queue::{Gap, Queue};
use crate::redis_link::{RedisLink, RedisSettings, RedisSettingsError};

/// What news can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// One table.
    Table(TableId),
    /// One account, on all its sockets.
    Account(AccountId),
    /// The list of open games.
    Lobby,
    /// The draw of one game.
    Draw(TableId),
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
    /// A change of a draw.
    Draw(Arc<DrawEvent>),
}

/// What comes out of a connection.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    /// News of a topic.
    Message(Topic, Message),
    /// Messages may be missing here, because the queue was full or Redis was away: load again what is watched.
    Lagged,
}

impl Gap for Delivery {
    const GAP: Self = Self::Lagged;
}

/// The bus; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Bus {
    board: Arc<Switchboard>,
    carrier: Carrier,
}

/// What brings a message from its publisher to the switchboards.
#[derive(Debug, Clone, Default)]
enum Carrier {
    /// Nothing; there is one switchboard only.
    #[default]
    Memory,
    Redis(Arc<RedisBus>),
}

impl Bus {
    /// A bus within this process, that nobody is connected to.
    pub fn new() -> Self {
        Self::default()
    }

    /// A bus to all processes that use the same Redis and prefix. It is there at once, also while Redis isn't, and looks
    /// for Redis as long as anything of it is alive. Must be called within a tokio runtime.
    pub fn through_redis(settings: &RedisSettings) -> Result<Self, RedisSettingsError> {
        let board = Arc::<Switchboard>::default();
        let redis = RedisBus::start(RedisLink::new(settings)?, board.clone());
        Ok(Self { board, carrier: Carrier::Redis(Arc::new(redis)) })
    }

    /// Tells everyone who has subscribed to `topic`; never waits.
    pub fn publish(&self, topic: Topic, message: &Message) {
        if fault::loses(Point::BusPublish) {
            return;
        }
        match &self.carrier {
            Carrier::Memory => self.board.deliver(topic, message),
            Carrier::Redis(redis) => redis.publish(topic, message),
        }
    }

    /// A new connection, whose queue holds at most `capacity` messages.
    pub fn connect(&self, capacity: usize) -> (BusSubscriber, BusReceiver) {
        let line = Arc::new(Queue::new(capacity));
        let subscriber = BusSubscriber { bus: self.clone(), line: line.clone() };
        (subscriber, BusReceiver { bus: self.clone(), line })
    }

    /// Takes no more messages, and returns once those that wait are handed over, or have had their time. For the end
    /// of a process, when nobody publishes any more.
    pub async fn close(&self) {
        match &self.carrier {
            Carrier::Memory => {}
            Carrier::Redis(redis) => redis.close().await,
        }
    }

    /// How many messages of this process were never handed to Redis, or perhaps not.
    pub fn lost(&self) -> u64 {
        match &self.carrier {
            Carrier::Memory => 0,
            Carrier::Redis(redis) => redis.lost(),
        }
    }
}

/// The end of a connection that chooses its topics; cheap to clone.
#[derive(Debug, Clone)]
pub struct BusSubscriber {
    bus: Bus,
    line: Line,
}

impl BusSubscriber {
    /// Asks for news of `topic`. Whatever is published after this returns is delivered, or [`Delivery::Lagged`] is:
    /// without Redis this returns all the same, and the topic is subscribed to when Redis is back.
    pub async fn subscribe(&self, topic: Topic) {
        if self.bus.board.subscribe(topic, &self.line)
            && let Carrier::Redis(redis) = &self.bus.carrier
        {
            redis.settle(topic).await;
        }
    }

    /// Wants no more news of `topic`. Messages that are queued already are still delivered.
    #[expect(
        clippy::unused_async,
        reason = "the twin of subscribe, whose callers need not know that it never waits"
    )]
    pub async fn unsubscribe(&self, topic: Topic) {
        self.bus.board.unsubscribe(topic, &self.line);
        if let Carrier::Redis(redis) = &self.bus.carrier {
            redis.note(topic);
        }
    }
}

/// The end of a connection from which the news are read. Dropping it ends the connection.
#[derive(Debug)]
pub struct BusReceiver {
    bus: Bus,
    line: Line,
}

impl BusReceiver {
    /// The next delivery, or nothing when the bus is closed; this one never is while the process lives.
    pub async fn recv(&mut self) -> Option<Delivery> {
        self.line.pop().await
    }
}

impl Drop for BusReceiver {
    fn drop(&mut self) {
        let unwanted = self.bus.board.close(&self.line);
        if let Carrier::Redis(redis) = &self.bus.carrier {
            for topic in unwanted {
                redis.note(topic);
            }
        }
    }
}

#[cfg(test)]
mod tests;
