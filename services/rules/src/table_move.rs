//! The moves of the table itself that every game has: endings that are not moves of a seat.
//! They stand in the log, so that a replay ends as the game ended.

use crate::outcome::EndReason;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};

/// A move without a seat, which names the seat it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum TableMove {
    /// The seat ran out of time.
    Time(Seat),
    /// The seat gave up.
    Resigned(Seat),
    /// The seat left.
    Left(Seat),
    /// The game ends without a result.
    Aborted(()),
}

impl TableMove {
    /// The seat that retires, and why; none when the whole game is aborted.
    pub const fn retires(self) -> Option<(Seat, EndReason)> {
        match self {
            Self::Time(seat) => Some((seat, EndReason::Time)),
            Self::Resigned(seat) => Some((seat, EndReason::Resigned)),
            Self::Left(seat) => Some((seat, EndReason::Left)),
            Self::Aborted(()) => None,
        }
    }
}
