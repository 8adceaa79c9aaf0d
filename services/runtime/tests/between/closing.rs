//! The end of a process that publishes.

use astragal_runtime::bus::{Bus, Delivery};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;

use crate::bus::{event, next, table};
use crate::patience::soon;

/// More than go to Redis at once.
const MESSAGES: u32 = 1_500;

#[tokio::test]
async fn g7_what_waits_is_handed_over_before_the_process_ends() {
    let server = Redis::start();
    let bus = || Bus::through_redis(&RedisSettings::new(server.url())).unwrap();
    let (one, other) = (bus(), bus());
    let (subscriber, mut receiver) = other.connect(MESSAGES as usize);
    let topic = table();
    subscriber.subscribe(topic).await;
    for revision in 0..MESSAGES {
        one.publish(topic, &event(revision));
    }
    one.close().await;
    assert_eq!(one.lost(), 0);
    // What comes too late is counted, and nobody waits for it.
    one.publish(topic, &event(MESSAGES));
    assert_eq!(one.lost(), 1);
    for revision in 0..MESSAGES {
        assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(revision)));
    }
}

#[tokio::test]
async fn g7_a_redis_that_is_away_or_silent_holds_no_end_up() {
    let (absent, silent) = (Redis::absent(), Redis::start());
    silent.freeze();
    for server in [&absent, &silent] {
        let bus = Bus::through_redis(&RedisSettings::new(server.url())).unwrap();
        bus.publish(table(), &event(1));
        soon("the end", bus.close()).await;
    }
    silent.thaw();
}
