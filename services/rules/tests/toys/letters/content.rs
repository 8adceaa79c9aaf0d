//! What is chosen, kept, moved and seen in letters. It knows no rules.

use super::tiles::Tiles;
use astragal_rules::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    #[default]
    Short,
    Long,
}

#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Words {
    /// A bad word can't be laid.
    #[default]
    Judged,
    /// A bad word stands unless it is challenged.
    Challenged,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub variant: Alphabet,
    pub words: Words,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    pub bag: Tiles,
    /// By seat.
    pub racks: Vec<Tiles>,
    /// By seat.
    pub points: Vec<i32>,
    /// The words on the table.
    pub laid: Vec<String>,
    /// The word that may be challenged, or is.
    #[serde(deserialize_with = "Option::deserialize")]
    pub fresh: Option<Laid>,
    /// Turns without points in a row.
    pub scoreless: u8,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Laid {
    pub seat: Seat,
    pub drawn: Tiles,
    #[serde(deserialize_with = "Option::deserialize")]
    pub challenger: Option<Seat>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Move {
    Lay(String),
    Exchange(String),
    Pass,
    Challenge,
    /// The table's own: whether the challenged word is one.
    Verdict(bool),
}

#[derive(Serialize, JsonSchema)]
pub struct View {
    pub bag: usize,
    /// How many tiles each seat has.
    pub racks: Vec<usize>,
    /// The tiles of the seats that the viewer sees.
    pub tiles: Vec<Option<String>>,
    pub points: Vec<i32>,
    pub laid: Vec<String>,
    pub challengeable: bool,
}

#[derive(Serialize)]
pub struct Notes {
    pub points: Vec<i32>,
    pub drawn: usize,
}
