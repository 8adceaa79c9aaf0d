//! A board in plain numbers: what everyone at a table sees, and the form in which it is kept.
//! Nothing in kalah is hidden. Any numbers fit in here; only a [`Board`] has been checked.

use crate::kalah::board::{Board, SEEDS};
use crate::kalah::pit::{PITS, Pit, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pits and stores by seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The seeds in each pit, from its owner's left.
    pub pits: [[u8; PITS]; 2],
    /// The seeds in each store.
    pub stores: [u8; 2],
}

/// The numbers are those of no game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} seeds lie on the board, a game has 3 to 6 for each of the 12 pits")]
pub struct WrongSeeds(pub u32);

impl From<Board> for View {
    fn from(board: Board) -> Self {
        let row = |side| Pit::ALL.map(|pit| board.seeds(side, pit));
        Self { pits: [row(Side::South), row(Side::North)], stores: board.stores() }
    }
}

impl TryFrom<View> for Board {
    type Error = WrongSeeds;

    fn try_from(view: View) -> Result<Self, WrongSeeds> {
        let places = view.pits.as_flattened().iter().chain(&view.stores);
        let seeds: u32 = places.map(|place| u32::from(*place)).sum();
        let pits = 2 * PITS as u32;
        if seeds.is_multiple_of(pits) && SEEDS.contains(&((seeds / pits) as u8)) {
            Ok(Self::place(view.pits, view.stores))
        } else {
            Err(WrongSeeds(seeds))
        }
    }
}
