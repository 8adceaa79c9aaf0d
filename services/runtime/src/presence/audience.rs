//! How many watch each table: every gateway posts its own numbers from time to time, and is given the sums of all.
//!
//! It doesn't know who watches, nor what a table is. A gateway that posts no more is forgotten with its lease.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::{RedisResult, Script};
use uuid::Uuid;

use crate::error::{Problem, Result};
use crate::id::{RequestId, TableId};
use crate::redis_link::{RedisLink, SharedCommands};

/// How many watch each table; tables that nobody watches are left out.
pub type Counts = HashMap<TableId, u32>;

static EXCHANGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("audience/exchange.lua")));

/// Where one gateway posts its numbers.
pub struct Audience(Place);

enum Place {
    Memory(Stall),
    Redis { redis: SharedCommands, lease: Duration, gateway: String },
}

impl Audience {
    pub(super) fn in_memory(house: &House) -> Self {
        Self(Place::Memory(house.open_stall()))
    }

    pub(super) fn through_redis(link: RedisLink, lease: Duration) -> Self {
        let gateway = RequestId::new().to_string();
        Self(Place::Redis { redis: SharedCommands::new(link), lease, gateway })
    }

    /// Posts how many watch at this gateway, and gives how many watch anywhere. Its lease is the one of presence, so
    /// it has to be called more often than that.
    pub async fn exchange(&mut self, here: &Counts) -> Result<Counts> {
        match &mut self.0 {
            Place::Memory(at) => Ok(at.exchange(here)),
            Place::Redis { redis, lease, gateway } => {
                Box::pin(exchange(redis, *lease, gateway, here)).await.map_err(|error| {
                    let why = format!("Redis can't say how many watch ({}); try again", error.category());
                    Problem::unavailable(why)
                })
            }
        }
    }
}

impl fmt::Debug for Audience {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Audience").finish_non_exhaustive()
    }
}

async fn exchange(
    redis: &SharedCommands,
    lease: Duration,
    gateway: &str,
    here: &Counts,
) -> RedisResult<Counts> {
    let mut call = EXCHANGE.prepare_invoke();
    // A sorted set: gateways by the end of their lease. The numbers of each are a hash under this name and its own.
    call.key(format!("{{{}:audience}}:gateways", redis.prefix()))
        .arg(gateway)
        .arg(u64::try_from(lease.as_millis()).unwrap_or(u64::MAX));
    for (table, count) in here {
        call.arg(&table.0.as_bytes()[..]).arg(*count);
    }
    let sums: Vec<(Vec<u8>, u32)> = redis.ask(async |mut redis| call.invoke_async(&mut redis).await).await?;
    let read = |(table, count): (Vec<u8>, u32)| Some((TableId(Uuid::from_slice(&table).ok()?), count));
    Ok(sums.into_iter().filter_map(read).collect())
}

/// The numbers of all gateways within this process; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct House(Arc<Mutex<Stalls>>);

#[derive(Debug, Default)]
struct Stalls {
    opened: u64,
    counts: HashMap<u64, Counts>,
}

impl House {
    fn open_stall(&self) -> Stall {
        let mut stalls = self.stalls();
        stalls.opened += 1;
        Stall { number: stalls.opened, house: self.clone() }
    }

    fn stalls(&self) -> MutexGuard<'_, Stalls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one gateway's numbers.
#[derive(Debug)]
struct Stall {
    house: House,
    number: u64,
}

impl Stall {
    fn exchange(&self, here: &Counts) -> Counts {
        let mut stalls = self.house.stalls();
        stalls.counts.insert(self.number, here.clone());
        let mut sums = Counts::new();
        for (table, count) in stalls.counts.values().flatten() {
            *sums.entry(*table).or_default() += count;
        }
        sums
    }
}

impl Drop for Stall {
    fn drop(&mut self) {
        self.house.stalls().counts.remove(&self.number);
    }
}
