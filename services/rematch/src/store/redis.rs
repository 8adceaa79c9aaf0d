//! Rematches in Redis: an entry by the game that has ended, the last game of each player, deadlines in a
//! sorted set, and an outbox. All keys share a hash tag, so that one script finds them on one node.
//!
//! Most of what an entry costs is keys, so their names are short: a letter, and an id as its 16 bytes. What the
//! build before kept under longer names is not read; such a rematch is as good as lost, and the first ask makes up
//! for it.

use super::packed::{pack, unpack};
use super::{Change, Committed, Due, LEASE, LEFT_FOR, Letter, Message, OfferStore, Stored};
use crate::machine::kept_for;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::redis_link::{Commands, RedisLink, RedisSettings, RedisSettingsError, SharedCommands};
use async_trait::async_trait;
use chrono::DateTime;
use redis::{FromRedisValue, RedisError, RedisResult, Script, Value, cmd};
use std::sync::LazyLock;
use std::time::Duration;
use uuid::Uuid;

macro_rules! script {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!($file)));
    };
}
script!(COMMIT, "redis/commit.lua");
script!(DUE, "redis/due.lua");
script!(LEFT, "redis/left.lua");
script!(UNTOLD, "redis/untold.lua");

/// The entries of one installation.
pub struct RedisOffers(SharedCommands);

impl RedisOffers {
    /// Reads the settings; Redis need not be there yet.
    pub fn open(settings: &RedisSettings) -> std::result::Result<Self, RedisSettingsError> {
        let link = RedisLink::new(settings)?;
        // What the build before kept for ever, and takes care of only while it runs.
        let older = ["deadlines", "outbox"].map(|name| {
            let mut expire = cmd("PEXPIRE");
            expire.arg(format!("{{{}:rematch}}:{name}", link.prefix())).arg(millis(LEFT_FOR));
            expire
        });
        Ok(Self(SharedCommands::new(link).greeted_with(older.into())))
    }

    fn key(&self, name: &str) -> Vec<u8> {
        format!("{{{}:r}}{name}", self.0.prefix()).into_bytes()
    }

    fn key_of(&self, letter: &str, id: Uuid) -> Vec<u8> {
        let mut key = self.key(letter);
        key.extend_from_slice(id.as_bytes());
        key
    }

    fn entry(&self, game: TableId) -> Vec<u8> {
        self.key_of("e", game.0)
    }

    fn last_game(&self, account: AccountId) -> Vec<u8> {
        self.key_of("a", account.0)
    }

    fn left(&self, account: AccountId) -> Vec<u8> {
        self.key_of("l", account.0)
    }

    fn deadlines(&self) -> Vec<u8> {
        self.key("due")
    }

    fn outbox(&self) -> Vec<u8> {
        self.key("outbox")
    }

    async fn ask<T>(&self, ask: impl AsyncFnOnce(Commands) -> RedisResult<T>) -> Result<T> {
        self.0.ask(ask).await.map_err(|error| away(&error))
    }
}

fn away(error: &RedisError) -> Problem {
    tracing::warn!(%error, "Redis does not answer for rematches");
    Problem::unavailable("rematches can't be reached now; try again")
}

fn unreadable(what: &'static str) -> RedisError {
    std::io::Error::new(std::io::ErrorKind::InvalidData, what).into()
}

fn millis(span: chrono::TimeDelta) -> i64 {
    span.num_milliseconds().max(1)
}

/// The instant of a deadline, rounded up: nothing is due before its time.
fn score(at: Timestamp) -> i64 {
    at.timestamp_micros().div_euclid(1_000) + i64::from(at.timestamp_micros() % 1_000 > 0)
}

/// Games are named by the 16 bytes of their ids.
fn game(id: &[u8]) -> Option<TableId> {
    Uuid::from_slice(id).ok().map(TableId)
}

fn games(ids: &[Vec<u8>]) -> Vec<TableId> {
    ids.iter().filter_map(|id| game(id)).collect()
}

#[async_trait]
impl OfferStore for RedisOffers {
    async fn load(&self, game: TableId) -> Result<Option<Stored>> {
        let key = self.entry(game);
        let kept: Option<Vec<u8>> =
            self.ask(async |mut redis| cmd("GET").arg(key).query_async(&mut redis).await).await?;
        let stored = kept.map(|kept| unpack(game, &kept)).transpose().inspect_err(|error| {
            tracing::error!(%game, %error, "a rematch in Redis can't be read");
        });
        Ok(stored.ok().flatten())
    }

    async fn game_of(&self, account: AccountId) -> Result<Option<TableId>> {
        let key = self.last_game(account);
        let id: Option<Vec<u8>> =
            self.ask(async |mut redis| cmd("GET").arg(key).query_async(&mut redis).await).await?;
        Ok(id.and_then(|id| game(&id)))
    }

