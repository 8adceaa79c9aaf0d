//! A seat that retires while others play on: what it was to do falls to the next, and whoever
//! waited for it goes on.

use crate::samples::{open, rack};
use crate::toys::played::{Played, Setting};
use astragal_rules::outcome::Ending;
use astragal_rules::outcome::SeatResult::{Drawn, Lost, Won};
use astragal_rules::seat::Seat;
use serde_json::Value;

fn seats(played: &Played) -> Vec<u8> {
    played.now().turn().to_move().map(|seat| seat.0).collect()
}

#[test]
fn l13_the_turn_of_who_retires_falls_to_the_next() {
    let mut played = open(Setting { seats: 4, first_seat: 2, ..Setting::of("counter") });
    played.decree(r#"{"left":2}"#);
    assert_eq!(seats(&played), [3]);
    played.decree(r#"{"time":3}"#);
    assert_eq!(seats(&played), [0]);
    played.play(0, r#"{"add":1}"#);
    played.play(1, r#"{"add":1}"#);
    assert_eq!(seats(&played), [0]);
    // Somebody else's leaving does not take the turn from who has it.
    let mut played = open(Setting { seats: 4, first_seat: 2, ..Setting::of("counter") });
    played.decree(r#"{"left":1}"#);
    assert_eq!(seats(&played), [2]);
}

#[test]
fn l13_who_retired_is_last_whatever_its_points() {
    let mut played = open(Setting { seats: 3, options: r#"{"target":6}"#, ..Setting::of("counter") });
    played.play(0, r#"{"add":3}"#);
    played.decree(r#"{"resigned":0}"#);
    played.play(1, r#"{"add":1}"#);
    played.play(2, r#"{"add":2}"#);
    let outcome = played.now().outcome().unwrap();
    assert_eq!((&*outcome.results, &*outcome.scores), (&[Lost, Lost, Won][..], &[3, 1, 2][..]));
}

#[test]
fn l13_who_retired_shares_no_first_place() {
    let mut played = open(Setting { seats: 3, options: r#"{"target":5}"#, ..Setting::of("counter") });
    played.play(0, r#"{"add":2}"#);
    played.decree(r#"{"left":0}"#);
    played.play(1, r#"{"add":1}"#);
    played.play(2, r#"{"add":2}"#);
    let outcome = played.now().outcome().unwrap();
    assert_eq!((&*outcome.results, &*outcome.scores), (&[Lost, Lost, Won][..], &[2, 1, 2][..]));
    let ending = Ending::by_scores(vec![5, 3, 5, 5], &[Seat(3), Seat(0), Seat(1)]);
    assert_eq!(ending.results, [Drawn, Lost, Lost, Drawn]);
}

#[test]
fn l13_a_round_that_waited_for_who_left_is_thrown() {
    let mut played = open(Setting { seats: 3, first_seat: 1, ..Setting::of("dare") });
    assert_eq!(seats(&played), [0, 1, 2]);
    played.play(2, r#"{"dice":1}"#);
    played.play(0, r#"{"dice":2}"#);
    assert_eq!((seats(&played), played.now().turn().initiative), (vec![1], Some(Seat(1))));
    played.decree(r#"{"left":1}"#);
    let logged = played.moves().last().unwrap();
    assert!(logged.drew, "the dice were thrown by the move of the table");
    let state: Value = serde_json::from_str(&played.state()).unwrap();
    let thrown: Vec<usize> =
        (0..3).map(|seat| state["data"]["dice"][seat].as_array().unwrap().len()).collect();
    assert_eq!(thrown, [2, 0, 1]);
    // The lead was the leaver's: it fell to seat 2, and passes on with the round.
    assert_eq!((seats(&played), played.now().turn().initiative), (vec![0, 2], Some(Seat(0))));
}

#[test]
fn l13_a_round_goes_on_waiting_for_the_others() {
    let mut played = open(Setting { seats: 4, ..Setting::of("dare") });
    played.play(3, r#"{"dice":1}"#);
    played.decree(r#"{"left":3}"#);
    played.decree(r#"{"left":0}"#);
    assert_eq!(seats(&played), [1, 2]);
    assert!(played.moves().iter().all(|logged| !logged.drew));
}

#[test]
fn l13_a_challenge_falls_with_who_made_it() {
    let options = r#"{"words":"challenged","variant":"long"}"#;
    for (leaves, next) in [(1, 2), (0, 1), (2, 1)] {
        let mut played = open(Setting { seats: 3, options, ..Setting::of("letters") });
        let word = rack(&played, 0)[..2].to_owned();
        played.play(0, &format!(r#"{{"lay":"{word}"}}"#));
        played.play(1, r#""challenge""#);
        assert_eq!((seats(&played), played.now().turn().phase), (vec![], "verdict"));
        played.decree(&format!(r#"{{"left":{leaves}}}"#));
        assert_eq!((seats(&played), played.now().turn().phase), (vec![next], "play"));
        assert_eq!(played.now().automatic(&crate::toys::NoTwins), Ok(None));
        assert!(rack(&played, leaves).is_empty(), "the tiles are in the bag again");
    }
}
