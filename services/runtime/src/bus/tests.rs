//! What a watcher can rely on.

use super::*;
use polling::poll_once;

/// Polls a receiver once, so that a test never waits for what must not come.
mod polling {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    pub(super) fn poll_once<F: Future>(future: F) -> Option<F::Output> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }
}

fn table() -> Topic {
    Topic::Table(TableId::new())
}

fn event(revision: u32) -> Message {
    Message::Table(Arc::new(TableEvent { revision, ..TableEvent::default() }))
}

fn revision(delivery: &Delivery) -> Option<u32> {
    match delivery {
        Delivery::Message(_, Message::Table(event)) => Some(event.revision),
        _ => None,
    }
}

#[tokio::test]
async fn messages_come_in_the_order_of_publishing_and_only_of_subscribed_topics() {
    let (bus, mine, other) = (Bus::new(), table(), table());
    let (subscriber, mut receiver) = bus.connect(100);
    subscriber.subscribe(mine).await;
    for number in 1..=50 {
        bus.publish(other, &event(1000 + number));
        bus.publish(mine, &event(number));
    }
    for number in 1..=50 {
        assert_eq!(receiver.recv().await, Some(Delivery::Message(mine, event(number))));
    }
    assert_eq!(poll_once(receiver.recv()), None);
}

#[tokio::test]
async fn a_topic_subscribed_to_twice_is_delivered_once() {
    let (bus, topic) = (Bus::new(), table());
    let (subscriber, mut receiver) = bus.connect(10);
    subscriber.subscribe(topic).await;
    subscriber.subscribe(topic).await;
    bus.publish(topic, &event(1));
    assert_eq!(receiver.recv().await, Some(Delivery::Message(topic, event(1))));
    assert_eq!(poll_once(receiver.recv()), None);
}

#[tokio::test]
async fn after_unsubscribing_nothing_more_comes() {
    let (bus, topic) = (Bus::new(), table());
    let (subscriber, mut receiver) = bus.connect(10);
    subscriber.subscribe(topic).await;
    bus.publish(topic, &event(1));
    subscriber.unsubscribe(topic).await;
    bus.publish(topic, &event(2));
    assert_eq!(receiver.recv().await.as_ref().and_then(revision), Some(1));
    assert_eq!(poll_once(receiver.recv()), None);
    assert!(bus.board.topics().is_empty());
}

#[tokio::test]
async fn g6_a_slow_watcher_is_told_where_messages_are_missing_and_holds_nobody_up() {
    let (bus, topic) = (Bus::new(), table());
    let (slow, mut slow_receiver) = bus.connect(2);
    let (quick, mut quick_receiver) = bus.connect(100);
    slow.subscribe(topic).await;
    quick.subscribe(topic).await;
    for number in 1..=10 {
        bus.publish(topic, &event(number));
    }
    assert_eq!(slow_receiver.recv().await, Some(Delivery::Message(topic, event(1))));
    assert_eq!(slow_receiver.recv().await, Some(Delivery::Message(topic, event(2))));
    assert_eq!(slow_receiver.recv().await, Some(Delivery::Lagged));
    assert_eq!(poll_once(slow_receiver.recv()), None);
    bus.publish(topic, &event(11));
    assert_eq!(slow_receiver.recv().await, Some(Delivery::Message(topic, event(11))));
    for number in 1..=11 {
        assert_eq!(quick_receiver.recv().await.as_ref().and_then(revision), Some(number));
    }
}

#[tokio::test]
async fn a_waiting_watcher_wakes_and_a_dropped_one_is_forgotten() {
    let (bus, topic) = (Bus::new(), table());
    let (subscriber, mut receiver) = bus.connect(10);
    subscriber.subscribe(topic).await;
    let waiting = tokio::spawn(async move { receiver.recv().await });
    tokio::task::yield_now().await;
    bus.publish(topic, &event(1));
    assert_eq!(waiting.await.ok().flatten().as_ref().and_then(revision), Some(1));
    // The task has dropped its receiver.
    assert!(bus.board.topics().is_empty());
    subscriber.subscribe(topic).await;
    assert!(bus.board.topics().is_empty());
}
