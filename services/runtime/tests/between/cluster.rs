//! The cluster of these tests, and a place in it for each.

use astragal_runtime::id::RequestId;
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis_cluster::RedisCluster;

/// A place of one's own in the cluster that all tests share.
pub(crate) fn of_cluster() -> RedisSettings {
    let prefix = RequestId::new().to_string();
    RedisSettings { urls: RedisCluster::shared().urls(), prefix, tls: None }
}
