//! The other roles, as a role that calls them is told where they are.

use anyhow::Result;
use astragal_runtime::auth::bearer::Bearer;
use astragal_runtime::channel::RoleChannel;
use clap::Args;

/// Where the engines are.
#[derive(Args)]
pub(crate) struct EngineFlag {
    /// The engines, `http://HOST:PORT` with commas between them; a name may stand for several.
    #[arg(long, env = "ASTRAGAL_ENGINE_URL", value_delimiter = ',', required = true)]
    engine_url: Vec<String>,
}

impl EngineFlag {
    /// Calls them.
    pub(crate) fn channel(&self, bearer: Bearer) -> Result<RoleChannel> {
        Ok(RoleChannel::remote(&self.engine_url, Some(bearer))?)
    }
}

/// Where the matchmakings are.
#[derive(Args)]
pub(crate) struct MatchmakingFlag {
    /// The matchmakings, `http://HOST:PORT` with commas between them; a name may stand for several.
    #[arg(long, env = "ASTRAGAL_MATCHMAKING_URL", value_delimiter = ',', required = true)]
    matchmaking_url: Vec<String>,
}

impl MatchmakingFlag {
    /// Calls them.
    pub(crate) fn channel(&self, bearer: Bearer) -> Result<RoleChannel> {
        Ok(RoleChannel::remote(&self.matchmaking_url, Some(bearer))?)
    }
}
