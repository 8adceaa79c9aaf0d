//! Each value of a range is equally likely, and what counts as drawn.

use crate::statistics::{SIGNIFICANCE, uniform_likelihood};
use astragal_rules::chance::Chance;
use astragal_rules::seed::Seed;
use rand_core::Rng;
use std::ops::RangeInclusive;

const SEED: Seed = Seed::new([7; 32]);

/// How often 100,000 values of the range fall into each of `cells` equal parts of it.
fn spread(range: &RangeInclusive<i64>, cells: u128) -> Vec<u64> {
    let low = i128::from(*range.start());
    let width = (i128::from(*range.end()) - low + 1) as u128;
    let mut chance = Chance::of_step(&SEED, 3);
    let mut counts = vec![0; cells as usize];
    for _ in 0..100_000 {
        let value = chance.int(range.clone());
        assert!(range.contains(&value), "{value} is not of {range:?}");
        let above = (i128::from(value) - low) as u128;
        counts[(above * cells / width) as usize] += 1;
    }
    counts
}

#[test]
fn l4_small_ranges_are_uniform() {
    for count in [2, 3, 5, 6, 7, 10, 21, 52, 100] {
        let likelihood = uniform_likelihood(&spread(&(1..=count), count as u128));
        assert!(likelihood > SIGNIFICANCE, "a range of {count}: {likelihood}");
    }
}

/// A remainder without rejection would double the first third of such a range.
#[test]
fn l4_ranges_near_the_size_of_a_word_are_uniform() {
    for range in [i64::MIN..=(1 << 62) - 1, i64::MIN..=0, i64::MIN..=i64::MAX, -(1 << 61)..=1 << 62] {
        let likelihood = uniform_likelihood(&spread(&range, 24));
        assert!(likelihood > SIGNIFICANCE, "{range:?}: {likelihood}");
    }
}

#[test]
fn l4_every_order_of_a_shuffle_is_equally_likely() {
    let mut chance = Chance::of_step(&SEED, 4);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..120_000 {
        let mut items = [0, 1, 2, 3];
        chance.shuffle(&mut items);
        *counts.entry(items).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 24, "every order comes up");
    let likelihood = uniform_likelihood(&counts.into_values().collect::<Vec<u64>>());
    assert!(likelihood > SIGNIFICANCE, "{likelihood}");
}

/// Neighbouring places and seeds have nothing in common.
#[test]
fn l4_places_are_independent() {
    let mut counts = [0; 36];
    for place in 0..36_000 {
        let first = Chance::of_step(&SEED, place).int(0..=5);
        let second = Chance::of_step(&SEED, place + 1).int(0..=5);
        counts[(first * 6 + second) as usize] += 1;
    }
    assert!(uniform_likelihood(&counts) > SIGNIFICANCE, "{counts:?}");
}

#[test]
fn l4_a_range_of_one_consumes_nothing_but_counts_as_drawn() {
    type Ask = fn(&mut Chance) -> bool;
    let asks: [Ask; 7] = [
        |chance| chance.int(5..=5) == 5,
        #[expect(clippy::reversed_empty_ranges, reason = "an empty range gives its start")]
        |chance| chance.int(5..=4) == 5,
        |chance| chance.index(1) == 0,
        |chance| chance.pick(&["only"]) == Some(&"only"),
        |chance| chance.pick::<u8>(&[]).is_none(),
        |chance| {
            chance.shuffle(&mut ["only"]);
            true
        },
        |chance| {
            chance.shuffle::<u8>(&mut []);
            true
        },
    ];
    let first_word = Chance::of_step(&SEED, 9).rng().next_u64();
    for (index, ask) in asks.into_iter().enumerate() {
        let mut chance = Chance::of_step(&SEED, 9);
        assert!(!chance.drew(), "nothing was asked for yet");
        assert!(ask(&mut chance), "ask {index}: the one value that there is");
        assert!(chance.drew(), "ask {index} counts as drawn");
        assert_eq!(chance.rng().next_u64(), first_word, "ask {index} consumed a word");
    }
}

#[test]
fn l4_every_method_counts_as_drawn() {
    type Ask = fn(&mut Chance);
    let asks: [Ask; 5] = [
        |chance| _ = chance.int(1..=6),
        |chance| _ = chance.index(6),
        |chance| _ = chance.pick(&[1, 2]),
        |chance| chance.shuffle(&mut [1, 2]),
        |chance| _ = chance.rng(),
    ];
    for ask in asks {
        let mut chance = Chance::of_step(&SEED, 0);
        ask(&mut chance);
        assert!(chance.drew());
    }
}
