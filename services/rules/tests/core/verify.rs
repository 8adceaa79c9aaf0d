//! A finished log and the commitment that was shown: everything that was changed is found, and
//! the error says where.

use crate::json_edit::with_raw;
use crate::samples::{all, check, counter, dare, kalah, letters};
use crate::toys::played::Played;
use crate::toys::registry;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::seed::{Commitment, Seed};
use serde_json::Value;

fn value_of(played: &Played) -> Value {
    serde_json::from_str(&played.finished().to_json().unwrap()).unwrap()
}

#[track_caller]
fn found(played: &Played, place: &str, raw: &str) -> (String, String) {
    let error = check(&with_raw(&value_of(played), place, raw), &registry(), played).unwrap_err();
    (error.place, error.why)
}

#[test]
fn l6_the_commitment_is_the_sha_256_of_the_seed() {
    for (seed, expected) in [
        ([0; 32], "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"),
        ([0xff; 32], "af9613760f72635fbdb44a5a0a63c39f12af30f950a6ee5c971be188e89c4051"),
    ] {
        let commitment = Seed::new(seed).commitment();
        assert_eq!(commitment.to_string(), expected);
        assert_eq!(expected.parse(), Ok(commitment));
        assert!(commitment.matches(&expected.parse().unwrap()));
        assert!(expected.to_uppercase().parse::<Commitment>().is_err());
        assert!(expected[1..].parse::<Commitment>().is_err());
        assert!(format!("{expected}00").parse::<Commitment>().is_err());
    }
}

#[test]
fn l7_another_seed_is_refused() {
    for played in all() {
        let seed = value_of(&played)["seed"].as_str().unwrap().to_owned();
        for digit in [0, 31, 63] {
            let mut digits = seed.clone().into_bytes();
            digits[digit] = if digits[digit] == b'0' { b'1' } else { b'0' };
            let other = format!("{:?}", String::from_utf8(digits).unwrap());
            assert_eq!(found(&played, "/seed", &other).0, "seed");
        }
        let other = Seed::new([99; 32]).commitment();
        let error = registry().verify(&played.finished(), &other).err().unwrap();
        assert_eq!(error.to_string(), "invalid game at seed: not the seed that was committed to");
    }
}

#[test]
fn l7_a_changed_move_is_found() {
    let empty_pit = found(&kalah(), "/moves/3/move/pit", "4");
    assert_eq!(empty_pit, ("move 4".into(), "the pit is empty, sow one that holds seeds".into()));
    assert_eq!(found(&dare(), "/moves/0/move/dice", "4").0, "move 1");
    assert_eq!(found(&letters(), "/moves/0/move", r#"{"lay":"zz"}"#).0, "move 1");
    assert_eq!(found(&letters(), "/moves/2/move", "\"pass\"").0, "move 3");
    assert_eq!(found(&counter(1), "/moves/1/move", r#""roll""#).0, "move 2");
}

#[test]
fn l7_another_seat_is_found() {
    assert_eq!(found(&kalah(), "/moves/2/seat", "0").0, "move 3");
    assert_eq!(found(&kalah(), "/moves/4/move/time", "2").0, "move 5");
    assert_eq!(found(&dare(), "/moves/1/seat", "1").0, "move 2");
}

#[test]
fn l7_another_order_is_found() {
    for (played, one, other) in [(kalah(), 1, 2), (letters(), 0, 1), (dare(), 2, 3)] {
        let mut value = value_of(&played);
        let moves = value["moves"].as_array_mut().unwrap();
        moves.swap(one, other);
        let error = check(&value.to_string(), &registry(), &played).unwrap_err();
        assert_eq!(error.place, format!("moves[{one}].number"));

        let moves = value["moves"].as_array_mut().unwrap();
        for (number, logged) in (1..).zip(moves) {
            logged["number"] = Value::from(number);
        }
        let error = check(&value.to_string(), &registry(), &played).unwrap_err();
        assert!(error.place.starts_with("move "), "{error}");
    }
}

#[test]
fn l7_moves_too_few_or_too_many_are_found() {
    for played in all() {
        let mut value = value_of(&played);
        let moves = value["moves"].as_array_mut().unwrap();
        let mut last = moves.last().unwrap().clone();
        last["number"] = Value::from(moves.len() + 1);
        moves.push(last);
        let error = check(&value.to_string(), &registry(), &played).unwrap_err();
        assert_eq!(error.place, format!("move {}", played.moves().len() + 1));
        assert_eq!(error.why, "the game is over, no move can be made");

        let moves = value["moves"].as_array_mut().unwrap();
        moves.truncate(moves.len() - 2);
        let error = check(&value.to_string(), &registry(), &played).unwrap_err();
        assert_eq!(error.to_string(), "invalid game at moves: the game is not over after the last move");
    }
}

#[test]
fn l7_other_options_seats_and_first_seat_are_found() {
    assert_eq!(found(&kalah(), "/options/seeds", "7").0, "options.seeds");
    assert_eq!(found(&dare(), "/options/rounds", "1").0, "move 4");
    assert_eq!(found(&dare(), "/options/rounds", "3").0, "moves");
    assert_eq!(found(&letters(), "/options/variant", "\"short\"").0, "move 1");
    assert_eq!(found(&letters(), "/options/words", "\"judged\"").0, "move 2");
    assert_eq!(found(&kalah(), "/firstSeat", "1").0, "move 1");
    assert_eq!(found(&letters(), "/firstSeat", "0").0, "move 1");
}

#[test]
fn l8_another_game_version_format_or_chance_is_refused() {
    for played in all() {
        assert_eq!(found(&played, "/game", "\"chess\"").0, "game");
        assert_eq!(found(&played, "/version", "9").0, "version");
        assert_eq!(found(&played, "/format", "2").0, "format");
        assert_eq!(found(&played, "/chance", "2").0, "chance");
    }
    // A game that is known, but not the one that was played.
    let (place, why) = found(&dare(), "/game", "\"letters\"");
    assert_eq!((place.as_str(), why.contains("rounds")), ("options.rounds", true), "{why}");
}

#[test]
fn l8_a_move_that_draws_where_it_did_not_is_refused_and_the_reverse() {
    for played in all() {
        for logged in played.moves() {
            let place = format!("/moves/{}/drew", logged.number - 1);
            let (number, why) = found(&played, &place, if logged.drew { "false" } else { "true" });
            assert_eq!(number, format!("move {}", logged.number));
            assert_eq!(
                why,
                if logged.drew { "draws at random but did not" } else { "drew at random but does not" }
            );
        }
    }
}

#[test]
fn l7_the_log_says_who_sat_where_and_no_more() {
    let text = dare().finished().to_json().unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let mut names: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    let known =
        ["chance", "firstSeat", "format", "game", "moves", "options", "seats", "seed", "table", "version"];
    assert_eq!(names, known);
    assert_eq!(
        value["seats"].to_string(),
        r#"[{"kind":"player"},{"kind":"player"},{"kind":"robot","level":3}]"#
    );
    assert_eq!(FinishedLog::from_json(&text).unwrap().sitters().len(), 3);
}