    async fn commit(&self, change: &Change) -> Result<Committed> {
        let Change { from, entry, opens, messages, now } = change;
        let packed = pack(entry)?;
        let lifetime = millis(kept_for(entry, *now));
        let mut call = COMMIT.prepare_invoke();
        call.key(self.entry(entry.game)).key(self.deadlines()).key(self.outbox());
        for (_, account) in entry.people().filter(|_| *opens) {
            call.key(self.last_game(account)).key(self.left(account));
        }
        call.arg(from.map(|version| version.to_string()).unwrap_or_default());
        call.arg(from.unwrap_or_default() + 1).arg(packed).arg(lifetime);
        call.arg(entry.deadline().map(|at| score(at).to_string()).unwrap_or_default());
        call.arg(entry.game.0.as_bytes());
        let ended_at = opens.then(|| entry.ended_at.timestamp_millis().to_string());
        call.arg(ended_at.unwrap_or_default()).arg(lifetime);
        for message in messages {
            call.arg(serde_json::to_string(message).map_err(|error| Problem::internal(&error))?);
        }
        let answer: Vec<Value> = self.ask(async |mut redis| call.invoke_async(&mut redis).await).await?;
        let read = read_commit(answer, messages).map_err(|error| away(&error))?;
        Ok(read)
    }

    async fn note_left(&self, account: AccountId, at: Timestamp) -> Result<()> {
        let key = self.left(account);
        let mut call = LEFT.prepare_invoke();
        call.key(key).arg(at.timestamp_millis()).arg(millis(LEFT_FOR));
        self.ask(async |mut redis| call.invoke_async(&mut redis).await).await
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Due> {
        let mut call = DUE.prepare_invoke();
        call.key(self.deadlines()).arg(now.timestamp_millis()).arg(score(now + LEASE)).arg(limit);
        let (due, next): (Vec<Vec<u8>>, Option<i64>) =
            self.ask(async |mut redis| call.invoke_async(&mut redis).await).await?;
        Ok(Due { games: games(&due), next: next.and_then(DateTime::from_timestamp_millis) })
    }

    async fn soon(&self, now: Timestamp, within: Duration) -> Result<Vec<TableId>> {
        let (key, until) = (self.deadlines(), score(now + within));
        let soon: Vec<Vec<u8>> = self
            .ask(async |mut redis| {
                cmd("ZRANGEBYSCORE").arg(key).arg("-inf").arg(until).query_async(&mut redis).await
            })
            .await?;
        Ok(games(&soon))
    }

    async fn forget(&self, game: TableId) -> Result<()> {
        let key = self.deadlines();
        self.ask(async |mut redis| {
            cmd("ZREM").arg(key).arg(game.0.as_bytes()).query_async::<u64>(&mut redis).await
        })
        .await
        .map(drop)
    }

    async fn untold(&self, age: Duration, limit: u32) -> Result<Vec<Letter>> {
        let mut call = UNTOLD.prepare_invoke();
        call.key(self.outbox()).arg(age.as_millis() as u64).arg(limit);
        let letters: Vec<(String, (String, String))> =
            self.ask(async |mut redis| call.invoke_async(&mut redis).await).await?;
        let letter = |(id, (_, text)): (String, (String, String))| {
            // What can't be read is told to nobody, and goes.
            let message: Option<Message> = serde_json::from_str(&text).ok();
            Some(Letter { id, message: message? })
        };
        Ok(letters.into_iter().filter_map(letter).collect())
    }

    async fn told(&self, ids: &[String]) -> Result<()> {
        let key = self.outbox();
        self.ask(async |mut redis| cmd("XDEL").arg(key).arg(ids).query_async::<u64>(&mut redis).await)
            .await
            .map(drop)
    }
}

fn read_commit(answer: Vec<Value>, messages: &[Message]) -> RedisResult<Committed> {
    let mut parts = answer.into_iter();
    let word = String::from_redis_value(parts.next().ok_or_else(|| unreadable("no answer"))?)?;
    match word.as_str() {
        "conflict" => Ok(Committed::Conflict),
        "left" => Ok(Committed::Left),
        _ => {
            let ids = Vec::<String>::from_redis_value(parts.next().unwrap_or(Value::Array(Vec::new())))?;
            let before = Vec::<Vec<u8>>::from_redis_value(parts.next().unwrap_or(Value::Array(Vec::new())))?;
            let letter = |(id, message): (String, &Message)| Letter { id, message: message.clone() };
            Ok(Committed::Yes {
                letters: ids.into_iter().zip(messages).map(letter).collect(),
                before: games(&before),
            })
        }
    }
}
