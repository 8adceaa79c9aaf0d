//! What names of hosts stand for at this moment.

use std::future::Future;
use std::io::Result;
use std::net::SocketAddr;

/// Whoever is asked what a name stands for.
pub(super) trait Names: Send + Sync + 'static {
    /// Every address behind `host`, with `port`.
    fn look_up(&self, host: &str, port: u16) -> impl Future<Output = Result<Vec<SocketAddr>>> + Send;
}

/// The names that the machine knows.
pub(super) struct SystemNames;

impl Names for SystemNames {
    async fn look_up(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }
}
