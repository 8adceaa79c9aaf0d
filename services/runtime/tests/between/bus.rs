//! What a watcher can rely on, whichever way the messages go.

use std::sync::Arc;

use astragal_proto::engine::v1::TableEvent;
use astragal_proto::matchmaking::v1::account_event::Kind;
use astragal_proto::matchmaking::v1::{AccountEvent, GameStarted, LobbyEvent};
use astragal_proto::seeding::v1::DrawEvent;
use astragal_runtime::bus::{Bus, BusReceiver, Delivery, Message, Topic};
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;

use crate::cluster::of_cluster;
use crate::patience::soon;

/// Two processes that share a bus.
struct Processes {
    one: Bus,
    other: Bus,
    _server: Option<Redis>,
}

impl Processes {
    fn in_memory() -> Self {
        let bus = Bus::new();
        Self { one: bus.clone(), other: bus, _server: None }
    }

    fn through_redis() -> Self {
        let server = Redis::start();
        let bus = || Bus::through_redis(&RedisSettings::new(server.url())).unwrap();
        Self { one: bus(), other: bus(), _server: Some(server) }
    }

    /// Each process on a node of its own.
    fn through_a_cluster() -> Self {
        let settings = of_cluster();
        let mut others = settings.clone();
        others.urls.rotate_left(1);
        let bus = |settings| Bus::through_redis(settings).unwrap();
        Self { one: bus(&settings), other: bus(&others), _server: None }
    }
}

macro_rules! all_ways {
    ($($name:ident),+ $(,)?) => {
        mod in_memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Processes::in_memory()).await;
            })+
        }
        mod through_redis {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Processes::through_redis()).await;
            })+
        }
        mod through_a_cluster {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Processes::through_a_cluster()).await;
            })+
        }
    };
}

all_ways! {
    messages_come_in_the_order_of_publishing_and_only_of_subscribed_topics,
    every_kind_of_message_comes_as_it_was_sent,
    a_topic_subscribed_to_twice_is_delivered_once,
    after_unsubscribing_nothing_more_comes,
    who_unsubscribes_and_subscribes_again_gets_what_is_published_after_that,
    one_watcher_of_a_process_can_leave_while_another_stays,
    g6_a_slow_watcher_is_told_where_messages_are_missing_and_holds_nobody_up,
    many_topics_are_subscribed_to_at_once,
}

pub(crate) fn table() -> Topic {
    Topic::Table(TableId::new())
}

pub(crate) fn event(revision: u32) -> Message {
    Message::Table(Arc::new(TableEvent { revision, ..TableEvent::default() }))
}

pub(crate) async fn next(receiver: &mut BusReceiver) -> Delivery {
    soon("a message", receiver.recv()).await.expect("the bus is open")
}

async fn messages_come_in_the_order_of_publishing_and_only_of_subscribed_topics(processes: Processes) {
    let (mine, not_mine) = (table(), table());
    let (subscriber, mut receiver) = processes.one.connect(5_000);
    subscriber.subscribe(mine).await;
    for number in 1..=2_000 {
        processes.other.publish(not_mine, &event(100_000 + number));
        processes.other.publish(mine, &event(number));
    }
    for number in 1..=2_000 {
        assert_eq!(next(&mut receiver).await, Delivery::Message(mine, event(number)));
    }
    assert_eq!(processes.other.lost(), 0);
}

async fn every_kind_of_message_comes_as_it_was_sent(processes: Processes) {
    let (subscriber, mut receiver) = processes.one.connect(10);
    let kind = Kind::GameStarted(GameStarted { game_id: TableId::new().to_string() });
    let game = TableId::new();
    let messages = [
        (table(), event(7)),
        (
            Topic::Account(AccountId::new()),
            Message::Account(Arc::new(AccountEvent { kind: Some(kind), ..AccountEvent::default() })),
        ),
        (Topic::Lobby, Message::Lobby(Arc::new(LobbyEvent::default()))),
        (Topic::Draw(game), Message::Draw(Arc::new(DrawEvent { game_id: game.to_string() }))),
    ];
    for (topic, message) in messages {
        subscriber.subscribe(topic).await;
        processes.other.publish(topic, &message);
        assert_eq!(next(&mut receiver).await, Delivery::Message(topic, message));
    }
}

