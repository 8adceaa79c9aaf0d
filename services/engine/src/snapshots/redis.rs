//! Snapshots in the Redis of an installation, for all its engines: a key a table, which goes by itself.

use super::{KEPT_FOR, SnapshotCache};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use astragal_runtime::redis_link::{Commands, RedisLink, RedisSettings, RedisSettingsError};
use async_trait::async_trait;
use redis::{Cmd, FromRedisValue, RedisResult, cmd};
use tokio::sync::Mutex;

/// The snapshots of one installation.
pub struct RedisSnapshots {
    link: RedisLink,
    /// The connection that all calls share; none until the first one, and after it broke.
    connection: Mutex<Option<Commands>>,
}

impl RedisSnapshots {
    /// Reads the settings; Redis need not be there yet.
    pub fn open(settings: &RedisSettings) -> std::result::Result<Self, RedisSettingsError> {
        Ok(Self { link: RedisLink::new(settings)?, connection: Mutex::default() })
    }

    fn key(&self, table: TableId) -> String {
        format!("{}:snapshot:{}", self.link.prefix(), table.0.simple())
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T> {
        let asked = async {
            let mut commands = self.commands().await?;
            command.query_async(&mut commands).await
        };
        match asked.await {
            Ok(answer) => Ok(answer),
            Err(error) => {
                *self.connection.lock().await = None;
                tracing::debug!(%error, "Redis does not answer for snapshots");
                Err(Problem::unavailable("snapshots can't be reached now"))
            }
        }
    }

    async fn commands(&self) -> RedisResult<Commands> {
        let mut connection = self.connection.lock().await;
        if let Some(commands) = &*connection {
            return Ok(commands.clone());
        }
        let commands = self.link.commands().await?;
        *connection = Some(commands.clone());
        Ok(commands)
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
