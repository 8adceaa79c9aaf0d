//! How a game ended: results by seat, the reason, the scores.

use crate::seat::Seat;
use serde::{Deserialize, Serialize};

/// The result of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatResult {
    /// This seat won.
    Won,
    /// Another seat won.
    Lost,
    /// Shared first with others.
    Drawn,
    /// The game has no result.
    None,
}

impl SeatResult {
    /// The word of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::None => "none",
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// By the rules.
    Finished,
    /// A seat ran out of time.
    Time,
    /// A seat gave up.
    Resigned,
    /// A seat left.
    Left,
    /// Ended without a result.
    Aborted,
}

impl EndReason {
    /// The word of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Time => "time",
            Self::Resigned => "resigned",
            Self::Left => "left",
            Self::Aborted => "aborted",
        }
    }

    /// The reason of a word, if it is one.
    pub fn named(word: &str) -> Option<Self> {
        let all = [Self::Finished, Self::Time, Self::Resigned, Self::Left, Self::Aborted];
        all.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// What the rules of a game say at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// By seat.
    pub results: Vec<SeatResult>,
    /// By seat, in the game's points.
    pub scores: Vec<i32>,
}

impl Ending {
    /// The highest score among the seats that still play wins; who shares it draws; seats that
    /// retired are last.
    pub fn by_scores(scores: Vec<i32>, playing: &[Seat]) -> Self {
        let score_of = |seat: &Seat| scores.get(seat.index()).copied();
        let best = playing.iter().filter_map(score_of).max();
        let leads = |seat: &Seat| score_of(seat) == best;
        let shared = playing.iter().filter(|seat| leads(seat)).count() > 1;
        let results = (0..scores.len() as u8)
            .map(|seat| match playing.contains(&Seat(seat)) && leads(&Seat(seat)) {
                true if shared => SeatResult::Drawn,
                true => SeatResult::Won,
                false => SeatResult::Lost,
            })
            .collect();
        Self { results, scores }
    }
}

/// How a table ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// By seat.
    pub results: Vec<SeatResult>,
    /// Why.
    pub reason: EndReason,
    /// By seat, in the game's points.
    pub scores: Vec<i32>,
}

impl Outcome {
    /// The one seat that won, if one did.
    pub fn winner(&self) -> Option<Seat> {
        let place = self.results.iter().position(|result| *result == SeatResult::Won)?;
        Some(Seat(place as u8))
    }
}
