//! The server that is measured: `astragal dev` of the tool's own, or roles apart over PostgreSQL and
//! Redis. Whatever is started here inherits the core of this process.

use crate::options::Mode;
use anyhow::{Context, Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::{Launch, Server};
use std::time::Duration;

/// One process with everything in it.
pub(crate) fn dev() -> Result<Server> {
    Launch::new()?.log_filter("warn").start()
}

/// A gateway, an engine and a matchmaking, each a process, and what they stand on. Fields are dropped
/// in this order.
pub(crate) struct Apart {
    roles: Roles,
    postgres: Postgres,
    redis: Redis,
}

impl Apart {
    /// Starts all of it. PostgreSQL keeps its defaults: `fsync` and `synchronous_commit` are on.
    pub(crate) fn start(mode: Mode) -> Result<Self> {
        let (postgres, redis) = (Postgres::start(&[]), Redis::start());
        let database_url = postgres.database();
        let migrated = program::run(&["migrate", "--database-url", &database_url])?;
        ensure!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
        let (each, rematches) = if mode == Mode::Rematch { (2, 2) } else { (1, 0) };
        let plan = Plan {
            engines: each,
            matchmakings: each,
            rematches,
            gateways: each,
            heads_interval: Duration::from_secs(2),
            database_url: Some(database_url),
            redis_url: Some(redis.url()),
        };
        let roles = Roles::start_with(&plan, |_, _, launch| Ok(launch.log_filter("warn")))?;
        Ok(Self { roles, postgres, redis })
    }

    /// Where clients connect.
    pub(crate) fn url(&self) -> Result<&str> {
        Ok(self.gateway()?.url())
    }

    /// Every gateway.
    pub(crate) fn urls(&self) -> Vec<&str> {
        self.roles.gateways.iter().map(Server::url).collect()
    }

    /// Everything whose time and memory count.
    pub(crate) fn pids(&self) -> Result<Vec<u32>> {
        let Roles { engines, matchmakings, rematches, gateways, .. } = &self.roles;
        let roles = gateways.iter().chain(engines).chain(matchmakings).chain(rematches).map(Server::pid);
        let mut pids = roles.collect::<Result<Vec<_>>>()?;
        pids.extend([self.postgres.pid(), self.redis.keeper_pid()]);
        Ok(pids)
    }

    /// The gateway alone, whose sockets are measured.
    pub(crate) fn gateway(&self) -> Result<&Server> {
        self.roles.gateways.first().context("there is one gateway")
    }
}
