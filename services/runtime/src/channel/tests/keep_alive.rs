//! Connections that are cut off without a word, on a clock that goes as fast as the test.

use super::{healthy, remote};
use crate::channel::member::{KEEP_ALIVE_INTERVAL, KEEP_ALIVE_TIMEOUT};
use astragal_support::proxy::Proxy;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{copy, copy_bidirectional, sink};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
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

/// A way to `target` for one connection. It is cut when the sender is dropped, and its task ends once the caller has
/// given it up.
async fn way(target: SocketAddr) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (cut, is_cut) = oneshot::channel();
    let given_up = tokio::spawn(async move {
        let (mut caller, _) = listener.accept().await.expect("a caller");
        let mut server = TcpStream::connect(target).await.expect("a server");
        tokio::select! {
            _ = copy_bidirectional(&mut caller, &mut server) => {}
            _ = is_cut => {}
        }
        let _what_gets_lost = copy(&mut caller, &mut sink()).await;
    });
    (address, cut, given_up)
}

/// O1: a connection that lies idle is given up as well, so that no call goes out on it and waits in vain.
#[tokio::test]
async fn o1_an_idle_connection_that_was_cut_off_is_given_up_before_it_is_used() {
    let (address, cut, given_up) = way(healthy().await).await;
    let mut client = HealthClient::new(remote(&[&format!("http://{address}")]));
    client.check(HealthCheckRequest::default()).await.expect("an answer");

    drop(cut);
    tokio::time::pause();
    tokio::time::sleep(NOTICED_MAX).await;
    tokio::time::resume();
    // It has happened by now; the system may need a moment to say so.
    let given_up = tokio::time::timeout(NOTICED_MAX, given_up).await;
    given_up.expect("the connection is kept").expect("a way");
}
