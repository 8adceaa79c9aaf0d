//! Who is online: each gateway says at its desk who has a connection there, and is told who comes and goes anywhere.
//!
//! An account stays online for a while after its last connection, because a reload is not leaving. A gateway that dies
//! is noticed by the others. Without Redis nobody counts as gone. It knows nothing of sockets and tables.

pub mod audience;
mod memory;
mod redis;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::DropGuard;

use self::audience::{Audience, House};
use self::memory::Room;
use self::redis::RedisDesk;
use crate::id::AccountId;
use crate::queue::{Gap, Queue};
use crate::redis_link::{RedisLink, RedisSettings, RedisSettingsError};

/// Changes that wait at one desk; beyond that it is told to ask again about everyone.
const CHANGES_MAX: usize = 16_384;

/// After which time something counts. All gateways should have the same.
#[derive(Debug, Clone)]
pub struct PresenceTimes {
    /// How long after its last sign of life a gateway counts as dead.
    pub lease: Duration,
    /// How long after its last connection an account counts as offline.
    pub offline_after: Duration,
    /// How long nobody goes offline after Redis was reached, so that all gateways can say again who is there.
    pub settle: Duration,
    /// How often a gateway looks for accounts that are gone.
    pub sweep_every: Duration,
}

impl Default for PresenceTimes {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(5),
            offline_after: Duration::from_secs(10),
            settle: Duration::from_secs(15),
            sweep_every: Duration::from_secs(1),
        }
    }
}

/// What a desk is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresenceChange {
    /// An account is online now.
    Online(AccountId),
    /// An account is offline now.
    Offline(AccountId),
    /// Anybody may have come or gone: ask again about everyone who matters.
    Anyone,
}

impl Gap for PresenceChange {
    const GAP: Self = Self::Anyone;
}

/// The presence of all accounts; cheap to clone.
#[derive(Debug, Clone)]
pub struct Presence(Place);

#[derive(Debug, Clone)]
enum Place {
    Memory(Arc<Room>, House),
    Redis(RedisLink, PresenceTimes),
}

impl Presence {
    /// Presence within this process.
    pub fn new(times: PresenceTimes) -> Self {
        Self(Place::Memory(Arc::new(Room::new(times)), House::default()))
    }

    /// Presence at all gateways that use the same Redis and prefix, which need not be there yet.
    pub fn through_redis(settings: &RedisSettings, times: PresenceTimes) -> Result<Self, RedisSettingsError> {
        Ok(Self(Place::Redis(RedisLink::new(settings)?, times)))
    }

    /// A desk for one gateway, with its work behind it as a task: must be called within a tokio runtime.
    pub fn open_desk(&self) -> (PresenceDesk, PresenceChanges) {
        let changes = Arc::new(Queue::new(CHANGES_MAX));
        let (desk, end): (Arc<dyn Desk>, _) = match &self.0 {
            Place::Memory(room, _) => {
                let (desk, end) = room.open_desk(changes.clone());
                (Arc::new(desk), end)
            }
            Place::Redis(link, times) => {
                let (desk, end) = RedisDesk::open(link.clone(), times.clone(), changes.clone());
                (Arc::new(desk), end)
            }
        };
        (PresenceDesk(desk), PresenceChanges { changes, _end: end })
    }

    /// Where one gateway posts how many watch there.
    pub fn open_audience(&self) -> Audience {
        match &self.0 {
            Place::Memory(_, house) => Audience::in_memory(house),
            Place::Redis(link, times) => Audience::through_redis(link.clone(), times.lease),
        }
    }
}

/// What each kind of presence offers to a gateway. Nothing here waits.
trait Desk: Debug + Send + Sync {
    fn arrive(&self, account: AccountId);
    fn depart(&self, account: AccountId);
    fn is_online(&self, account: AccountId) -> bool;
}

/// Where one gateway says who is there; cheap to clone.
#[derive(Debug, Clone)]
pub struct PresenceDesk(Arc<dyn Desk>);

impl PresenceDesk {
    /// The account has a connection at this gateway now.
    pub fn arrive(&self, account: AccountId) {
        self.0.arrive(account);
    }

    /// The account's last connection at this gateway is gone.
    pub fn depart(&self, account: AccountId) {
        self.0.depart(account);
    }

    /// Whether the account has a connection anywhere, or had one a moment ago, or nobody can know.
    pub fn is_online(&self, account: AccountId) -> bool {
        self.0.is_online(account)
    }
}

/// Where one gateway is told who comes and goes. Dropping it closes the desk, as the death of the gateway would.
#[derive(Debug)]
pub struct PresenceChanges {
    changes: Arc<Queue<PresenceChange>>,
    _end: DropGuard,
}

impl PresenceChanges {
    /// The next change.
    pub async fn recv(&mut self) -> Option<PresenceChange> {
        self.changes.pop().await
    }
}
