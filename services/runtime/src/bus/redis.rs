//! The bus between processes, through the channels of Redis: what this process publishes, and what it listens to.
//!
//! One connection is for listening and one for publishing, so that neither holds up the other. Redis may be away at
//! any time; nobody but the two tasks behind the connections ever waits for it longer than for one answer.

mod changes;
mod listener;
mod publisher;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use self::changes::Changes;
use self::listener::Listener;
use self::publisher::{Letter, Publisher};
use self::wire::Channels;
use super::switchboard::Switchboard;
use super::{Message, Topic};
use crate::redis_link::RedisLink;

/// Messages that wait to be handed to Redis; more are lost.
const LETTERS_MAX: usize = 16_384;
/// How long whoever closes the bus waits for Redis to take what waits.
const CLOSE_MAX: Duration = Duration::from_secs(2);

/// The ends of the two tasks. The listener ends with this; the publisher first hands over what waits.
#[derive(Debug)]
pub(super) struct RedisBus {
    channels: Arc<Channels>,
    changes: Arc<Changes>,
    letters: mpsc::Sender<Letter>,
    lost: Arc<AtomicU64>,
    closing: CancellationToken,
    publishing: TaskTracker,
    _listening: DropGuard,
}

impl RedisBus {
    /// Begins to look for Redis. What comes from there is delivered by `board`.
    pub(super) fn start(link: RedisLink, board: Arc<Switchboard>) -> Self {
        let (changes, lost) = (Arc::<Changes>::default(), Arc::<AtomicU64>::default());
        let (letters, outgoing) = mpsc::channel(LETTERS_MAX);
        let listening = CancellationToken::new();
        let (channels, closing) = (Arc::new(Channels::new(link.prefix())), CancellationToken::new());
        let listener = Listener::new(link.clone(), board, changes.clone(), channels.clone());
        let publisher = Publisher::new(link, outgoing, lost.clone(), channels.clone(), closing.clone());
        tokio::spawn(listening.clone().run_until_cancelled_owned(listener.run()));
        let publishing = TaskTracker::new();
        publishing.spawn(publisher.run());
        publishing.close();
        Self { channels, changes, letters, lost, closing, publishing, _listening: listening.drop_guard() }
    }

    /// Queues a message for Redis.
    pub(super) fn publish(&self, topic: Topic, message: &Message) {
        if self.letters.try_send(Letter::new(&self.channels, topic, message)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Brings Redis in line with what the switchboard wants of `topic`, and returns once Redis has confirmed it or
    /// is away.
    pub(super) async fn settle(&self, topic: Topic) {
        self.changes.settle(topic).await;
    }

    /// The same without waiting.
    pub(super) fn note(&self, topic: Topic) {
        self.changes.note(topic);
    }

    /// Takes no more messages, and returns once Redis has those that wait, or has had its time.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        if timeout(CLOSE_MAX, self.publishing.wait()).await.is_err() {
            tracing::warn!("Redis did not take the last news in time; their watchers find what is missing");
        }
    }

    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
