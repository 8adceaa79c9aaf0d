//! The draw: who may draw, what a tie does, where everyone sits, and that it is fair.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "what goes wrong in a test fails it")]
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "the numbers of a test are small")]

mod among;
#[path = "../data/mod.rs"]
mod data;
mod fairness;
mod golden;
mod machine;
mod properties;
mod record;
mod script;
mod seats;
#[path = "../statistics/mod.rs"]
mod statistics;
mod ties;
mod tile_sets;
mod wrong;

use astragal_rules::draw::Draw;
use astragal_rules::draw::decision::Decision;
use astragal_rules::tile_set::TileSet;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::convert::Infallible;

/// A source of entropy that is the same in every run.
struct FixedSource(ChaCha20Rng);

impl FixedSource {
    fn new(number: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(number))
    }

    fn entropy(&mut self) -> [u8; 32] {
        let mut entropy = [0; 32];
        self.0.fill_bytes(&mut entropy);
        entropy
    }

    /// A whole draw with the next entropies.
    fn draw(&mut self, tile_set: &'static TileSet, participants: u8) -> Decision {
        Draw::run(tile_set, participants, || Ok::<_, Infallible>(self.entropy())).expect("a leader")
    }
}

/// A shipped tile set.
fn tile_set(name: &str) -> &'static TileSet {
    TileSet::named(name).expect("a shipped tile set")
}
