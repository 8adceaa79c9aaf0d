//! What is kept of attempts to sign in.

use astragal_runtime::clock::Timestamp;
use async_trait::async_trait;

use crate::attempts::Attempt;
use crate::error::Result;

/// Attempts to sign in, in the database of the role.
#[async_trait]
pub trait AttemptStore: Send + Sync {
    /// Counts an attempt. One that is too many changes nothing, and is told until when those before it count.
    async fn attempt(&self, attempt: &Attempt) -> Result<Option<Timestamp>>;

    /// Forgets the slots that are free by an instant, and counts them.
    async fn forget_attempts(&self, free_at: Timestamp) -> Result<u64>;
}

/// One statement, so that of many attempts at once no more count than may.
///
/// `$1`: the slot, `$2`: the instant, `$3`: how long it counts, `$4`: the latest instant until which those before it may
/// count. The larger of two values is called otherwise in each database.
macro_rules! count_attempt {
    ($larger:literal) => {
        concat!(
            "INSERT INTO sign_in_attempts AS slots (slot, free_at) VALUES ($1, $2 + $3)
             ON CONFLICT (slot) DO UPDATE SET free_at = ",
            $larger,
            "(slots.free_at, $2) + $3 WHERE slots.free_at <= $4 RETURNING slot"
        )
    };
}

/// Until when the attempts in a slot count.
macro_rules! counts_until {
    () => {
        "SELECT free_at FROM sign_in_attempts WHERE slot = $1"
    };
}

pub(super) use {count_attempt, counts_until};
