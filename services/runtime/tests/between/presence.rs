//! Who is online, as every gateway sees it, whichever way the gateways know of each other.

use std::time::Duration;

use astragal_runtime::id::AccountId;
use astragal_runtime::presence::{Presence, PresenceChange, PresenceChanges, PresenceDesk, PresenceTimes};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;
use tokio::time::Instant;

use crate::cluster::of_cluster;
use crate::patience::soon;

/// Short, because Redis keeps its own time, which no test can wind on; but so long that a busy machine is not late for
/// them.
pub(crate) fn short() -> PresenceTimes {
    PresenceTimes {
        lease: Duration::from_millis(2_400),
        offline_after: Duration::from_millis(1_500),
        settle: Duration::from_millis(2_700),
        sweep_every: Duration::from_millis(50),
    }
}

/// One gateway's place.
pub(crate) struct Gateway {
    pub(crate) desk: PresenceDesk,
    pub(crate) changes: PresenceChanges,
}

impl Gateway {
    pub(crate) fn of(presence: &Presence) -> Self {
        let (desk, changes) = presence.open_desk();
        Self { desk, changes }
    }

    /// A gateway that knows by now who is online.
    pub(crate) async fn settled(presence: &Presence) -> Self {
        let mut gateway = Self::of(presence);
        assert_eq!(gateway.next().await, PresenceChange::Anyone);
        gateway
    }

    pub(crate) async fn next(&mut self) -> PresenceChange {
        soon("a change of presence", self.changes.recv()).await.expect("the desk is open")
    }
}

/// Two gateways.
struct Gateways {
    one: Gateway,
    other: Gateway,
    offline_after: Duration,
    _server: Option<Redis>,
}

impl Gateways {
    #[expect(clippy::unused_async, reason = "the twin of the one below")]
    async fn in_memory() -> Self {
        let times = PresenceTimes::default();
        let presence = Presence::new(times.clone());
        let (one, other) = (Gateway::of(&presence), Gateway::of(&presence));
        Self { one, other, offline_after: times.offline_after, _server: None }
    }

    async fn through_redis() -> Self {
        let (server, times) = (Redis::start(), short());
        let presence = || Presence::through_redis(&RedisSettings::new(server.url()), times.clone()).unwrap();
        let (one, other) = (presence(), presence());
        let (one, other) = tokio::join!(Gateway::settled(&one), Gateway::settled(&other));
        Self { one, other, offline_after: times.offline_after, _server: Some(server) }
    }

    async fn through_a_cluster() -> Self {
        let (settings, times) = (of_cluster(), short());
        let presence = || Presence::through_redis(&settings, times.clone()).unwrap();
        let (one, other) = (presence(), presence());
        let (one, other) = tokio::join!(Gateway::settled(&one), Gateway::settled(&other));
        Self { one, other, offline_after: times.offline_after, _server: None }
    }
}

macro_rules! all_ways {
    ($($name:ident),+ $(,)?) => {
        mod in_memory {
            $(#[tokio::test(start_paused = true)]
            async fn $name() {
                super::$name(super::Gateways::in_memory().await).await;
            })+
        }
        mod through_redis {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Gateways::through_redis().await).await;
            })+
        }
        mod through_a_cluster {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Gateways::through_a_cluster().await).await;
            })+
        }
    };
}

all_ways! {
    every_gateway_is_told_who_comes_and_some_time_after_that_who_goes,
    g4_a_reload_is_not_leaving,
    an_account_at_two_gateways_leaves_with_the_second,
    the_accounts_of_a_dead_gateway_go_unless_they_are_elsewhere,
    nobody_is_online_who_was_never_there,
}

async fn every_gateway_is_told_who_comes_and_some_time_after_that_who_goes(mut gateways: Gateways) {
    let ada = AccountId::new();
    gateways.one.desk.arrive(ada);
    for gateway in [&mut gateways.one, &mut gateways.other] {
        assert_eq!(gateway.next().await, PresenceChange::Online(ada));
        assert!(gateway.desk.is_online(ada));
    }
    let left = Instant::now();
    gateways.one.desk.depart(ada);
    for gateway in [&mut gateways.other, &mut gateways.one] {
        assert_eq!(gateway.next().await, PresenceChange::Offline(ada));
        // Redis counts whole milliseconds.
        assert!(left.elapsed() + Duration::from_millis(1) >= gateways.offline_after);
        assert!(!gateway.desk.is_online(ada));
    }
}

async fn g4_a_reload_is_not_leaving(mut gateways: Gateways) {
    let [ada, blaise] = [AccountId::new(), AccountId::new()];
    gateways.one.desk.arrive(ada);
    assert_eq!(gateways.other.next().await, PresenceChange::Online(ada));
    gateways.one.desk.arrive(blaise);
    assert_eq!(gateways.other.next().await, PresenceChange::Online(blaise));
    // Ada leaves first and comes back, at the other gateway.
    gateways.one.desk.depart(ada);
    gateways.one.desk.depart(blaise);
    gateways.other.desk.arrive(ada);
    assert_eq!(gateways.other.next().await, PresenceChange::Offline(blaise));
    assert!(gateways.other.desk.is_online(ada));
    assert!(gateways.one.desk.is_online(ada));
}

async fn an_account_at_two_gateways_leaves_with_the_second(mut gateways: Gateways) {
    let [ada, blaise] = [AccountId::new(), AccountId::new()];
    gateways.one.desk.arrive(ada);
    assert_eq!(gateways.other.next().await, PresenceChange::Online(ada));
    gateways.other.desk.arrive(ada);
    gateways.other.desk.arrive(blaise);
    assert_eq!(gateways.other.next().await, PresenceChange::Online(blaise));
    gateways.one.desk.depart(ada);
    gateways.other.desk.depart(blaise);
    assert_eq!(gateways.other.next().await, PresenceChange::Offline(blaise));
    assert!(gateways.one.desk.is_online(ada));
    gateways.other.desk.depart(ada);
    assert_eq!(gateways.other.next().await, PresenceChange::Offline(ada));
}

async fn the_accounts_of_a_dead_gateway_go_unless_they_are_elsewhere(mut gateways: Gateways) {
    let [ada, blaise] = [AccountId::new(), AccountId::new()];
    gateways.other.desk.arrive(blaise);
    assert_eq!(gateways.other.next().await, PresenceChange::Online(blaise));
    gateways.one.desk.arrive(blaise);
    gateways.one.desk.arrive(ada);
    assert_eq!(gateways.other.next().await, PresenceChange::Online(ada));
    drop(gateways.one);
    assert_eq!(gateways.other.next().await, PresenceChange::Offline(ada));
    assert!(gateways.other.desk.is_online(blaise));
}

async fn nobody_is_online_who_was_never_there(gateways: Gateways) {
    assert!(!gateways.one.desk.is_online(AccountId::new()));
}
