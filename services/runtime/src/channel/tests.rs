//! Channels, against a server of this process and against addresses where nobody is.

use super::RoleChannel;
use crate::error::{Code, Problem};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use uuid::Uuid;

fn remote(urls: &[&str]) -> RoleChannel {
    let urls: Vec<_> = urls.iter().map(|&url| url.to_owned()).collect();
    RoleChannel::remote(&urls, None).expect("addresses")
}

#[tokio::test]
async fn a_local_channel_answers_without_a_socket() {
    let (reporter, server) = tonic_health::server::health_reporter();
    reporter.set_service_status("tables", tonic_health::ServingStatus::Serving).await;
    let mut client = HealthClient::new(RoleChannel::local(server));

    let known = client.check(HealthCheckRequest { service: "tables".into() }).await;
    assert_eq!(known.map(|answer| answer.into_inner().status).ok(), Some(1));
    let unknown = client.check(HealthCheckRequest { service: "chairs".into() }).await;
    assert_eq!(unknown.map_err(|status| status.code()).err(), Some(tonic::Code::NotFound));
}

#[tokio::test]
async fn a_remote_that_is_not_there_is_unavailable() {
    let answer =
        HealthClient::new(remote(&["http://127.0.0.1:1"])).check(HealthCheckRequest::default()).await;
    assert_eq!(answer.map_err(|status| Problem::from(status).code).err(), Some(Code::Unavailable));
}

#[tokio::test]
async fn another_process_is_asked_when_the_preferred_one_is_not_there() {
    let (_reporter, server) = tonic_health::server::health_reporter();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(Server::builder().add_service(server).serve_with_incoming(TcpListenerStream::new(listener)));

    let channel = remote(&["http://127.0.0.1:1", &url]);
    for thing in (0..20).map(Uuid::from_u128) {
        let mut client = HealthClient::new(channel.clone().about(thing));
        client.check(HealthCheckRequest::default()).await.expect("an answer");
    }
    let named = url.replace("127.0.0.1", "localhost");
    HealthClient::new(remote(&[&named])).check(HealthCheckRequest::default()).await.expect("an answer");
}

#[tokio::test]
async fn a_process_that_goes_moves_only_what_it_was_preferred_for() {
    let names: Vec<_> = (1..=4).map(|port| format!("http://127.0.0.1:{port}")).collect();
    let preferred = |channel: &RoleChannel, thing: u128| {
        let key = Uuid::from_u128(thing).into_bytes();
        let members = channel.members().borrow().clone();
        let first = members.iter().max_by_key(|member| member.weight(&key)).expect("members");
        first.name().to_owned()
    };
    let all = RoleChannel::remote(&names, None).expect("addresses");
    let fewer = RoleChannel::remote(&names[1..], None).expect("addresses");
    let gone = "127.0.0.1:1";
    let mut moved = 0;
    for thing in 0..400 {
        let before = preferred(&all, thing);
        if before == gone {
            moved += 1;
        } else {
            assert_eq!(before, preferred(&fewer, thing));
        }
    }
    assert!((50..150).contains(&moved), "{moved} of 400 were one of four's");
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_with_what_to_write() {
    for url in ["not an address", "127.0.0.1:7000", "http://host", "ftp://host:1", "http://host:1/path", ""] {
        let problem = RoleChannel::remote(&[url.to_owned()], None).expect_err("no address");
        assert!(problem.message.contains("http://HOST:PORT"), "{}", problem.message);
    }
    assert!(RoleChannel::remote(&[], None).is_err());
}
