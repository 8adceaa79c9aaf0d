//! Installations that share a Redis.

use astragal_runtime::bus::{Bus, Delivery};
use astragal_runtime::id::AccountId;
use astragal_runtime::presence::{Presence, PresenceChange};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;

use crate::bus::{event, next, table};
use crate::presence::{Gateway, short};

#[tokio::test]
async fn o2_two_installations_in_one_redis_hear_nothing_of_each_other() {
    let server = Redis::start();
    let settings =
        |prefix: &str| RedisSettings { prefix: prefix.to_owned(), ..RedisSettings::new(server.url()) };
    let bus = |prefix| Bus::through_redis(&settings(prefix)).unwrap();
    // One name is the beginning of the other.
    let (own, other) = (bus("games"), bus("games-2"));
    let (subscriber, mut receiver) = own.connect(8);
    let topic = table();
    subscriber.subscribe(topic).await;
    other.publish(topic, &event(1));
    other.close().await;
    own.publish(topic, &event(2));
    assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(2)));

    let presence = |prefix| Presence::through_redis(&settings(prefix), short()).unwrap();
    let (own, other) = (presence("games"), presence("games-2"));
    let (mut own, other) = tokio::join!(Gateway::settled(&own), Gateway::settled(&other));
    let (ada, blaise) = (AccountId::new(), AccountId::new());
    other.desk.arrive(ada);
    own.desk.arrive(blaise);
    assert_eq!(own.next().await, PresenceChange::Online(blaise));
    assert!(!own.desk.is_online(ada));
}
