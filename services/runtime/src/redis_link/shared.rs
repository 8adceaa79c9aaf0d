//! One connection for commands about keys that all calls of a part share, opened by the first of them and anew after
//! it failed.

use redis::{Cmd, RedisResult, Value};
use tokio::sync::Mutex;

use super::{Commands, RedisLink};

/// The connection with the way to it.
pub struct SharedCommands {
    link: RedisLink,
    /// What is said first on each new connection.
    greeting: Vec<Cmd>,
    /// None until the first call, and after one failed.
    connection: Mutex<Option<Commands>>,
}

impl SharedCommands {
    /// Nothing is connected yet.
    pub fn new(link: RedisLink) -> Self {
        Self { link, greeting: Vec::new(), connection: Mutex::default() }
    }

    /// Says something first on each new connection.
    #[must_use]
    pub fn greeted_with(self, greeting: Vec<Cmd>) -> Self {
        Self { greeting, ..self }
    }

    /// What the names of all keys begin with.
    pub fn prefix(&self) -> &str {
        self.link.prefix()
    }

    /// Does something with the connection. One that fails is not used again.
    pub async fn ask<T>(&self, ask: impl AsyncFnOnce(Commands) -> RedisResult<T>) -> RedisResult<T> {
        let asked = match self.commands().await {
            Ok(commands) => ask(commands).await,
            Err(error) => Err(error),
        };
        if asked.is_err() {
            *self.connection.lock().await = None;
        }
        asked
    }

    async fn commands(&self) -> RedisResult<Commands> {
        let mut connection = self.connection.lock().await;
        if let Some(commands) = &*connection {
            return Ok(commands.clone());
        }
        let mut commands = self.link.commands().await?;
        for command in &self.greeting {
            command.query_async::<Value>(&mut commands).await?;
        }
        *connection = Some(commands.clone());
        Ok(commands)
    }
}
