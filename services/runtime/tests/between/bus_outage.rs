//! The bus while Redis is away, silent or back.

use std::time::Duration;

use astragal_runtime::bus::{Bus, BusReceiver, Delivery, Topic};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;

use crate::bus::{event, next, table};
use crate::patience::{soon, until};

/// Publishes until a message comes through; returns whether the watcher was told of a gap before.
async fn works_again(bus: &Bus, topic: Topic, receiver: &mut BusReceiver) -> bool {
    let mut was_told = false;
    let mut again = tokio::time::interval(Duration::from_millis(50));
    soon("a message after the outage", async {
        loop {
            tokio::select! {
                delivery = receiver.recv() => match delivery {
                    Some(Delivery::Lagged) => was_told = true,
                    Some(Delivery::Message(about, _)) => {
                        assert_eq!(about, topic);
                        return was_told;
                    }
                    None => panic!("the bus is closed"),
                },
                _ = again.tick() => bus.publish(topic, &event(1)),
            }
        }
    })
    .await
}

#[tokio::test]
async fn after_redis_was_killed_watchers_are_told_and_all_topics_work_again() {
    let server = Redis::start();
    let (bus, other) = (
        Bus::through_redis(&RedisSettings::new(server.url())).unwrap(),
        Bus::through_redis(&RedisSettings::new(server.url())).unwrap(),
    );
    let (subscriber, mut receiver) = bus.connect(100);
    let (before, during) = (table(), table());
    subscriber.subscribe(before).await;
    server.crash();
    // Nobody waits for Redis, and what can't be handed over is counted.
    until("a lost message", || {
        other.publish(before, &event(1));
        other.lost() > 0
    })
    .await;
    soon("a subscription without Redis", subscriber.subscribe(during)).await;
    server.resume();
    assert!(works_again(&other, during, &mut receiver).await, "no gap was told");
    subscriber.unsubscribe(during).await;
    other.publish(before, &event(2));
    while next(&mut receiver).await != Delivery::Message(before, event(2)) {}
}

#[tokio::test]
async fn a_silent_redis_holds_nobody_up() {
    let server = Redis::start();
    let bus = Bus::through_redis(&RedisSettings::new(server.url())).unwrap();
    let (subscriber, mut receiver) = bus.connect(100);
    subscriber.subscribe(table()).await;
    server.freeze();
    let topic = table();
    soon("a subscription while Redis is silent", subscriber.subscribe(topic)).await;
    until("a lost message", || {
        bus.publish(topic, &event(1));
        bus.lost() > 0
    })
    .await;
    server.thaw();
    assert!(works_again(&bus, topic, &mut receiver).await, "no gap was told");
}

#[tokio::test]
async fn a_process_that_starts_before_redis_finds_it() {
    let server = Redis::absent();
    let bus = Bus::through_redis(&RedisSettings::new(server.url())).unwrap();
    let (subscriber, mut receiver) = bus.connect(100);
    let topic = table();
    soon("a subscription without Redis", subscriber.subscribe(topic)).await;
    server.resume();
    assert!(works_again(&bus, topic, &mut receiver).await, "no gap was told");
}

#[tokio::test]
async fn when_only_the_publisher_loses_its_connection_all_watchers_are_told() {
    let server = Redis::start();
    let (bus, other) = (
        Bus::through_redis(&RedisSettings::new(server.url())).unwrap(),
        Bus::through_redis(&RedisSettings::new(server.url())).unwrap(),
    );
    let (subscriber, mut receiver) = bus.connect(100);
    let topic = table();
    subscriber.subscribe(topic).await;
    assert!(!works_again(&other, topic, &mut receiver).await, "there was no gap");
    let mut admin =
        redis::Client::open(server.url()).unwrap().get_multiplexed_async_connection().await.unwrap();
    let kill = redis::cmd("CLIENT").arg(&["KILL", "TYPE", "normal", "SKIPME", "yes"]).to_owned();
    kill.exec_async(&mut admin).await.unwrap();
    until("a lost message", || {
        other.publish(topic, &event(2));
        other.lost() > 0
    })
    .await;
    while next(&mut receiver).await != Delivery::Lagged {}
}
