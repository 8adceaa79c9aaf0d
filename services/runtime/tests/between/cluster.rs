//! The cluster of these tests, a place in it for each, and what happens when a node is not there.

use std::time::Duration;

use astragal_runtime::bus::{Bus, Delivery};
use astragal_runtime::id::RequestId;
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis_cluster::RedisCluster;
use tokio::time::interval;

use crate::bus::{event, table};
use crate::patience::soon;

/// A place of one's own in the cluster that all tests share.
pub(crate) fn of_cluster() -> RedisSettings {
    let prefix = RequestId::new().to_string();
    RedisSettings { urls: RedisCluster::shared().urls(), prefix, tls: None }
}

#[tokio::test]
async fn a_node_that_is_not_there_is_passed_over() {
    let mut settings = of_cluster();
    settings.urls.insert(0, "redis://127.0.0.1:1".to_owned());
    let bus = Bus::through_redis(&settings).unwrap();
    let (subscriber, mut receiver) = bus.connect(1_000);
    let topic = table();
    subscriber.subscribe(topic).await;
    let telling = async {
        let mut again = interval(Duration::from_millis(20));
        loop {
            again.tick().await;
            bus.publish(topic, &event(1));
        }
    };
    let hearing = async { while receiver.recv().await != Some(Delivery::Message(topic, event(1))) {} };
    let heard = async {
        tokio::select! {
            () = hearing => {}
            () = telling => {}
        }
    };
    soon("a message", heard).await;
}
