//! The connection that publishes: what gathers while Redis answers one batch is the next batch.
//!
//! What can't be handed over is counted and forgotten. When messages were lost, all watchers of all processes are told
//! so as soon as Redis takes anything again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redis::aio::MultiplexedConnection;
use redis::{Pipeline, RedisResult};
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::wire::{self, Channels};
use crate::bus::{Message, Topic};
use crate::redis_link::{RETRY_AFTER, RedisLink};

/// Messages in one batch.
const BATCH_MAX: usize = 512;

/// A message as Redis gets it.
#[derive(Debug)]
pub(super) struct Letter {
    channel: String,
    bytes: Vec<u8>,
}

impl Letter {
    pub(super) fn new(channels: &Channels, topic: Topic, message: &Message) -> Self {
        Self { channel: channels.of(topic), bytes: wire::encode(message) }
    }
}

/// The task behind the connection.
pub(super) struct Publisher {
    link: RedisLink,
    letters: mpsc::Receiver<Letter>,
    /// All messages that were lost, also those that found no room in the queue.
    lost: Arc<AtomicU64>,
    /// How many of them the watchers know about.
    told: u64,
    channels: Arc<Channels>,
    /// Once this is cancelled nothing more is taken, and what waits is handed over.
    closing: CancellationToken,
}

/// Why a connection is not used any more.
enum End {
    Closed,
    Away(redis::RedisError),
}

impl Publisher {
    pub(super) fn new(
        link: RedisLink,
        letters: mpsc::Receiver<Letter>,
        lost: Arc<AtomicU64>,
        channels: Arc<Channels>,
        closing: CancellationToken,
    ) -> Self {
        Self { link, letters, lost, told: 0, channels, closing }
    }

    /// Publishes until the bus is dropped.
    pub(super) async fn run(mut self) {
        let mut away = false;
        loop {
            let end = match self.link.connect().await {
                Ok(connection) => {
                    if std::mem::take(&mut away) {
                        tracing::info!("Redis takes news again");
                    }
                    self.publish(connection).await
                }
                Err(error) => {
                    self.drop_what_waits();
                    End::Away(error)
                }
            };
            let End::Away(error) = end else { return };
            if !std::mem::replace(&mut away, true) {
                tracing::warn!(error = %error.category(), "Redis takes no news; they are dropped until it is back");
            }
            // Whoever closes the bus waits for one answer of Redis, and not for Redis to come back.
            if self.letters.is_closed()
                || self.closing.run_until_cancelled(sleep(RETRY_AFTER)).await.is_none()
            {
                return;
            }
        }
    }

    fn drop_what_waits(&mut self) {
        while self.letters.try_recv().is_ok() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn publish(&mut self, mut connection: MultiplexedConnection) -> End {
        let mut batch = Vec::with_capacity(BATCH_MAX);
        loop {
            if let Err(error) = self.tell_losses(&mut connection).await {
                return End::Away(error);
            }
            tokio::select! {
                received = self.letters.recv_many(&mut batch, BATCH_MAX) => {
                    if received == 0 {
                        return End::Closed;
                    }
                }
                () = self.closing.cancelled(), if !self.letters.is_closed() => {
                    self.letters.close();
                    continue;
                }
            }
            let mut pipeline = Pipeline::with_capacity(batch.len());
            for letter in &batch {
                pipeline.publish(&letter.channel, &letter.bytes).ignore();
            }
            if let Err(error) = pipeline.exec_async(&mut connection).await {
                self.lost.fetch_add(batch.len() as u64, Ordering::Relaxed);
                return End::Away(error);
            }
            batch.clear();
        }
    }

    async fn tell_losses(&mut self, connection: &mut MultiplexedConnection) -> RedisResult<()> {
        let lost = self.lost.load(Ordering::Relaxed);
        if lost != self.told {
            let mut command = redis::cmd("PUBLISH");
            command.arg(&self.channels.gaps).arg("").exec_async(connection).await?;
            tracing::warn!(
                lost = lost - self.told,
                "news were lost on the way to Redis; all watchers load again"
            );
            self.told = lost;
        }
        Ok(())
    }
}
