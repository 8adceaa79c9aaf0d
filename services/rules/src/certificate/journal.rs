//! What happened at a table, entry by entry, without who asked for it.

use crate::finished_log::Sitter;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One change of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Record {
    /// From 1, without a gap.
    pub revision: u32,
    /// When, in microseconds since 1970.
    pub at_us: i64,
    /// What happened.
    pub event: Event,
    /// SHA-256 of the canonical JSON of the whole state after it, in lower-case hex; none where the state
    /// stayed as it was.
    #[serde(deserialize_with = "Option::deserialize")]
    pub state: Option<String>,
    /// What it cost the seat whose clock ran, in microseconds.
    pub spent_us: i64,
    /// How much of that is not counted, because of the network.
    pub credit_us: i64,
    /// Whose clock runs after it; none: nobody's.
    #[serde(deserialize_with = "Option::deserialize")]
    pub runs: Option<Seat>,
}

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "camelCase")]
pub enum Event {
    /// A move.
    Move {
        /// In the log that stood then.
        number: u32,
        /// Who moved; none: the table itself.
        #[serde(deserialize_with = "Option::deserialize")]
        seat: Option<Seat>,
        /// The move.
        #[serde(rename = "move")]
        action: Value,
        /// Whether it drew at random.
        drew: bool,
    },
    /// The last move was taken back.
    Undo {
        /// Of the move taken away.
        number: u32,
        /// Who took it back; none: the table itself.
        #[serde(deserialize_with = "Option::deserialize")]
        seat: Option<Seat>,
    },
    /// Somebody sat down.
    SeatTaken {
        /// Where.
        seat: Seat,
        /// Who, without saying which person.
        sitter: Sitter,
    },
    /// The clocks stood still from then on.
    ClockStopped {
        /// Why.
        reason: String,
    },
    /// A clock ran again from then on.
    ClockResumed {},
}
