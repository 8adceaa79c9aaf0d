//! The board as other engines number it: a ring of 14 places, North's store 0, South's pits
//! 1 to 6, South's store 7, North's pits 8 to 13.

use astragal_rules::kalah::board::Board;
use astragal_rules::kalah::pit::{Pit, Side};
use astragal_rules::kalah::view::View;

/// The seeds in each place of the ring.
pub(crate) fn ring(board: &Board) -> [u8; 14] {
    let View { pits: [south, north], stores: [south_store, north_store] } = (*board).into();
    let mut ring = [0; 14];
    ring[0] = north_store;
    ring[1..7].copy_from_slice(&south);
    ring[7] = south_store;
    ring[8..].copy_from_slice(&north);
    ring
}

/// The pit at a place of the ring, and whose it is.
pub(crate) fn pit_at(place: u8) -> (Side, Pit) {
    let (side, number) = if place < 7 { (Side::South, place) } else { (Side::North, place - 7) };
    (side, Pit::try_from(number).expect("a place of the ring that is a pit"))
}

/// The place on the ring of a side's pit.
pub(crate) fn place_of(side: Side, pit: Pit) -> u8 {
    u8::from(pit) + if side == Side::South { 0 } else { 7 }
}
