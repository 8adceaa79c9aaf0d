//! Channels, against a server of this process and against addresses where nobody is.

mod keep_alive;
mod names;
mod silence;

use super::names::{Names, SystemNames};
use super::{Credentials, RoleChannel};
use crate::error::{Code, Problem};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::Instant;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::{Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use uuid::Uuid;

fn remote(urls: &[&str]) -> RoleChannel {
    remote_by(SystemNames, urls)
}

fn remote_by(names: impl Names, urls: &[&str]) -> RoleChannel {
    let urls: Vec<_> = urls.iter().map(|&url| url.to_owned()).collect();
    RoleChannel::remote_by(names, &urls, Credentials::default()).expect("addresses")
}

async fn serve(services: Routes) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let incoming = TcpListenerStream::new(listener);
    tokio::spawn(Server::builder().add_routes(services).serve_with_incoming(incoming));
    address
}

/// One that answers.
async fn healthy() -> SocketAddr {
    serve(Routes::new(tonic_health::server::health_reporter().1)).await
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
    let url = format!("http://{}", healthy().await);
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
    let all = RoleChannel::remote(&names, Credentials::default()).expect("addresses");
    let fewer = RoleChannel::remote(&names[1..], Credentials::default()).expect("addresses");
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
        let problem = RoleChannel::remote(&[url.to_owned()], Credentials::default()).expect_err("no address");
        assert!(problem.message.contains("http://HOST:PORT"), "{}", problem.message);
    }
    assert!(RoleChannel::remote(&[], Credentials::default()).is_err());
}

#[tokio::test]
async fn every_call_goes_out_with_a_deadline_and_keeps_its_callers() {
    let (_reporter, server) = tonic_health::server::health_reporter();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let note = move |request: Request<()>| -> Result<Request<()>, Status> {
        let timeout = request.metadata().get("grpc-timeout").and_then(|value| value.to_str().ok());
        noted.lock().expect("the list").push(timeout.unwrap_or_default().to_owned());
        Ok(request)
    };
    let noting = tonic::service::interceptor::InterceptedService::new(server, note);
    let url = format!("http://{}", serve(Routes::new(noting)).await);

    let mut client = HealthClient::new(remote(&[&url]));
    client.check(HealthCheckRequest::default()).await.expect("an answer");
    let mut own = Request::new(HealthCheckRequest::default());
    own.set_timeout(Duration::from_secs(1));
    client.check(own).await.expect("an answer");

    let seen = seen.lock().expect("the list").clone();
    let millis: u64 = seen[0].strip_suffix('m').and_then(|left| left.parse().ok()).expect("milliseconds");
    assert!((9_000..=10_000).contains(&millis), "{millis}");
    assert_eq!(seen[1], "1000000u");
}

#[tokio::test]
async fn a_process_that_takes_a_call_and_keeps_silent_is_given_up_at_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let silent = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    let mut patient = Request::new(HealthCheckRequest::default());
    patient.set_timeout(Duration::from_millis(200));
    let answer = HealthClient::new(remote(&[&url])).check(patient).await;
    let code = answer.map(drop).map_err(|status| Problem::from(status).code);
    assert_eq!(code, Err(Code::Unavailable));
    silent.abort();
}

#[tokio::test]
async fn a_process_that_takes_no_connection_costs_a_moment_and_another_one_is_asked() {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let full = socket.listen(1).expect("a listener");
    let full_address = full.local_addr().expect("an address");
    // One that waits to be accepted, and one more; the system answers nobody else.
    let _first = TcpStream::connect(full_address).await.expect("a connection");
    let _second = TcpStream::connect(full_address).await.expect("a connection");

    let good = format!("http://{}", healthy().await);
    let channel = remote(&[&format!("http://{full_address}"), &good]);
    let began = Instant::now();
    for thing in (0..60).map(Uuid::from_u128) {
        let mut client = HealthClient::new(channel.clone().about(thing));
        client.check(HealthCheckRequest::default()).await.expect("an answer");
    }
    // Each of the half that prefers it would wait for it as long as for a connection, if it was not known by then.
    assert!(began.elapsed() < Duration::from_secs(30), "it took {:?}", began.elapsed());
}
