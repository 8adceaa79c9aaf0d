//! After the end nothing changes; and the moves of the table that end a game.

use crate::samples::{all, open};
use crate::toys::NoTwins;
use crate::toys::played::{Played, Setting};
use astragal_rules::error::{IllegalMove, UndoError};
use astragal_rules::machine::StepError;
use astragal_rules::outcome::{EndReason, Outcome, SeatResult};
use astragal_rules::seat::Seat;

use EndReason::{Aborted, Left, Resigned, Time};
use SeatResult::{Lost, None as NoResult, Won};

/// The games that two to four play.
const GAMES: [&str; 3] = ["dare", "letters", "counter"];

fn outcome(played: &Played) -> &Outcome {
    played.now().outcome().expect("a game that is over")
}

#[test]
fn l13_a_finished_table_takes_no_move_and_no_undo() {
    for played in all() {
        let table = played.now();
        for seat in Seat::all(4).map(Some).chain([None]) {
            for logged in played.moves() {
                let step = table.step(seat, &logged.action, &NoTwins).err();
                let refused = match step.unwrap() {
                    StepError::Illegal(error) => error,
                    StepError::Broken(error) => panic!("{error}"),
                };
                let readable = seat.is_none() == logged.seat.is_none();
                assert!(refused == IllegalMove::GameOver || !readable, "{refused}");
            }
            let last = played.moves().last().unwrap();
            assert_eq!(table.check_undo(last, seat), Err(UndoError::GameOver));
            if let Some(seat) = seat {
                assert_eq!(table.legal_moves(seat), Ok(None));
                assert_eq!(table.robot_move(seat, 3, &[0; 32]), Ok(None));
            }
        }
        for text in [r#"{"aborted":null}"#, r#"{"time":0}"#, r#"{"left":1}"#, r#"{"resigned":0}"#] {
            let error = table.step(None, text, &NoTwins).err().unwrap();
            assert_eq!(error, StepError::Illegal(IllegalMove::GameOver));
        }
        assert_eq!(table.automatic(&NoTwins), Ok(None));
    }
}

#[test]
fn l13_of_two_seats_the_other_one_wins() {
    for game in ["kalah", "dare", "letters", "counter"] {
        for (word, reason) in [("time", Time), ("resigned", Resigned), ("left", Left)] {
            for seat in 0..2_u8 {
                let mut played = open(Setting::of(game));
                played.decree(&format!(r#"{{"{word}":{seat}}}"#));
                let mut results = [Won; 2];
                results[usize::from(seat)] = Lost;
                assert_eq!(outcome(&played).results, results);
                assert_eq!(outcome(&played).reason, reason);
                assert_eq!(outcome(&played).winner(), Some(Seat(1 - seat)));
                assert_eq!(outcome(&played).scores, [0, 0]);
                assert_eq!(played.now().turn().to_move().count(), 0);
                assert!(!played.moves()[0].drew && played.moves()[0].seat.is_none());
            }
        }
    }
}

#[test]
fn l13_an_aborted_game_has_no_result() {
    for game in GAMES {
        for seats in 2..=4_u8 {
            let mut played = open(Setting { seats, ..Setting::of(game) });
            played.decree(r#"{"aborted":null}"#);
            assert_eq!(outcome(&played).results, vec![NoResult; usize::from(seats)]);
            assert_eq!((outcome(&played).reason, outcome(&played).winner()), (Aborted, None));
        }
    }
}

#[test]
fn l13_a_loss_is_not_aborted() {
    for game in GAMES {
        let mut played = open(Setting { seats: 3, ..Setting::of(game) });
        played.decree(r#"{"time":1}"#);
        let why = IllegalMove::forbidden("a seat is out already, so the game can't be aborted");
        assert_eq!(played.refused(None, r#"{"aborted":null}"#), why);
    }
}

/// L7: a log is aborted before anybody moves, or while a seat is empty, which then never moved.
#[test]
fn l7_no_log_is_aborted_after_every_seat_has_moved() {
    let turns = |turns: u8| {
        let mut played = open(Setting { seats: 3, ..Setting::of("counter") });
        (0..turns).for_each(|seat| played.play(seat, r#"{"add":1}"#));
        played.decree(r#"{"aborted":null}"#);
        let verdict = played.registry.verify(&played.finished(), &played.log().commitment());
        verdict.err().map(|error| error.to_string())
    };
    assert_eq!((turns(0), turns(2)), (None, None));
    assert_eq!(turns(3).as_deref(), Some("invalid game at moves: aborted although every seat had moved"));
}

#[test]
fn l13_the_last_one_left_wins_and_who_retired_lost() {
    for game in GAMES {
        for seats in 3..=4_u8 {
            for stays in 0..seats {
                let mut played = open(Setting { seats, ..Setting::of(game) });
                let leaving: Vec<u8> = (0..seats).filter(|seat| *seat != stays).collect();
                for (left, (seat, word)) in leaving.iter().zip(["resigned", "time", "left"]).enumerate() {
                    assert!(played.now().outcome().is_none());
                    assert_eq!(played.now().turn().order.len(), usize::from(seats) - left);
                    played.decree(&format!(r#"{{"{word}":{seat}}}"#));
                }
                let expected: Vec<_> =
                    (0..seats).map(|seat| if seat == stays { Won } else { Lost }).collect();
                assert_eq!(outcome(&played).results, expected);
                // The reason is that of the last one to go.
                assert_eq!(outcome(&played).reason, if seats == 3 { Time } else { Left });
            }
        }
    }
}

#[test]
fn l13_a_seat_retires_once() {
    for game in GAMES {
        let mut played = open(Setting { seats: 4, ..Setting::of(game) });
        played.decree(r#"{"left":2}"#);
        for text in [r#"{"left":2}"#, r#"{"time":2}"#, r#"{"resigned":2}"#] {
            assert_eq!(played.refused(None, text), IllegalMove::forbidden("seat 2 does not play any more"));
        }
        for seat in ["4", "255"] {
            let error = played.refused(None, &format!(r#"{{"left":{seat}}}"#));
            assert_eq!(error, IllegalMove::forbidden(format_args!("seat {seat} does not play any more")));
        }
    }
}

#[test]
fn l13_the_moves_of_the_table_have_one_form() {
    let mut played = open(Setting { seats: 3, ..Setting::of("counter") });
    for text in [
        r#"{"time":-1}"#,
        r#"{"time":256}"#,
        r#"{"time":null}"#,
        r#"{"time":[1]}"#,
        r#"{"time":1,"left":2}"#,
        r#"{"time":1,"time":1}"#,
        r#"{"Time":1}"#,
        r#"{"aborted":0}"#,
        r#"{"aborted":{}}"#,
        r#"{"aborted":null,"why":1}"#,
        r#""aborted""#,
        r#"{"time":1}{}"#,
    ] {
        assert!(matches!(played.refused(None, text), IllegalMove::Unreadable(_)), "{text}");
    }
    played.decree("{ \"time\" : 1 }");
    assert_eq!(&*played.moves()[0].action, r#"{"time":1}"#);
}
