//! The other roles, as a role that calls them is told where they are.

use anyhow::Result;
use astragal_runtime::channel::{Credentials, RoleChannel};
use clap::Args;

/// Where the engines are.
#[derive(Args)]
pub(crate) struct EngineFlag {
    /// The engines, `http://HOST:PORT` or `https://HOST:PORT` with commas between them; a name may
    /// stand for several.
    #[arg(long, env = "ASTRAGAL_ENGINE_URL", value_delimiter = ',', required = true)]
    engine_url: Vec<String>,
}

impl EngineFlag {
    /// Calls them.
    pub(crate) fn channel(&self, credentials: Credentials) -> Result<RoleChannel> {
        Ok(RoleChannel::remote(&self.engine_url, credentials)?)
    }
}

/// Where the matchmakings are.
#[derive(Args)]
pub(crate) struct MatchmakingFlag {
    /// The matchmakings, `http://HOST:PORT` or `https://HOST:PORT` with commas between them; a name may
    /// stand for several.
    #[arg(long, env = "ASTRAGAL_MATCHMAKING_URL", value_delimiter = ',', required = true)]
    matchmaking_url: Vec<String>,
}

impl MatchmakingFlag {
    /// Calls them.
    pub(crate) fn channel(&self, credentials: Credentials) -> Result<RoleChannel> {
        Ok(RoleChannel::remote(&self.matchmaking_url, credentials)?)
    }
}
