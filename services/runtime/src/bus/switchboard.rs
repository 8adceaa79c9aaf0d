//! Who in this process wants which topic, and the way of a message to all of them.
//!
//! It doesn't know where messages come from.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Delivery, Message, Topic};
use crate::queue::Queue;

/// The queue of one connection.
pub(super) type Line = Arc<Queue<Delivery>>;

type Lines = HashMap<Topic, Vec<Line>>;

/// The connections of this process by what they have subscribed to.
#[derive(Debug, Default)]
pub(super) struct Switchboard(RwLock<Lines>);

impl Switchboard {
    /// Tells everyone who has subscribed to `topic`.
    pub(super) fn deliver(&self, topic: Topic, message: &Message) {
        for line in self.read().get(&topic).into_iter().flatten() {
            line.push(Delivery::Message(topic, message.clone()));
        }
    }

    /// Tells everyone that messages were lost, once for all their topics.
    pub(super) fn lag(&self) {
        let lines = self.read();
        let told: HashMap<*const Queue<Delivery>, &Line> =
            lines.values().flatten().map(|line| (Arc::as_ptr(line), line)).collect();
        for line in told.into_values() {
            line.push_gap();
        }
    }

    /// Subscribes a connection; false if it is closed.
    pub(super) fn subscribe(&self, topic: Topic, line: &Line) -> bool {
        let mut lines = self.write();
        // Checked under the lock, so that a connection that closes now leaves nothing behind.
        if line.is_closed() {
            return false;
        }
        let subscribed = lines.entry(topic).or_default();
        if !subscribed.iter().any(|other| Arc::ptr_eq(other, line)) {
            subscribed.push(line.clone());
        }
        true
    }

    /// Ends one subscription of a connection.
    pub(super) fn unsubscribe(&self, topic: Topic, line: &Line) {
        if let Entry::Occupied(mut subscribed) = self.write().entry(topic) {
            subscribed.get_mut().retain(|other| !Arc::ptr_eq(other, line));
            if subscribed.get().is_empty() {
                subscribed.remove();
            }
        }
    }

    /// Closes a connection, and says which topics nobody wants any more.
    pub(super) fn close(&self, line: &Line) -> Vec<Topic> {
        let mut lines = self.write();
        line.close();
        let unwanted = |_: &Topic, subscribed: &mut Vec<Line>| {
            subscribed.retain(|other| !Arc::ptr_eq(other, line));
            subscribed.is_empty()
        };
        lines.extract_if(unwanted).map(|(topic, _)| topic).collect()
    }

    /// Whether anybody has subscribed to `topic`.
    pub(super) fn wants(&self, topic: Topic) -> bool {
        self.read().contains_key(&topic)
    }

    /// Everything that anybody has subscribed to.
    pub(super) fn topics(&self) -> Vec<Topic> {
        self.read().keys().copied().collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, Lines> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Lines> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
