//! Presence while Redis is away, silent or back: an outage isn't everyone leaving.

use astragal_runtime::id::AccountId;
use astragal_runtime::presence::{Presence, PresenceChange};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;
use tokio::time::Instant;

use crate::patience::until;
use crate::presence::{Gateway, short};

async fn two(server: &Redis) -> (Gateway, Gateway) {
    let presence = || Presence::through_redis(&RedisSettings::new(server.url()), short()).unwrap();
    let (one, other) = (presence(), presence());
    tokio::join!(Gateway::settled(&one), Gateway::settled(&other))
}

/// Everything a gateway is told until it is sure again, which takes its time.
async fn told_until_sure(gateway: &mut Gateway, back: Instant) -> Vec<PresenceChange> {
    let mut told = Vec::new();
    loop {
        match gateway.next().await {
            PresenceChange::Anyone => {
                assert!(back.elapsed() >= short().settle, "the gateways had no time");
                return told;
            }
            change => told.push(change),
        }
    }
}

#[tokio::test]
async fn after_redis_has_lost_everything_the_gateways_say_again_who_is_there() {
    let server = Redis::start();
    let (one, mut other) = two(&server).await;
    let [ada, blaise, stranger] = [AccountId::new(), AccountId::new(), AccountId::new()];
    one.desk.arrive(ada);
    one.desk.arrive(blaise);
    for _ in [ada, blaise] {
        assert!(matches!(other.next().await, PresenceChange::Online(_)));
    }
    assert!(!other.desk.is_online(stranger));
    server.crash();
    until("the outage", || other.desk.is_online(stranger) && one.desk.is_online(stranger)).await;
    // Who leaves during the outage isn't announced again, and still nobody is said to be gone before its end.
    one.desk.depart(blaise);
    let back = Instant::now();
    server.resume();
    let told = told_until_sure(&mut other, back).await;
    assert!(!told.iter().any(|change| matches!(change, PresenceChange::Offline(_))), "{told:?}");
    assert!(other.desk.is_online(ada));
    assert!(!other.desk.is_online(blaise) && !other.desk.is_online(stranger));
    one.desk.depart(ada);
    while other.next().await != PresenceChange::Offline(ada) {}
}

#[tokio::test]
async fn while_redis_is_silent_nobody_goes_and_a_gateway_that_died_meanwhile_is_noticed_after() {
    let server = Redis::start();
    let (one, mut other) = two(&server).await;
    let [ada, blaise, stranger] = [AccountId::new(), AccountId::new(), AccountId::new()];
    one.desk.arrive(ada);
    assert_eq!(other.next().await, PresenceChange::Online(ada));
    other.desk.arrive(blaise);
    assert_eq!(other.next().await, PresenceChange::Online(blaise));
    server.freeze();
    drop(one);
    until("the outage", || other.desk.is_online(stranger)).await;
    let back = Instant::now();
    server.thaw();
    let told = told_until_sure(&mut other, back).await;
    assert!(!told.iter().any(|change| matches!(change, PresenceChange::Offline(_))), "{told:?}");
    until("the end of the dead gateway's account", || !other.desk.is_online(ada)).await;
    assert!(other.desk.is_online(blaise));
}

#[tokio::test]
async fn without_redis_from_the_start_everyone_counts_as_online_and_who_comes_is_told() {
    let server = Redis::absent();
    let mut gateway =
        Gateway::of(&Presence::through_redis(&RedisSettings::new(server.url()), short()).unwrap());
    let [ada, stranger] = [AccountId::new(), AccountId::new()];
    assert!(gateway.desk.is_online(stranger));
    gateway.desk.arrive(ada);
    assert_eq!(gateway.next().await, PresenceChange::Online(ada));
}
