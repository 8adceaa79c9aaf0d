//! What is chosen at the opening, and the moves. It knows no rules.

use crate::crossword::edition::Variant;
use crate::crossword::place::Start;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which words may be laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Words {
    /// Those of the dictionary.
    #[default]
    Dictionary,
    /// Any letters in a line.
    Any,
}

/// What becomes of words that are not in the dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Challenge {
    /// They can't be laid.
    #[default]
    Void,
    /// They stand unless the next seat challenges them. Who challenges good words loses a turn.
    Double,
}

/// What can be chosen at the opening.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Tiles, board and alphabet.
    pub variant: Variant,
    /// Which words may be laid.
    pub words: Words,
    /// What becomes of other words.
    pub challenge: Challenge,
    /// Which dictionary judges; whoever opens the table leaves it out and is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<JudgedBy>,
}

/// What makes a dictionary that one and no other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgedBy {
    /// Its name, for people.
    pub name: String,
    /// The SHA-256 of its file, in lower-case hex.
    pub sha256: String,
}

/// A move of a seat, or the table's verdict on a challenge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Move {
    /// Lays tiles.
    Play(Play),
    /// Puts these tiles back for new ones; `?` is a blank.
    Exchange(String),
    /// Does nothing.
    Pass(Yes),
    /// Doubts the words of the last play.
    Challenge(Yes),
    /// The table's own: true if all words of the challenged play are good.
    Verdict(bool),
}

impl Move {
    /// Does nothing.
    pub const PASS: Self = Self::Pass(Yes);
    /// Doubts the words of the last play.
    pub const CHALLENGE: Self = Self::Challenge(Yes);
}

/// Tiles in a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The square of the first character: `8D` runs across, `D8` down.
    pub at: Start,
    /// A character a square: `.` one that is filled already, a small letter a blank.
    pub tiles: String,
}

/// The value of moves that have nothing to say: `true`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "bool", into = "bool")]
#[schemars(with = "bool", extend("const" = true))]
pub struct Yes;

impl TryFrom<bool> for Yes {
    type Error = &'static str;

    fn try_from(yes: bool) -> Result<Self, &'static str> {
        if yes { Ok(Self) } else { Err("write true, or make another move") }
    }
}

impl From<Yes> for bool {
    fn from(_: Yes) -> Self {
        true
    }
}
