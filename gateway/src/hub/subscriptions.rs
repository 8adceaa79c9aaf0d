//! The topics of this gateway's one bus connection.

use astragal_runtime::bus::{BusSubscriber, Topic};
use tokio::sync::Mutex;

/// Subscribes and unsubscribes, one topic at a time, so that the end of one watch can't undo the start of another.
pub(crate) struct Subscriptions(Mutex<BusSubscriber>);

impl Subscriptions {
    pub(crate) fn new(subscriber: BusSubscriber) -> Self {
        Self(Mutex::new(subscriber))
    }

    /// Returns once everything that is published from now on arrives.
    pub(crate) async fn want(&self, topic: Topic) {
        self.0.lock().await.subscribe(topic).await;
    }

    /// Ends a subscription, unless somebody wants it again by now.
    pub(crate) async fn release(&self, topic: Topic, is_wanted: impl Fn() -> bool) {
        let subscriber = self.0.lock().await;
        if !is_wanted() {
            subscriber.unsubscribe(topic).await;
        }
    }
}
