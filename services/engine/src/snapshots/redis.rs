//! Snapshots in the Redis of an installation, for all its engines: a key a table, which goes by itself.

use super::{KEPT_FOR, SnapshotCache};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use astragal_runtime::redis_link::{RedisLink, RedisSettings, RedisSettingsError, SharedCommands};
use async_trait::async_trait;
use redis::{Cmd, FromRedisValue, cmd};

/// The snapshots of one installation.
pub struct RedisSnapshots(SharedCommands);

impl RedisSnapshots {
    /// Reads the settings; Redis need not be there yet.
    pub fn open(settings: &RedisSettings) -> std::result::Result<Self, RedisSettingsError> {
        Ok(Self(SharedCommands::new(RedisLink::new(settings)?)))
    }

    fn key(&self, table: TableId) -> String {
        format!("{}:snapshot:{}", self.0.prefix(), table.0.simple())
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T> {
        let asked = self.0.ask(async |mut redis| command.query_async(&mut redis).await).await;
        asked.map_err(|error| {
            tracing::debug!(%error, "Redis does not answer for snapshots");
            Problem::unavailable("snapshots can't be reached now")
        })
    }
}

#[async_trait]
impl SnapshotCache for RedisSnapshots {
    async fn load(&self, table: TableId) -> Result<Option<String>> {
        self.ask(cmd("GET").arg(self.key(table))).await
    }

    async fn keep(&self, table: TableId, text: String) -> Result<()> {
        self.ask(cmd("SET").arg(self.key(table)).arg(text).arg("EX").arg(KEPT_FOR.as_secs())).await
    }
}
