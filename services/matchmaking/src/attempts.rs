//! How often somebody may try to sign in under one name, whether anybody has that name or not.
//!
//! It holds over all processes, and what is kept of it is an instant for each slot of names. Addresses are counted by
//! gateways.

use std::sync::Arc;

use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Code, Problem, Result};
use chrono::Duration;

use crate::fingerprint::fingerprint;
use crate::settings::Pace;
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
        let [first, second, third, fourth, ..] = fingerprint([b"sign-in", name.as_bytes()]);
        let slot = u32::from_be_bytes([first, second, third, fourth]) % SLOTS;
        let every = Duration::from_std(pace.every).map_or(EVERY_MAX, |every| every.min(EVERY_MAX));
        let others = i32::try_from(pace.burst.saturating_sub(1)).unwrap_or(i32::MAX);
        let latest = every.checked_mul(others).and_then(|span| at.checked_add_signed(span));
        Self { slot, at, every, latest: latest.unwrap_or(at) }
    }
}

/// The attempts of late; cheap to clone.
#[derive(Clone)]
pub struct Attempts {
    pub(crate) store: Arc<dyn AttemptStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) pace: Pace,
}

impl Attempts {
    /// One more under a name.
    pub async fn attempt(&self, name: &str) -> Result<()> {
        let attempt = Attempt::under(name, self.pace, self.clock.now());
        if self.store.attempt(&attempt).await? {
            return Ok(());
        }
        let why = "this name was tried too often; wait some minutes and try again";
        Err(Problem::new(Code::RateLimited, why))
    }
}
