//! The bare board: sow, capture, sweep. It knows nothing of turns, tables or who wins.

use crate::kalah::deal::{Deal, Row, STORE, seed};
use crate::kalah::pit::{PITS, Pit, Side};
use crate::kalah::view::View;
use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// How many seeds each pit can hold at the beginning.
pub const SEEDS: RangeInclusive<u8> = 3..=6;

/// The bytes of a row that are pits.
const PITS_OF_ROW: Row = seed(STORE) - 1;

/// A last seed that falls in an empty pit of its own side is banked with those across. This is
/// what happens when there are none across.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Capture {
    /// Nothing: the seed stays in its pit.
    #[default]
    Standard,
    /// The seed alone is banked.
    Empty,
}

/// Pits and stores by seat, with as many seeds as a game has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "View", into = "View")]
pub struct Board {
    rows: [Row; 2],
}

/// What a sow did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sown {
    /// How many seeds a capture banked, the one that made it included; 0 without a capture.
    pub captured: u8,
    /// True if the last seed fell in the own store, which gives another turn.
    pub again: bool,
}

impl Board {
    /// The board of a beginning: so many seeds in each pit, a number of [`SEEDS`].
    pub(super) fn new(seeds: u8) -> Self {
        Self::place([[seeds; PITS]; 2], [0; 2])
    }

    /// Lays out numbers that the caller has checked.
    pub(super) fn place(pits: [[u8; PITS]; 2], stores: [u8; 2]) -> Self {
        let row = |side: Side| {
            let mut row = [0; size_of::<Row>()];
            row[..PITS].copy_from_slice(&pits[side.index()]);
            row[STORE] = stores[side.index()];
            Row::from_le_bytes(row)
        };
        Self { rows: [row(Side::South), row(Side::North)] }
    }

    /// The seeds in a pit.
    pub const fn seeds(&self, side: Side, pit: Pit) -> u8 {
        self.at(side, pit.index())
    }

    /// The seeds in a store.
    pub const fn store(&self, side: Side) -> u8 {
        self.at(side, STORE)
    }

    /// The seeds in both stores, by seat.
    pub const fn stores(&self) -> [u8; 2] {
        [self.store(Side::South), self.store(Side::North)]
    }

    /// The seeds in all pits of a side.
    pub const fn in_play(&self, side: Side) -> u8 {
        let pits = self.rows[side.index()] & PITS_OF_ROW;
        // The top byte of the product is the sum of all bytes.
        (pits.wrapping_mul(Row::MAX / 0xff) >> (Row::BITS - 8)) as u8
    }

    /// The pits of a side that hold seeds, from the left.
    pub fn sowable(&self, side: Side) -> ArrayVec<Pit, PITS> {
        Pit::ALL.into_iter().filter(|pit| self.seeds(side, *pit) > 0).collect()
    }

    /// True if a side has nothing to sow, with which the game ends.
    pub const fn is_over(&self) -> bool {
        self.rows[0] & PITS_OF_ROW == 0 || self.rows[1] & PITS_OF_ROW == 0
    }

    /// Sows a pit of a side and captures if the last seed does; none if the pit is empty.
    pub fn sow(&mut self, side: Side, pit: Pit, capture: Capture) -> Option<Sown> {
        let seeds = self.seeds(side, pit);
        if seeds == 0 {
            return None;
        }
        let deal = Deal::of(pit, seeds);
        let [own, across] = self.rows_from(side);
        *own = *own - Row::from(seeds) * seed(pit.index()) + deal.own;
        *across += deal.across;
        let captured = if deal.last < STORE { self.capture(side, deal.last, capture) } else { 0 };
        Some(Sown { captured, again: deal.last == STORE })
    }

    /// Ends the game if it is over: each side banks what is left in its pits. Gives how many
    /// seeds those were, by seat; none if both sides have some to sow.
    pub fn sweep(&mut self) -> Option<[u8; 2]> {
        if !self.is_over() {
            return None;
        }
        let swept = [self.in_play(Side::South), self.in_play(Side::North)];
        for (row, seeds) in self.rows.iter_mut().zip(swept) {
            *row = (*row & !PITS_OF_ROW) + Row::from(seeds) * seed(STORE);
        }
        Some(swept)
    }

    /// Banks the one seed in the place of a side, with all that is across.
    fn capture(&mut self, side: Side, place: usize, capture: Capture) -> u8 {
        let opposite = PITS - 1 - place;
        let prey = self.at(side.opposite(), opposite);
        if self.at(side, place) != 1 || (prey == 0 && capture == Capture::Standard) {
            return 0;
        }
        let [own, across] = self.rows_from(side);
        *own = *own - seed(place) + Row::from(prey + 1) * seed(STORE);
        *across -= Row::from(prey) * seed(opposite);
        prey + 1
    }

    const fn at(&self, side: Side, place: usize) -> u8 {
        (self.rows[side.index()] >> (8 * place)) as u8
    }

    const fn rows_from(&mut self, side: Side) -> [&mut Row; 2] {
        let [south, north] = &mut self.rows;
        match side {
            Side::South => [south, north],
            Side::North => [north, south],
        }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        View::from(*self).fmt(formatter)
    }
}
