//! What carries news between processes, and who is online.

use clap::Args;

/// The Redis of an installation.
#[derive(Args)]
pub(crate) struct RedisFlags {
    /// `redis://HOST:PORT`. Without it processes tell each other nothing: moves are learnt of by asking,
    /// every few seconds, and nobody is told when a game starts or is found.
    #[arg(long, env = "ASTRAGAL_REDIS_URL", hide_env_values = true)]
    pub(crate) redis_url: Option<String>,
}
