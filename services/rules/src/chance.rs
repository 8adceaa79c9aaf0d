//! Chance: every random value of a table, from its seed and a place in the log alone.
//!
//! The algorithms here are frozen by golden vectors (chance version 1). They use nothing of
//! `rand` but the raw words of `ChaCha20`, whose values never change.
//!
//! - The words are those of `ChaCha20` (20 rounds, 64-bit counter from 0), key = the 32 seed
//!   bytes, stream = the place: 0 for the setup, then the number of the move.
//! - A range of one value consumes nothing. Any other range of `n` values takes 64-bit words
//!   (two words of `ChaCha20`, the low one first), drops those at or above the largest multiple
//!   of `n`, and gives the remainder by `n`.
//! - A pick is the element at a range over the indexes. A shuffle walks from the last index
//!   down to 1 and swaps each with one at or below it.

use crate::seed::Seed;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::ops::RangeInclusive;

/// The version of the algorithms in this file, kept in every log.
pub const CHANCE_VERSION: u32 = 1;

/// The random values of one place in a log.
pub struct Chance<'s> {
    key: &'s [u8; 32],
    place: u64,
    words: Option<ChaCha20Rng>,
    drew: bool,
}

impl<'s> Chance<'s> {
    /// The chance of one place: 0 is the setup, then the number of the move.
    pub fn of_step(seed: &'s Seed, place: u64) -> Self {
        Self { key: seed.expose(), place, words: None, drew: false }
    }

    /// Chance that is fed with entropy instead of a table's seed: the draw and robots.
    pub fn of_entropy(entropy: &'s [u8; 32]) -> Self {
        Self { key: entropy, place: 0, words: None, drew: false }
    }

    /// True once any value was asked for, also from a range of one.
    pub const fn drew(&self) -> bool {
        self.drew
    }

    /// An integer of the range, each equally likely. An empty range gives its start.
    pub fn int(&mut self, range: RangeInclusive<i64>) -> i64 {
        let (low, high) = range.into_inner();
        let width = u64::try_from(i128::from(high) - i128::from(low)).unwrap_or(0);
        low.wrapping_add_unsigned(self.below_or_at(width))
    }

    /// An index below `len`; 0 if `len` is 0.
    pub fn index(&mut self, len: usize) -> usize {
        self.below_or_at(len.saturating_sub(1) as u64) as usize
    }

    /// One of the items, each equally likely; none if there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        let index = self.index(items.len());
        items.get(index)
    }

    /// Puts the items in an order of which each is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.drew = true;
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }

    /// The standard generator, for a library that takes one.
    pub fn rng(&mut self) -> &mut (impl Rng + use<'s>) {
        self.drew = true;
        self.words()
    }

    /// A value of `0..=top` without bias.
    fn below_or_at(&mut self, top: u64) -> u64 {
        self.drew = true;
        if top == 0 {
            return 0;
        }
        let Some(count) = top.checked_add(1) else { return self.words().next_u64() };
        // 2^64 modulo count: how many words at the top would make the low values too likely.
        let excess = (u64::MAX % count + 1) % count;
        loop {
            let word = self.words().next_u64();
            if word <= u64::MAX - excess {
                return word % count;
            }
        }
    }

    fn words(&mut self) -> &mut ChaCha20Rng {
        let (key, place) = (self.key, self.place);
        self.words.get_or_insert_with(|| {
            let mut words = ChaCha20Rng::from_seed(*key);
            words.set_stream(place);
            words
        })
    }
}
