//! Connections that are cut off without a word, on a clock that goes as fast as the test.

use super::{healthy, remote};
use crate::channel::member::{KEEP_ALIVE_INTERVAL, KEEP_ALIVE_TIMEOUT};
use astragal_support::proxy::Proxy;
use std::time::Duration;
use tokio::time::Instant;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

/// By when it is noticed, with a moment for those who have to be told.
const NOTICED_MAX: Duration =
    KEEP_ALIVE_INTERVAL.saturating_add(KEEP_ALIVE_TIMEOUT).saturating_add(Duration::from_secs(1));

/// O1: a stream on which nothing can come any more breaks for who waits on it.
#[tokio::test]
async fn o1_who_waits_on_a_connection_that_was_cut_off_is_told_by_keep_alive() {
    let proxy = Proxy::to(healthy().await);
    let channel = remote(&[&format!("http://{}", proxy.address())]);
    let member = channel.members().borrow()[0].clone();
    let watched = HealthClient::new(member.channel()).watch(HealthCheckRequest::default()).await;
    let mut watched = watched.expect("a stream").into_inner();
    assert!(watched.message().await.expect("a stream that goes on").is_some());

    proxy.swallow();
    tokio::time::pause();
    let began = Instant::now();
    let broken = tokio::time::timeout(10 * NOTICED_MAX, watched.message()).await.expect("nobody noticed");
    assert!(broken.is_err(), "the stream did not break: {broken:?}");
    assert!(began.elapsed() <= NOTICED_MAX, "it took {:?}", began.elapsed());
}

/// O1: a connection that lies idle is given up as well, so that the next call goes out on a good one.
#[tokio::test]
async fn o1_an_idle_connection_that_was_cut_off_is_given_up_before_it_is_used() {
    let proxy = Proxy::to(healthy().await);
    let mut client = HealthClient::new(remote(&[&format!("http://{}", proxy.address())]));
    client.check(HealthCheckRequest::default()).await.expect("an answer");

    proxy.swallow();
    tokio::time::pause();
    tokio::time::sleep(NOTICED_MAX).await;
    tokio::time::resume();
    proxy.pass();
    // On the old connection nothing would come back until the deadline.
    client.check(HealthCheckRequest::default()).await.expect("an answer on a new connection");
}
