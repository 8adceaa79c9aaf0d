//! The way to the Redis of an installation, one server or a cluster: connections that give up in time.
//!
//! It knows nothing of what is said on a connection. An address may hold a password, so none is ever shown.
//!
//! In a cluster any node carries news to all others, so whoever publishes or listens takes the first one that is
//! there. Only who reads or writes keys has to find the node that holds them.

mod commands;
mod settings;
mod shared;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::cluster::ClusterClient;
use redis::{AsyncConnectionConfig, Client, PushInfo, RedisResult};

pub use self::commands::Commands;
pub use self::settings::{RedisSettings, RedisSettingsError};
pub use self::shared::SharedCommands;

/// How long Redis may take to be reached or to answer; after that it counts as away.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// The pause before a Redis that is away is tried again.
pub(crate) const RETRY_AFTER: Duration = Duration::from_millis(250);
/// How often an idle connection is asked whether it is still alive.
pub(crate) const PING_EVERY: Duration = Duration::from_secs(1);

/// One Redis; cheap to clone.
#[derive(Clone)]
pub struct RedisLink(Arc<Inner>);

struct Inner {
    prefix: String,
    nodes: Vec<Client>,
    /// The node that is tried first.
    turn: AtomicUsize,
    cluster: Option<ClusterClient>,
}

impl RedisLink {
    /// Reads the settings; nothing is connected yet.
    pub fn new(settings: &RedisSettings) -> Result<Self, RedisSettingsError> {
        let settings::Clients { nodes, cluster } = settings.clients()?;
        let (prefix, turn) = (settings.prefix.clone(), AtomicUsize::new(0));
        Ok(Self(Arc::new(Inner { prefix, nodes, turn, cluster })))
    }

    /// What the names of all channels and keys begin with.
    pub fn prefix(&self) -> &str {
        &self.0.prefix
    }

    /// A connection on which something can be published.
    pub(crate) async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        self.reach(&config()).await
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
        self.reach(&config().set_push_sender(hear)).await
    }

    /// A connection for commands about keys, wherever they lie.
    pub async fn commands(&self) -> RedisResult<Commands> {
        match &self.0.cluster {
            None => Ok(Commands::Server(self.connect().await?)),
            Some(cluster) => Ok(Commands::Cluster(cluster.get_async_connection().await?)),
        }
    }

    /// The same for who listens already; a single server takes commands on that connection.
    pub(crate) async fn commands_beside(&self, listening: &MultiplexedConnection) -> RedisResult<Commands> {
        match &self.0.cluster {
            None => Ok(Commands::Server(listening.clone())),
            Some(_) => self.commands().await,
        }
    }

    /// Tries one node; the next try is another one's, if this one is not there.
    async fn reach(&self, config: &AsyncConnectionConfig) -> RedisResult<MultiplexedConnection> {
        let turn = self.0.turn.load(Ordering::Relaxed);
        let node = &self.0.nodes[turn % self.0.nodes.len()];
        let reached = node.get_multiplexed_async_connection_with_config(config).await;
        if reached.is_err() {
            // Whoever failed at the same node has moved the turn already.
            let _ = self.0.turn.compare_exchange(turn, turn + 1, Ordering::Relaxed, Ordering::Relaxed);
        }
        reached
    }
}

impl fmt::Debug for RedisLink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisLink").field("prefix", &self.0.prefix).finish_non_exhaustive()
    }
}

fn config() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(Some(ANSWER_MAX))
        .set_response_timeout(Some(ANSWER_MAX))
}
