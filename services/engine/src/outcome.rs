//! How a table ended, as the store keeps it: the outcome of the rules, or a crash.

use astragal_proto::engine::v1 as wire;
use astragal_rules::outcome::{EndReason, Outcome, SeatResult};
use serde::{Deserialize, Serialize};

/// Why a table ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// By the rules of the game.
    Finished,
    /// A seat ran out of time.
    Time,
    /// A seat gave up.
    Resigned,
    /// A seat left.
    Left,
    /// Ended without a result.
    Aborted,
    /// The table could not go on.
    Crashed,
}

impl Reason {
    /// The word of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Time => "time",
            Self::Resigned => "resigned",
            Self::Left => "left",
            Self::Aborted => "aborted",
            Self::Crashed => "crashed",
        }
    }
}

impl From<EndReason> for Reason {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::Finished => Self::Finished,
            EndReason::Time => Self::Time,
            EndReason::Resigned => Self::Resigned,
            EndReason::Left => Self::Left,
            EndReason::Aborted => Self::Aborted,
        }
    }
}

/// How a table ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableOutcome {
    /// By seat.
    pub results: Vec<SeatResult>,
    /// Why.
    pub reason: Reason,
    /// By seat, in the game's points.
    pub scores: Vec<i32>,
}

impl TableOutcome {
    /// The end of a table that could not go on: no result, no points.
    pub fn crashed(seats: u8) -> Self {
        let seats = usize::from(seats);
        Self { results: vec![SeatResult::None; seats], reason: Reason::Crashed, scores: vec![0; seats] }
    }

    /// The one seat that won, if one did.
    pub fn winner(&self) -> Option<u32> {
        self.results.iter().position(|result| *result == SeatResult::Won).map(|seat| seat as u32)
    }

    /// The form that travels.
    pub fn to_wire(&self) -> wire::Outcome {
        wire::Outcome {
            results: self.results.iter().map(|result| result.as_str().to_owned()).collect(),
            winner: self.winner(),
            reason: self.reason.as_str().to_owned(),
            scores: self.scores.clone(),
        }
    }
}

impl From<&Outcome> for TableOutcome {
    fn from(outcome: &Outcome) -> Self {
        Self {
            results: outcome.results.clone(),
            reason: outcome.reason.into(),
            scores: outcome.scores.clone(),
        }
    }
}