async fn a_topic_subscribed_to_twice_is_delivered_once(processes: Processes) {
    let topic = table();
    let (subscriber, mut receiver) = processes.one.connect(10);
    subscriber.subscribe(topic).await;
    subscriber.subscribe(topic).await;
    for number in 1..=2 {
        processes.other.publish(topic, &event(number));
    }
    for number in 1..=2 {
        assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(number)));
    }
}

async fn after_unsubscribing_nothing_more_comes(processes: Processes) {
    let (given_up, kept) = (table(), table());
    let (subscriber, mut receiver) = processes.one.connect(10);
    subscriber.subscribe(given_up).await;
    subscriber.subscribe(kept).await;
    processes.other.publish(given_up, &event(1));
    assert_eq!(next(&mut receiver).await, Delivery::Message(given_up, event(1)));
    subscriber.unsubscribe(given_up).await;
    processes.other.publish(given_up, &event(2));
    processes.other.publish(kept, &event(3));
    assert_eq!(next(&mut receiver).await, Delivery::Message(kept, event(3)));
}

async fn who_unsubscribes_and_subscribes_again_gets_what_is_published_after_that(processes: Processes) {
    let topic = table();
    let (subscriber, mut receiver) = processes.one.connect(200);
    for number in 1..=100 {
        subscriber.subscribe(topic).await;
        processes.other.publish(topic, &event(number));
        assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(number)));
        subscriber.unsubscribe(topic).await;
    }
}

async fn one_watcher_of_a_process_can_leave_while_another_stays(processes: Processes) {
    let topic = table();
    let (stays, mut receiver) = processes.one.connect(10);
    let (leaves, closed) = processes.one.connect(10);
    leaves.subscribe(topic).await;
    stays.subscribe(topic).await;
    drop(closed);
    leaves.unsubscribe(topic).await;
    // Confirmed after the change that the other one left behind.
    stays.subscribe(table()).await;
    processes.other.publish(topic, &event(1));
    assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(1)));
}

async fn g6_a_slow_watcher_is_told_where_messages_are_missing_and_holds_nobody_up(processes: Processes) {
    let topic = table();
    let (slow, mut slow_receiver) = processes.one.connect(2);
    let (quick, mut quick_receiver) = processes.one.connect(100);
    slow.subscribe(topic).await;
    quick.subscribe(topic).await;
    for number in 1..=10 {
        processes.other.publish(topic, &event(number));
    }
    for number in 1..=10 {
        assert_eq!(next(&mut quick_receiver).await, Delivery::Message(topic, event(number)));
    }
    assert_eq!(next(&mut slow_receiver).await, Delivery::Message(topic, event(1)));
    assert_eq!(next(&mut slow_receiver).await, Delivery::Message(topic, event(2)));
    assert_eq!(next(&mut slow_receiver).await, Delivery::Lagged);
    processes.other.publish(topic, &event(11));
    assert_eq!(next(&mut slow_receiver).await, Delivery::Message(topic, event(11)));
}

async fn many_topics_are_subscribed_to_at_once(processes: Processes) {
    let (subscriber, mut receiver) = processes.one.connect(10_000);
    let topics: Vec<Topic> = (0..3_000).map(|_| table()).collect();
    let subscribing = topics.iter().map(|topic| {
        let (subscriber, topic) = (subscriber.clone(), *topic);
        tokio::spawn(async move { subscriber.subscribe(topic).await })
    });
    for subscribing in subscribing.collect::<Vec<_>>() {
        soon("a confirmation", subscribing).await.unwrap();
    }
    for topic in topics {
        processes.other.publish(topic, &event(1));
        assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(1)));
    }
}
