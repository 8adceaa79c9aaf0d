//! What stands in Redis, and the scripts that change it: each looks and writes in one step, so gateways can't disagree.
//!
//! Redis' own clock decides, because the gateways' clocks may differ.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

use redis::{Msg, RedisResult, Script, ToRedisArgs};
use uuid::Uuid;

use crate::id::{AccountId, RequestId};
use crate::presence::PresenceTimes;
use crate::redis_link::Commands;

/// Where it stands. All keys share a hash tag, so that a script finds them on one node of a cluster.
#[derive(Debug)]
pub(super) struct Names {
    /// On this channel the scripts say who comes and goes.
    pub(super) channel: String,
    /// A sorted set: gateways by the end of their lease.
    leases: String,
    /// A set: who is online.
    online: String,
    /// A sorted set: those of them without a connection, by the time they lost it.
    leaving: String,
    /// A set for each gateway: who has a connection there.
    at: String,
}

impl Names {
    pub(super) fn new(prefix: &str) -> Self {
        let key = |name: &str| format!("{{{prefix}:presence}}:{name}");
        Self {
            channel: format!("{prefix}:presence"),
            leases: key("leases"),
            online: key("online"),
            leaving: key("leaving"),
            at: key("at:"),
        }
    }
}

/// Accounts in one answer.
const PAGE: u32 = 1_000;

macro_rules! script {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!($file)));
    };
}
script!(ARRIVE, "arrive.lua");
script!(DEPART, "depart.lua");
script!(BEAT, "beat.lua");
script!(SWEEP, "sweep.lua");

/// One connection to what stands in Redis, under a name of its own.
pub(super) struct Ledger {
    connection: Commands,
    names: Names,
    gateway: String,
    lease: Duration,
    offline_after: Duration,
}

impl Ledger {
    /// What an earlier connection of this gateway left behind ends with its lease.
    pub(super) fn new(connection: Commands, names: Names, times: &PresenceTimes) -> Self {
        let gateway = RequestId::new().to_string();
        Self { connection, names, gateway, lease: times.lease, offline_after: times.offline_after }
    }

    /// Accounts have come here. True if this gateway counted as dead.
    pub(super) async fn arrive(&mut self, accounts: &[AccountId]) -> RedisResult<bool> {
        self.run(&ARRIVE, accounts.iter().map(bytes)).await
    }

    /// Accounts have left.
    pub(super) async fn depart(&mut self, accounts: &[AccountId]) -> RedisResult<()> {
        self.run(&DEPART, accounts.iter().map(bytes)).await.map(drop)
    }

    /// Renews the lease. True if this gateway counted as dead.
    pub(super) async fn beat(&mut self) -> RedisResult<bool> {
        self.run(&BEAT, [0_u8; 0]).await
    }

    /// Looks for dead gateways and for accounts that are gone.
    pub(super) async fn sweep(&mut self) -> RedisResult<()> {
        self.run(&SWEEP, [millis(self.offline_after)]).await.map(drop)
    }

    async fn run(
        &mut self,
        script: &Script,
        arguments: impl IntoIterator<Item = impl ToRedisArgs>,
    ) -> RedisResult<bool> {
        let mut call = script.prepare_invoke();
        let Names { channel, leases, online, leaving, at } = &self.names;
        call.key(leases).key(online).key(leaving);
        call.arg(channel).arg(at).arg(&self.gateway).arg(millis(self.lease));
        for argument in arguments {
            call.arg(argument);
        }
        call.invoke_async(&mut self.connection).await
    }

    /// Everyone who is online.
    pub(super) async fn online(&mut self) -> RedisResult<HashSet<AccountId>> {
        let (mut online, mut cursor) = (HashSet::new(), 0_u64);
        loop {
            let mut scan = redis::cmd("SSCAN");
            scan.arg(&self.names.online).arg(cursor).arg("COUNT").arg(PAGE);
            let (next, page): (u64, Vec<Vec<u8>>) = scan.query_async(&mut self.connection).await?;
            online.extend(page.iter().filter_map(|bytes| account(bytes)));
            cursor = next;
            if cursor == 0 {
                return Ok(online);
            }
        }
    }
}

/// The account that came (true) or went, from a message of the channel.
pub(super) fn read(message: &Msg) -> Option<(AccountId, bool)> {
    let (sign, bytes) = message.get_payload_bytes().split_first()?;
    Some((account(bytes)?, *sign == b'+'))
}

fn account(bytes: &[u8]) -> Option<AccountId> {
    Uuid::from_slice(bytes).ok().map(AccountId)
}

fn bytes(account: &AccountId) -> &[u8] {
    account.0.as_bytes()
}

fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}
