//! How well the robots play: four hundred games of each pair of levels next to each other.

use crate::table;
use crate::toys::played::{Played, Setting};
use crate::toys::random::Whim;
use crate::words;
use astragal_rules::registry::Registry;

const GAMES: u8 = 200;

/// Points of the better level, a draw counting half, out of a hundred.
fn percent(registry: &Registry, better: u8, other: u8) -> f64 {
    let judge = words::english();
    let mut half_points = 0;
    for seat in 0..2 {
        for seed in 0..GAMES {
            let mut whim = Whim::new(u64::from(seed) << 8 | u64::from(seat));
            let first_seat = seed % 2;
            let mut played = Played::open(registry, Setting { first_seat, seed, ..Setting::of("crossword") });
            while played.now().outcome().is_none() {
                let mover = played.now().turn().acting.expect("a seat to move");
                let level = if mover.0 == seat { better } else { other };
                let action = played.now().robot_move(mover, level, &whim.entropy()).unwrap().expect("a move");
                played
                    .step(Some(mover.0), &action, &judge)
                    .unwrap_or_else(|error| panic!("{action}: {error}"));
            }
            let scores = &played.now().outcome().unwrap().scores;
            half_points += match scores[usize::from(seat)].cmp(&scores[usize::from(1 - seat)]) {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            };
        }
    }
    f64::from(half_points) * 100.0 / f64::from(4 * u16::from(GAMES))
}

fn check(better: u8) {
    let percent = percent(&table::registry(), better, better - 1);
    assert!(percent >= 60.0, "level {better} has only {percent} of 100 points against the one below");
}

#[test]
fn crossword_robot_2_beats_robot_1() {
    check(2);
}

#[test]
fn crossword_robot_3_beats_robot_2() {
    check(3);
}

#[test]
fn crossword_robot_4_beats_robot_3() {
    check(4);
}

#[test]
fn crossword_robot_5_beats_robot_4() {
    check(5);
}
