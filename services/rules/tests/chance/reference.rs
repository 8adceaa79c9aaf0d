//! The algorithms of chance once more, written from the header of `chance.rs` in the plainest
//! way, over single 32-bit words.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

pub(crate) struct Reference(ChaCha20Rng);

impl Reference {
    pub(crate) fn new(key: [u8; 32], place: u64) -> Self {
        let mut words = ChaCha20Rng::from_seed(key);
        words.set_stream(place);
        Self(words)
    }

    pub(crate) fn u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    pub(crate) fn u64(&mut self) -> u64 {
        let low = self.u32();
        u64::from(self.u32()) << 32 | u64::from(low)
    }

    pub(crate) fn below(&mut self, count: u128) -> u128 {
        assert!(count > 0, "a range has a value");
        if count == 1 {
            return 0;
        }
        let fair = (1 << 64) / count * count;
        loop {
            let word = u128::from(self.u64());
            if word < fair {
                return word % count;
            }
        }
    }

    pub(crate) fn int(&mut self, low: i64, high: i64) -> i64 {
        let (low, high) = (i128::from(low), i128::from(high));
        let above = self.below((high - low + 1) as u128);
        i64::try_from(low + above.cast_signed()).expect("within the range")
    }

    pub(crate) fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            let other = self.below(last as u128 + 1) as usize;
            items.swap(last, other);
        }
        items
    }
}
