//! How long a draw takes with a source of entropy that costs nothing, and how long chance takes
//! to set up. Target: a draw of four under 20 microseconds.

use astragal_rules::chance::Chance;
use astragal_rules::draw::Draw;
use astragal_rules::draw::decision::Decision;
use astragal_rules::draw::error::RunError;
use astragal_rules::seed::Seed;
use astragal_rules::tile_set::TileSet;
use astragal_rules::tile_set::{english::ENGLISH, erudit::ERUDIT};
use divan::{Bencher, black_box};
use rand_core::Rng;
use std::convert::Infallible;

fn main() {
    divan::main();
}

/// A whole draw; each pick of it has other entropy.
fn draw(tile_set: &'static TileSet, seats: u8, number: &mut u64) -> Result<Decision, RunError<Infallible>> {
    Draw::run(tile_set, seats, || {
        *number += 1;
        let mut entropy = [0; 32];
        entropy[..8].copy_from_slice(&number.to_le_bytes());
        Ok(entropy)
    })
}

#[divan::bench(args = [2, 3, 4])]
fn english_draw(bencher: Bencher, seats: u8) {
    let mut number = 0;
    bencher.bench_local(|| draw(&ENGLISH, black_box(seats), &mut number));
}

#[divan::bench(args = [2, 3, 4])]
fn erudit_draw(bencher: Bencher, seats: u8) {
    let mut number = 0;
    bencher.bench_local(|| draw(&ERUDIT, black_box(seats), &mut number));
}

#[divan::bench]
fn checking_a_draw_of_four(bencher: Bencher) {
    let decision = draw(&ENGLISH, 4, &mut 0);
    bencher.bench_local(|| decision.as_ref().map(|decision| black_box(decision).check()).is_ok());
}

#[divan::bench]
fn chance_setup_and_one_die(bencher: Bencher) {
    let (seed, mut place) = (Seed::new([7; 32]), 0);
    bencher.bench_local(|| {
        place += 1;
        Chance::of_step(black_box(&seed), place).int(1..=6)
    });
}

#[divan::bench]
fn chance_a_thousand_words(bencher: Bencher) {
    let seed = Seed::new([7; 32]);
    let mut chance = Chance::of_step(&seed, 1);
    bencher.bench_local(|| (0..1_000).fold(0, |words, _| words ^ chance.rng().next_u64()));
}

#[divan::bench]
fn chance_shuffle_of_a_hundred(bencher: Bencher) {
    let seed = Seed::new([7; 32]);
    let mut chance = Chance::of_step(&seed, 1);
    let mut items: Vec<u8> = (0..100).collect();
    bencher.bench_local(|| chance.shuffle(black_box(&mut items)));
}
