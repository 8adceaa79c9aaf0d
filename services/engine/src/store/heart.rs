//! What engines leave in the database to say that they live, and what it tells them in return.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use chrono::TimeDelta;

/// One sign of life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beat {
    /// What the clock of the process shows. A database without a clock of its own takes it.
    pub now: Timestamp,
    /// A longer time without any sign of life is an outage.
    pub silence_max: TimeDelta,
    /// Outages that ended before are known.
    pub known_until: Timestamp,
}

/// What the database answers to a sign of life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beaten {
    /// The time of the database; none: it has no clock.
    pub at: Option<Timestamp>,
    /// The outages that ended after those that are known, oldest first.
    pub outages: Vec<Outage>,
}

/// A time in which no engine lived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// The last sign of life before it.
    pub began_at: Timestamp,
    /// The first one after it.
    pub ended_at: Timestamp,
}

/// A game that somebody wants to abort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abort {
    /// Who.
    pub account: AccountId,
    /// Which.
    pub table: TableId,
    /// When.
    pub at: Timestamp,
    /// Aborts from before count no more.
    pub since: Timestamp,
    /// How many may count.
    pub aborts_max: u8,
}
