//! How many watch a table, whichever way the gateways know of each other.

use std::time::Duration;

use astragal_runtime::id::TableId;
use astragal_runtime::presence::Presence;
use astragal_runtime::presence::audience::{Audience, Counts};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;

use crate::patience::soon;
use crate::presence::short;

const POST_EVERY: Duration = Duration::from_millis(50);

/// G5: the numbers of all gateways are added up, and each gateway's newest number counts.
async fn adds_up(presence: &Presence) -> (Audience, Audience, TableId) {
    let (mut one, mut other) = (presence.open_audience(), presence.open_audience());
    let (watched, elsewhere) = (TableId::new(), TableId::new());
    assert_eq!(post(&mut one, &[(watched, 2)]).await, counts(&[(watched, 2)]));
    assert_eq!(
        post(&mut other, &[(watched, 1), (elsewhere, 3)]).await,
        counts(&[(watched, 3), (elsewhere, 3)])
    );
    assert_eq!(post(&mut one, &[(watched, 5)]).await, counts(&[(watched, 6), (elsewhere, 3)]));
    assert_eq!(post(&mut other, &[]).await, counts(&[(watched, 5)]));
    assert_eq!(post(&mut other, &[(watched, 1)]).await, counts(&[(watched, 6)]));
    (one, other, watched)
}

async fn post(audience: &mut Audience, here: &[(TableId, u32)]) -> Counts {
    soon("the sums", audience.exchange(&counts(here))).await.expect("the sums")
}

fn counts(counts: &[(TableId, u32)]) -> Counts {
    counts.iter().copied().collect()
}

#[tokio::test]
async fn g5_viewers_are_counted_within_a_process() {
    let (one, mut other, watched) = adds_up(&Presence::new(short())).await;
    drop(one);
    assert_eq!(post(&mut other, &[(watched, 1)]).await, counts(&[(watched, 1)]));
}

#[tokio::test]
async fn g5_viewers_are_counted_over_redis_until_their_gateway_is_silent() {
    let redis = Redis::start();
    let presence = Presence::through_redis(&RedisSettings::new(redis.url()), short()).expect("an address");
    let (_silent, mut other, watched) = adds_up(&presence).await;
    until_posted(&mut other, &[(watched, 1)], "a silent gateway is forgotten").await;
    redis.crash();
    let refused = other.exchange(&Counts::new()).await.expect_err("nobody answers");
    assert!(!refused.message.contains("redis://"), "{refused}");
    redis.resume();
    until_posted(&mut other, &[(watched, 2)], "Redis is back").await;
}

/// Posts again and again until that is all there is.
async fn until_posted(audience: &mut Audience, here: &[(TableId, u32)], what: &str) {
    let mut posts = tokio::time::interval(POST_EVERY);
    soon(what, async {
        while audience.exchange(&counts(here)).await.ok() != Some(counts(here)) {
            posts.tick().await;
        }
    })
    .await;
}
