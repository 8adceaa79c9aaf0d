//! The connection that listens: it keeps Redis in line with the switchboard, and comes back after every loss.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use redis::aio::MultiplexedConnection;
use redis::{PushInfo, PushKind, RedisResult, Value};
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::changes::{BATCH_MAX, Change, Changes};
use super::wire::{self, Channels};
use crate::bus::Topic;
use crate::bus::switchboard::Switchboard;
use crate::redis_link::{PING_EVERY, RETRY_AFTER, RedisLink};

/// The task behind the connection.
pub(super) struct Listener {
    link: RedisLink,
    board: Arc<Switchboard>,
    changes: Arc<Changes>,
    channels: Arc<Channels>,
}

impl Listener {
    pub(super) fn new(
        link: RedisLink,
        board: Arc<Switchboard>,
        changes: Arc<Changes>,
        channels: Arc<Channels>,
    ) -> Self {
        Self { link, board, changes, channels }
    }

    /// Listens as long as it is polled.
    pub(super) async fn run(self) {
        loop {
            let Err(error) = self.listen().await;
            if self.changes.depart() {
                tracing::warn!(error = %error.category(), "no news come from Redis; looking for it until it is back");
            }
            sleep(RETRY_AFTER).await;
        }
    }

    /// Listens on one connection until it is lost.
    async fn listen(&self) -> RedisResult<std::convert::Infallible> {
        let lost = Arc::new(Notify::new());
        let mut connection = self.link.listen(self.ear(lost.clone())).await?;
        // First this and then the list: a topic that is wanted now is in the list, or noted as a change.
        let was_away = self.changes.arrive();
        connection.subscribe(&self.channels.gaps).await?;
        for topics in self.board.topics().chunks(BATCH_MAX) {
            connection.subscribe(self.names(topics)).await?;
        }
        if was_away {
            tracing::info!("news come from Redis again");
            self.board.lag();
        }
        let mut ping = interval(PING_EVERY);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                changes = self.changes.take() => self.carry_out(&mut connection, changes).await?,
                _ = ping.tick() => redis::cmd("PING").exec_async(&mut connection).await?,
                () = lost.notified() => {
                    return Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset).into());
                }
            }
        }
    }

    /// Dropping the changes, done or not, tells those who wait for them.
    async fn carry_out(
        &self,
        connection: &mut MultiplexedConnection,
        changes: Vec<Change>,
    ) -> RedisResult<()> {
        let topics: HashSet<Topic> = changes.iter().map(|change| change.topic).collect();
        let (wanted, unwanted): (Vec<_>, Vec<_>) =
            topics.into_iter().partition(|topic| self.board.wants(*topic));
        if !wanted.is_empty() {
            connection.subscribe(self.names(&wanted)).await?;
        }
        if !unwanted.is_empty() {
            connection.unsubscribe(self.names(&unwanted)).await?;
        }
        Ok(())
    }

    fn names(&self, topics: &[Topic]) -> Vec<String> {
        topics.iter().map(|topic| self.channels.of(*topic)).collect()
    }

    /// What is done with what Redis says.
    fn ear(&self, lost: Arc<Notify>) -> impl Fn(PushInfo) + Send + Sync + use<> {
        let (board, channels) = (self.board.clone(), self.channels.clone());
        move |push| {
            if push.kind == PushKind::Disconnection {
                lost.notify_one();
            } else if let Some((channel, payload)) = letter(push) {
                if channel == channels.gaps {
                    board.lag();
                } else if let Some(topic) = channels.topic(&channel) {
                    if let Ok(message) = wire::decode(topic, payload) {
                        board.deliver(topic, &message);
                    } else {
                        tracing::warn!(
                            ?topic,
                            "a message on the bus can't be read; run all roles in one version"
                        );
                    }
                }
            }
        }
    }
}

/// The channel and the bytes of a message. They are taken as they are, so that what is read from them shares them.
fn letter(push: PushInfo) -> Option<(String, Bytes)> {
    if push.kind != PushKind::Message {
        return None;
    }
    match <[Value; 2]>::try_from(push.data) {
        Ok([Value::BulkString(channel), Value::BulkString(payload)]) => {
            Some((String::from_utf8(channel).ok()?, payload.into()))
        }
        _ => None,
    }
}
