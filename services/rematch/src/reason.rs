//! Why a rematch will not be, in the words of the protocol.

use serde::{Deserialize, Serialize};

/// Why a request for a rematch has ended, or could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Somebody said no.
    Declined,
    /// Who had asked took it back.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
    /// A player is not there.
    Offline,
    /// A player has turned to another game.
    Left,
    /// There is nothing to ask for: too late, or the players play on elsewhere already.
    Closed,
}

impl Reason {
    /// The word of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
            Self::Offline => "offline",
            Self::Left => "left",
            Self::Closed => "closed",
        }
    }
}
