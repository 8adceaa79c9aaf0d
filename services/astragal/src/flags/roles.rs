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

/// Where the replays are, if there are any.
#[derive(Args)]
pub(crate) struct ReplayFlag {
    /// The replays, `http://HOST:PORT` or `https://HOST:PORT` with commas between them; a name may stand
    /// for several. Without them there are no timelines, no certificates and no pages for administrators.
    #[arg(long, env = "ASTRAGAL_REPLAY_URL", value_delimiter = ',')]
    replay_url: Vec<String>,
}

impl ReplayFlag {
    /// Calls them.
    pub(crate) fn channel(&self, credentials: Credentials) -> Result<Option<RoleChannel>> {
        if self.replay_url.is_empty() {
            return Ok(None);
        }
        Ok(Some(RoleChannel::remote(&self.replay_url, credentials)?))
    }
}

/// Where the rematches are, if there are any.
#[derive(Args)]
pub(crate) struct RematchFlag {
    /// The rematches, `http://HOST:PORT` or `https://HOST:PORT` with commas between them; a name may stand
    /// for several. Without them nobody is offered a rematch.
    #[arg(long, env = "ASTRAGAL_REMATCH_URL", value_delimiter = ',')]
    rematch_url: Vec<String>,
}

impl RematchFlag {
    /// Calls them; `credentials` are asked for only if there is anyone to call.
    pub(crate) fn channel(
        &self,
        credentials: impl FnOnce() -> Result<Credentials>,
    ) -> Result<Option<RoleChannel>> {
        if self.rematch_url.is_empty() {
            return Ok(None);
        }
        Ok(Some(RoleChannel::remote(&self.rematch_url, credentials()?)?))
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
