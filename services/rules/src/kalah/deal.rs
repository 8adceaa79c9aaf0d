//! What a sow adds to the board: for each pit and number of seeds, worked out once by the
//! compiler. A sow is then two additions, however many seeds go around.

use crate::kalah::pit::{PITS, Pit};

/// A row of the board in one word: a byte for each pit from the left, then one for the store.
/// The bytes never overflow into each other, because a board holds at most [`SEEDS_MAX`] seeds.
pub(super) type Row = u64;

/// The byte of the store in a row.
pub(super) const STORE: usize = PITS;

/// The most seeds that lie on a board, and so in a pit.
pub(super) const SEEDS_MAX: usize = 72;

/// The way of a sow: the own pits, the own store, the pits across; never the store across.
const CIRCLE: usize = 2 * PITS + 1;

/// One seed in the place of a row.
pub(super) const fn seed(place: usize) -> Row {
    1 << (8 * place)
}

/// The seeds of one pit, dealt around.
#[derive(Clone, Copy)]
pub(super) struct Deal {
    /// What the sower's row gains.
    pub(super) own: Row,
    /// What the row across gains.
    pub(super) across: Row,
    /// Where the last seed falls, as a place on the circle: below [`STORE`] an own pit, above it
    /// a pit across.
    pub(super) last: usize,
}

impl Deal {
    /// The deal of so many seeds from a pit.
    pub(super) const fn of(pit: Pit, seeds: u8) -> &'static Self {
        &DEALS[pit.index()][seeds as usize]
    }

    /// One seed more than this deal.
    const fn with_one_more(self) -> Self {
        let last = (self.last + 1) % CIRCLE;
        if last <= STORE {
            Self { own: self.own + seed(last), last, ..self }
        } else {
            Self { across: self.across + seed(last - STORE - 1), last, ..self }
        }
    }
}

static DEALS: [[Deal; SEEDS_MAX + 1]; PITS] = {
    let mut deals = [[Deal { own: 0, across: 0, last: 0 }; SEEDS_MAX + 1]; PITS];
    let mut pit = 0;
    while pit < PITS {
        deals[pit][0].last = pit;
        let mut seeds = 0;
        while seeds < SEEDS_MAX {
            deals[pit][seeds + 1] = deals[pit][seeds].with_one_more();
            seeds += 1;
        }
        pit += 1;
    }
    deals
};
