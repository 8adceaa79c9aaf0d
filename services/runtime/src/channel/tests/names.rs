//! Names that stand for other processes while the channel is in use.

use super::{remote_by, serve};
use crate::channel::RoleChannel;
use crate::channel::members::RESOLVE_INTERVAL;
use crate::channel::names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use tonic::Request;
use tonic::service::Routes;
use tonic::service::interceptor::InterceptedService;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use uuid::Uuid;

/// A process, and how often it was asked since somebody wanted to know.
struct Replica {
    address: SocketAddr,
    asked: Arc<AtomicU32>,
}

impl Replica {
    async fn start() -> Self {
        let asked = Arc::<AtomicU32>::default();
        let counted = asked.clone();
        let count = move |request: Request<()>| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(request)
        };
        let server = InterceptedService::new(tonic_health::server::health_reporter().1, count);
        Self { address: serve(Routes::new(server)).await, asked }
    }

    fn asked(&self) -> u32 {
        self.asked.swap(0, Ordering::Relaxed)
    }
}

/// What names stand for, until the test says something else.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<BTreeMap<String, Vec<SocketAddr>>>>);

impl Told {
    fn tell(&self, name: &str, replicas: &[&Replica]) {
        let addresses = replicas.iter().map(|replica| replica.address).collect();
        self.0.lock().expect("the names").insert(name.to_owned(), addresses);
    }

    fn forget(&self, name: &str) {
        self.0.lock().expect("the names").remove(name);
    }
}

impl Names for Told {
    async fn look_up(&self, host: &str, _port: u16) -> io::Result<Vec<SocketAddr>> {
        let known = self.0.lock().expect("the names").get(host).cloned();
        known.ok_or_else(|| io::Error::other("nobody knows the name"))
    }
}

/// Lets time pass until the channel knows exactly these.
async fn follow(channel: &RoleChannel, replicas: &[&Replica]) {
    let expected: BTreeSet<_> = replicas.iter().map(|replica| replica.address.to_string()).collect();
    let mut members = channel.members();
    tokio::time::pause();
    let known = members.wait_for(|members| {
        members.iter().map(|member| member.name()).eq(expected.iter().map(String::as_str))
    });
    let known = tokio::time::timeout(2 * RESOLVE_INTERVAL, known).await;
    known.expect("the names were not looked up again").map(drop).expect("a channel");
    tokio::time::resume();
}

async fn call(channel: RoleChannel) {
    HealthClient::new(channel).check(HealthCheckRequest::default()).await.expect("an answer");
}

/// O1: whoever scales a role changes what its name stands for, and nothing else.
#[tokio::test]
async fn o1_a_process_that_comes_behind_a_name_is_called_and_one_that_went_no_more() {
    let (first, second, third) = (Replica::start().await, Replica::start().await, Replica::start().await);
    let names = Told::default();
    names.tell("engine", &[&first, &second]);
    let channel = remote_by(names.clone(), &["http://engine:7000"]);
    for _ in 0..20 {
        call(channel.clone()).await;
    }
    assert_eq!([&first, &second, &third].map(Replica::asked), [10, 10, 0]);

    names.tell("engine", &[&second, &third]);
    follow(&channel, &[&second, &third]).await;
    for _ in 0..20 {
        call(channel.clone()).await;
    }
    assert_eq!([&first, &second, &third].map(Replica::asked), [0, 10, 10]);
    // Nor is it called for what it was preferred for.
    for thing in (0..40).map(Uuid::from_u128) {
        call(channel.clone().about(thing)).await;
    }
    let asked = [&first, &second, &third].map(Replica::asked);
    assert!(asked[0] == 0 && asked[1] > 0 && asked[2] > 0, "{asked:?}");
}

/// O1: a name that is unknown for a while, or always, holds up no other name.
#[tokio::test]
async fn o1_what_a_name_stood_for_is_kept_while_it_can_not_be_looked_up() {
    let (first, second, third) = (Replica::start().await, Replica::start().await, Replica::start().await);
    let names = Told::default();
    names.tell("here", &[&first]);
    names.tell("there", &[&second]);
    let urls = ["http://here:7000", "http://there:7000", "http://nowhere:7000"];
    let channel = remote_by(names.clone(), &urls);
    for _ in 0..20 {
        call(channel.clone()).await;
    }
    assert_eq!([&first, &second, &third].map(Replica::asked), [10, 10, 0]);

    names.forget("here");
    names.tell("there", &[&second, &third]);
    follow(&channel, &[&first, &second, &third]).await;
    for _ in 0..30 {
        call(channel.clone()).await;
    }
    assert_eq!([&first, &second, &third].map(Replica::asked), [10, 10, 10]);
}
