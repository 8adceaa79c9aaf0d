//! Finished games that are judged again.

use crate::play_outs::{judge_of, play_out, settings};
use crate::table;
use crate::toys::played::{Played, Setting};
use crate::toys::random::Whim;
use crate::words;
use astragal_rules::crossword::dictionary::Dictionary;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::judging::judge_again;
use astragal_rules::game::AcceptAll;

/// A game of English with some options, by the words of these tests.
fn game(kind: &str, seed: u8) -> Played {
    let wanted = |setting: &Setting| setting.options.contains("english") && setting.options.contains(kind);
    let setting = settings().into_iter().find(wanted).expect("a setting");
    play_out(&table::registry(), Setting { seed, ..setting }, &judge_of(&setting), &mut Whim::new(5))
}

#[test]
fn crossword_judged_again_by_its_own_dictionary_is_good() {
    for seed in 0..20 {
        for kind in [r#""words":"dictionary""#, r#""challenge":"double""#] {
            judge_again(&game(kind, seed).finished(), &words::english())
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn crossword_judged_again_by_another_dictionary_names_the_move() {
    let other = Dictionary::build("other", Variant::English, "", "ZZZ").unwrap();
    let finished = game(r#""words":"dictionary""#, 1).finished();
    let error = judge_again(&finished, &other).expect_err("words that it denies").to_string();
    assert!(
        error.starts_with("invalid game at move ") && error.ends_with(" not in the dictionary"),
        "{error}"
    );

    let mut played = table::played(2, r#"{"challenge":"double"}"#, 9);
    let tiles: String = table::rack(played.now(), 0).chars().filter(|tile| *tile != '?').take(3).collect();
    for (seat, action) in [
        (Some(0), table::play("8G", &tiles)),
        (Some(1), r#"{"challenge":true}"#.to_owned()),
        (None, r#"{"verdict":true}"#.to_owned()),
        (None, r#"{"resigned":1}"#.to_owned()),
    ] {
        played.step(seat, &action, &AcceptAll).unwrap();
    }
    let error = judge_again(&played.finished(), &other).expect_err("a verdict that it denies");
    assert_eq!(error.to_string(), "invalid game at move 3: by this dictionary the verdict is another");
}

#[test]
fn crossword_is_judged_by_a_dictionary_of_its_variant() {
    let russian = Dictionary::build("other", Variant::Russian, "", "дом").unwrap();
    let error =
        judge_again(&game(r#""words":"dictionary""#, 1).finished(), &russian).expect_err("another alphabet");
    assert_eq!(error.to_string(), "invalid game at options.variant: the dictionary is for russian");
}
