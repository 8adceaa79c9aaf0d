//! Redis over TLS: only the one that shows a certificate of the right authority is spoken to.

use std::net::TcpListener;

use astragal_runtime::bus::{Bus, Delivery};
use astragal_runtime::redis_link::RedisSettings;
use astragal_runtime::tls::{CallerTls, Certificates, Identity};
use astragal_support::redis::Redis;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};

use crate::bus::{event, next, table};
use crate::patience::until;

/// A certificate of this machine that is its own authority.
fn made() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).unwrap()
}

fn authorities(made: &CertifiedKey<KeyPair>) -> Certificates {
    Certificates::from_pem(&made.cert.pem()).unwrap()
}

#[tokio::test]
async fn o2_news_go_over_tls_to_a_redis_that_is_believed_and_believes() {
    let (own, client, other) = (made(), made(), made());
    let files = tempfile::tempdir().unwrap();
    let file = |name: &str, pem: String| {
        let path = files.path().join(name);
        std::fs::write(&path, pem).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = held.local_addr().unwrap().port();
    drop(held);
    let _server = Redis::with(&[
        "--tls-port",
        &port.to_string(),
        "--tls-cert-file",
        &file("redis.crt", own.cert.pem()),
        "--tls-key-file",
        &file("redis.key", own.signing_key.serialize_pem()),
        "--tls-ca-cert-file",
        &file("clients.crt", client.cert.pem()),
    ]);
    let identity = Identity::from_pem(authorities(&client), &client.signing_key.serialize_pem()).unwrap();
    let bus = |authorities, identity| {
        let tls = Some(CallerTls { authorities, identity });
        let settings = RedisSettings { tls, ..RedisSettings::new(format!("rediss://localhost:{port}")) };
        Bus::through_redis(&settings).unwrap()
    };
    let right = bus(authorities(&own), Some(identity.clone()));
    let (subscriber, mut receiver) = right.connect(8);
    let topic = table();
    subscriber.subscribe(topic).await;
    right.publish(topic, &event(1));
    assert_eq!(next(&mut receiver).await, Delivery::Message(topic, event(1)));

    for (what, wrong) in [
        ("another authority", bus(authorities(&other), Some(identity))),
        ("no certificate", bus(authorities(&own), None)),
    ] {
        wrong.publish(topic, &event(2));
        until(what, || wrong.lost() == 1).await;
    }
}
