//! The way to one Redis: how its address is read, and connections that give up in time.
//!
//! It knows nothing of what is said on a connection. An address may hold a password, so none is ever shown.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, IntoConnectionInfo, ProtocolVersion, PushInfo, RedisResult};

/// How long Redis may take to be reached or to answer; after that it counts as away.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// The pause before a Redis that is away is tried again.
pub(crate) const RETRY_AFTER: Duration = Duration::from_millis(250);
/// How often an idle connection is asked whether it is still alive.
pub(crate) const PING_EVERY: Duration = Duration::from_secs(1);

/// An address that can't be used.
#[derive(Debug, thiserror::Error)]
#[error("the address of Redis can't be read; write it as redis://HOST:PORT or redis+unix:///PATH")]
pub struct AddressError;

/// One Redis; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RedisLink(Arc<Client>);

impl RedisLink {
    /// Reads the address; nothing is connected yet.
    pub(crate) fn new(url: &str) -> Result<Self, AddressError> {
        let info = url.into_connection_info().map_err(|_| AddressError)?;
        let settings = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        let client = Client::open(info.set_redis_settings(settings)).map_err(|_| AddressError)?;
        Ok(Self(Arc::new(client)))
    }

    /// A connection for commands.
    pub(crate) async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        self.0.get_multiplexed_async_connection_with_config(&config()).await
    }

    /// A connection on which Redis also speaks unasked. `hear` is called in order, and must not wait.
    pub(crate) async fn listen(
        &self,
        hear: impl Fn(PushInfo) + Send + Sync + 'static,
    ) -> RedisResult<MultiplexedConnection> {
        let hear = move |push| -> Result<(), std::convert::Infallible> {
            hear(push);
            Ok(())
        };
        self.0.get_multiplexed_async_connection_with_config(&config().set_push_sender(hear)).await
    }
}

fn config() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(Some(ANSWER_MAX))
        .set_response_timeout(Some(ANSWER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_a_wrong_one_is_not_shown() {
        for good in ["redis://localhost", "redis://user:word@host:7000/2", "redis+unix:///run/redis.sock"] {
            assert!(RedisLink::new(good).is_ok(), "{good}");
        }
        for wrong in ["", "localhost:6379", "http://:hunter2@host", "redis://:hunter2@host/no-number"] {
            let error = RedisLink::new(wrong).unwrap_err().to_string();
            assert!(error.contains("redis://HOST:PORT") && !error.contains("hunter2"), "{error}");
        }
    }
}
