//! The chance of a step is that of the seed and its place in the log, whatever was drawn before.

use crate::samples::{open, rack};
use crate::toys::played::{Played, Setting};
use crate::toys::random::{Whim, play_on};
use astragal_rules::chance::Chance;
use astragal_rules::seed::Seed;
use std::collections::BTreeSet;

const LONG: Setting = Setting { options: r#"{"target":1000000}"#, seats: 1, ..Setting::of("counter") };

/// What the next throw of a counter's table gives.
fn throw(played: &mut Played) -> u64 {
    played.play(0, r#""roll""#);
    let view = played.now().view(astragal_rules::game::Viewer::Spectator).unwrap();
    serde_json::from_str::<serde_json::Value>(&view).unwrap()["last"].as_u64().unwrap()
}

#[test]
fn l4_the_same_log_gives_the_same_values() {
    for game in ["dare", "letters"] {
        for seed in 0..20 {
            let play = || {
                let mut played = open(Setting { seed, ..Setting::of(game) });
                play_on(&mut played, &mut Whim::new(seed.into()), 60);
                played
            };
            let (one, other) = (play(), play());
            assert_eq!(one.moves(), other.moves());
            assert_eq!(one.state(), other.state());
        }
    }
}

#[test]
fn l4_earlier_draws_do_not_matter() {
    for before in 0..30 {
        let throws: BTreeSet<u64> = [r#""roll""#, r#"{"add":1}"#, r#"{"add":3}"#]
            .into_iter()
            .map(|earlier| {
                let mut played = open(LONG);
                (0..before).for_each(|_| played.play(0, earlier));
                throw(&mut played)
            })
            .collect();
        assert_eq!(throws.len(), 1, "move {}", before + 1);
    }
}

#[test]
fn l4_the_place_of_a_move_is_its_number() {
    let seed = Seed::new([LONG.seed; 32]);
    let mut played = open(LONG);
    for number in 1..=50 {
        assert_eq!(throw(&mut played), Chance::of_step(&seed, number).index(6) as u64 + 1);
    }
}

#[test]
fn l4_every_place_and_every_seed_has_its_own_values() {
    let series = |seed| {
        let mut played = open(Setting { seed, ..LONG });
        (0..40).map(|_| throw(&mut played)).collect::<Vec<_>>()
    };
    let all: BTreeSet<_> = (0..200).map(series).collect();
    assert_eq!(all.len(), 200);
    assert!(all.iter().all(|throws| (1..=6).all(|face| throws.contains(&face)) || throws.len() == 40));
    assert!(all.iter().all(|throws| throws.iter().collect::<BTreeSet<_>>().len() > 3));
}

#[test]
fn l4_a_move_made_again_after_an_undo_meets_the_same_chance() {
    let mut played = open(LONG);
    played.play(0, r#"{"add":1}"#);
    let first = throw(&mut played);
    let mut again = open(LONG);
    again.play(0, r#"{"add":3}"#);
    again.undo(Some(0)).unwrap();
    again.play(0, r#"{"add":2}"#);
    assert_eq!(throw(&mut again), first);
}

#[test]
fn l4_the_deal_differs_from_seed_to_seed() {
    let deals: BTreeSet<String> = (0..100)
        .map(|seed| {
            let options = r#"{"variant":"long"}"#;
            let played = open(Setting { options, seed, ..Setting::of("letters") });
            rack(&played, 0) + &rack(&played, 1)
        })
        .collect();
    assert!(deals.len() > 95, "{}", deals.len());
}

#[test]
fn l4_drew_says_whether_chance_was_asked() {
    let mut played = open(Setting::of("letters"));
    played.play(0, r#""pass""#);
    assert!(!played.moves()[0].drew);
    let tiles = rack(&played, 1);
    played.play(1, &format!(r#"{{"exchange":"{}"}}"#, &tiles[..1]));
    assert!(played.moves()[1].drew);
    // With an empty bag a word draws nothing.
    while serde_json::from_str::<serde_json::Value>(&played.state()).unwrap()["data"]["bag"] != "" {
        let seat = played.now().turn().acting.unwrap().0;
        let tiles: String = rack(&played, seat);
        let word = spread(&tiles);
        played.play(seat, &word.map_or(r#""pass""#.to_owned(), |word| format!(r#"{{"lay":"{word}"}}"#)));
    }
    let seat = played.now().turn().acting.unwrap().0;
    if let Some(word) = spread(&rack(&played, seat)) {
        played.play(seat, &format!(r#"{{"lay":"{word}"}}"#));
        assert!(!played.moves().last().unwrap().drew);
    }
}

/// Two tiles of a rack that are not the same.
fn spread(tiles: &str) -> Option<String> {
    let first = tiles.chars().next()?;
    let other = tiles.chars().find(|tile| *tile != first)?;
    Some([first, other].iter().collect())
}
