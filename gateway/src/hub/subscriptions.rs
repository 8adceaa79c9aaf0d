//! The topics of this gateway's one bus connection.

use std::hash::{BuildHasher, RandomState};

use astragal_runtime::bus::{BusSubscriber, Topic};
use tokio::sync::Mutex;

/// Topics that share a lock wait for each other, so there are many.
const LOCKS: usize = 256;

/// Subscribes and unsubscribes, in order for each topic, so that the end of one watch can't undo the start of another.
/// Different topics don't wait for each other: the bus subscribes those of all who come at once in few commands.
pub(crate) struct Subscriptions {
    subscriber: BusSubscriber,
    locks: Box<[Mutex<()>]>,
    hasher: RandomState,
}

impl Subscriptions {
    pub(crate) fn new(subscriber: BusSubscriber) -> Self {
        let locks = (0..LOCKS).map(|_| Mutex::default()).collect();
        Self { subscriber, locks, hasher: RandomState::new() }
    }

    /// Returns once everything that is published from now on arrives.
    pub(crate) async fn want(&self, topic: Topic) {
        let _in_order = self.lock_of(topic).lock().await;
        self.subscriber.subscribe(topic).await;
    }

    /// Ends a subscription, unless somebody wants it again by now.
    pub(crate) async fn release(&self, topic: Topic, is_wanted: impl Fn() -> bool) {
        let _in_order = self.lock_of(topic).lock().await;
        if !is_wanted() {
            self.subscriber.unsubscribe(topic).await;
        }
    }

    fn lock_of(&self, topic: Topic) -> &Mutex<()> {
        &self.locks[self.hasher.hash_one(topic) as usize % LOCKS]
    }
}
