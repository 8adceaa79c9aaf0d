//! How often somebody may try to sign in under one name, whether anybody has that name or not: each caller seldom, and
//! all together more often, so that nobody keeps the owner of a name out by trying it.
//!
//! It holds over all processes, and what is kept of it is an instant for each slot of names. Addresses alone are counted
//! by gateways.

use std::sync::Arc;

use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Code, Problem, Result};
use chrono::Duration;

use crate::fingerprint::fingerprint;
use crate::settings::{Pace, Settings};
use crate::store::attempts::AttemptStore;

/// The slots that names fall to. Two names that are in use share one about never, and a name that nobody uses takes
/// away a slot for minutes.
const SLOTS: u32 = 1 << 20;
/// The longest period.
const EVERY_MAX: Duration = Duration::days(1);

/// One attempt, as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Where the name falls to.
    pub slot: u32,
    /// When.
    pub at: Timestamp,
    /// For how long it counts.
    pub every: Duration,
    /// The attempt is one too many if those before it count for longer.
    pub latest: Timestamp,
}

impl Attempt {
    /// An attempt under a name.
    pub fn under(name: &str, pace: Pace, at: Timestamp) -> Self {
        Self::in_slot(slot([b"sign-in", name.as_bytes()]), pace, at)
    }

    /// An attempt of one caller under a name.
    pub fn of(caller: &str, name: &str, pace: Pace, at: Timestamp) -> Self {
        Self::in_slot(slot([b"sign-in of", name.as_bytes(), caller.as_bytes()]), pace, at)
    }

    fn in_slot(slot: u32, pace: Pace, at: Timestamp) -> Self {
        let every = Duration::from_std(pace.every).map_or(EVERY_MAX, |every| every.min(EVERY_MAX));
        let others = i32::try_from(pace.burst.saturating_sub(1)).unwrap_or(i32::MAX);
        let latest = every.checked_mul(others).and_then(|span| at.checked_add_signed(span));
        Self { slot, at, every, latest: latest.unwrap_or(at) }
    }
}

fn slot<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> u32 {
    let [first, second, third, fourth, ..] = fingerprint(parts);
    u32::from_be_bytes([first, second, third, fourth]) % SLOTS
}

/// The attempts of late; cheap to clone.
#[derive(Clone)]
pub struct Attempts {
    pub(crate) store: Arc<dyn AttemptStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: Arc<Settings>,
}

impl Attempts {
    /// One more of a caller under a name. One that is refused to the caller takes nothing from others.
    pub async fn attempt(&self, name: &str, caller: &str) -> Result<()> {
        let (now, Settings { sign_ins_per_caller, sign_ins_per_name, .. }) =
            (self.clock.now(), &*self.settings);
        self.count(&Attempt::of(caller, name, *sign_ins_per_caller, now)).await?;
        self.count(&Attempt::under(name, *sign_ins_per_name, now)).await
    }

    async fn count(&self, attempt: &Attempt) -> Result<()> {
        let Some(free_at) = self.store.attempt(attempt).await? else { return Ok(()) };
        let seconds = (free_at - attempt.latest).num_seconds() + 1;
        let why = format!("this name was tried too often; try again in {seconds} seconds");
        Err(Problem::new(Code::RateLimited, why))
    }

    /// Writes a row that counts for nobody; fails where nothing can be written.
    pub async fn try_writing(&self) -> Result<()> {
        let pace = Pace { burst: 1, every: std::time::Duration::ZERO };
        let nobody = Attempt::in_slot(SLOTS, pace, self.clock.now());
        Ok(self.store.attempt(&nobody).await.map(drop)?)
    }
}
