//! What stays behind of a watcher, which nobody outside can see. What a watcher can rely on is checked over both
//! carriers in `tests/between`.

use super::*;

fn table() -> Topic {
    Topic::Table(TableId::new())
}

fn event() -> Message {
    Message::Table(Arc::default())
}

#[tokio::test]
async fn a_topic_that_nobody_wants_is_forgotten() {
    let (bus, topic) = (Bus::new(), table());
    let (subscriber, _receiver) = bus.connect(10);
    subscriber.subscribe(topic).await;
    assert_eq!(bus.board.topics(), [topic]);
    subscriber.unsubscribe(topic).await;
    assert_eq!(bus.board.topics(), []);
}

#[tokio::test]
async fn a_waiting_watcher_wakes_and_a_dropped_one_is_forgotten() {
    let (bus, topic) = (Bus::new(), table());
    let (subscriber, mut receiver) = bus.connect(10);
    subscriber.subscribe(topic).await;
    let waiting = tokio::spawn(async move { receiver.recv().await });
    tokio::task::yield_now().await;
    bus.publish(topic, &event());
    assert_eq!(waiting.await.ok().flatten(), Some(Delivery::Message(topic, event())));
    // The task has dropped its receiver.
    assert_eq!(bus.board.topics(), []);
    subscriber.subscribe(topic).await;
    assert_eq!(bus.board.topics(), []);
}
