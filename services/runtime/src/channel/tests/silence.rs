//! Processes that are there and say nothing: one that hangs, and one whose machine was cut off.

use super::{healthy, remote, serve};
use crate::channel::member::{KEEP_ALIVE_INTERVAL, KEEP_ALIVE_TIMEOUT};
use astragal_support::proxy::Proxy;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use uuid::Uuid;

/// Takes every call, counts it, and never answers.
struct Hanging(Arc<AtomicU32>);

#[tonic::async_trait]
impl Health for Hanging {
    type WatchStream = tokio_stream::Pending<Result<HealthCheckResponse, Status>>;

    async fn check(&self, _: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        self.0.fetch_add(1, Ordering::Relaxed);
        pending().await
    }

    async fn watch(&self, _: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        pending().await
    }
}

async fn ask(channel: &crate::channel::RoleChannel, thing: u128) {
    let mut client = HealthClient::new(channel.clone().about(Uuid::from_u128(thing)));
    client.check(HealthCheckRequest::default()).await.expect("an answer");
}

/// O1: a process that hangs costs a moment once in a while, and another one answers in its place.
#[tokio::test]
async fn o1_another_process_is_asked_beside_one_that_keeps_silent() {
    let asked = Arc::<AtomicU32>::default();
    let hanging = serve(Routes::new(HealthServer::new(Hanging(asked.clone())))).await;
    let good = healthy().await;
    let channel = remote(&[&format!("http://{hanging}"), &format!("http://{good}")]);
    for thing in 0..40 {
        ask(&channel, thing).await;
    }
    let asked = asked.load(Ordering::Relaxed);
    assert!((1..10).contains(&asked), "one that hangs was asked {asked} times of 40");
}

/// O1: a connection on which nothing comes back is given up by keep-alive, though nobody closed it; whoever waits on
/// it is told so, and calls are answered by another process all the while.
#[tokio::test(flavor = "multi_thread")]
async fn o1_a_process_that_vanished_without_a_word_is_noticed() {
    let proxy = Proxy::to(healthy().await);
    let channel = remote(&[&format!("http://{}", proxy.address()), &format!("http://{}", healthy().await)]);
    let members = channel.members().borrow().clone();
    let behind = proxy.address().to_string();
    let member = members.iter().find(|member| member.name() == behind).expect("the process behind the proxy");
    let watched = HealthClient::new(member.channel()).watch(HealthCheckRequest::default()).await;
    let mut watched = watched.expect("a stream").into_inner();
    assert!(watched.message().await.expect("a stream that goes on").is_some());

    proxy.swallow();
    let noticing = async {
        let broken = watched.message().await;
        assert!(broken.is_err(), "the stream did not break: {broken:?}");
    };
    // A machine that is late for everything is late for this too.
    let patience = 4 * (KEEP_ALIVE_INTERVAL + KEEP_ALIVE_TIMEOUT);
    let noticing = tokio::time::timeout(patience, noticing);
    let asking = async {
        for thing in 0..40 {
            ask(&channel, thing).await;
        }
    };
    let (noticed, ()) = tokio::join!(noticing, asking);
    noticed.expect("nobody noticed");

    // It is found again once something passes. A connection that was begun before is silent for ever, and is given up
    // like the first one.
    proxy.pass();
    let back = HealthClient::new(member.channel());
    let found = async { while back.clone().check(HealthCheckRequest::default()).await.is_err() {} };
    tokio::time::timeout(patience, found).await.expect("an answer on a new connection");
}
