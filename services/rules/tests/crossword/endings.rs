//! When a game is over, and what the racks that are left do to the scores.

use crate::table::{Position, play, state, step, table};
use astragal_rules::any::AnyTable;
use astragal_rules::game::AcceptAll;
use astragal_rules::outcome::SeatResult::{self, Drawn, Lost, Won};
use astragal_rules::seat::Seat;

const ANY: &str = r#"{"words":"any"}"#;

fn near_end(racks: &[&str]) -> Box<dyn AnyTable> {
    Position { options: ANY, racks, rows: &[(4, ".....CAT.......")], bag: 0 }.table()
}

fn outcome(table: &dyn AnyTable) -> (Vec<i32>, Vec<SeatResult>) {
    let outcome = table.outcome().expect("the game is over");
    assert_eq!((table.turn().phase, table.turn().acting), ("over", None));
    (outcome.scores.clone(), outcome.results.clone())
}

#[test]
fn crossword_of_two_who_goes_out_gains_twice_the_others_rack() {
    let (logged, after) = step(&*near_end(&["S", "QE?"]), 0, &play("4I", "S"), &AcceptAll);
    assert!(!logged.drew);
    // CATS scores 6, and twice Q and E is 22.
    assert_eq!(outcome(&*after), (vec![6 + 22, 0], vec![Won, Lost]));
    let view = after.view(astragal_rules::game::Viewer::Spectator).unwrap();
    assert!(view.contains(r#""hands":["","?EQ"]"#), "racks are shown when the game is over: {view}");
}

#[test]
fn crossword_of_three_who_goes_out_gains_what_the_others_lose() {
    let (_, after) = step(&*near_end(&["S", "QE", "ZA?"]), 0, &play("4I", "S"), &AcceptAll);
    assert_eq!(outcome(&*after), (vec![6 + 11 + 11, -11, -11], vec![Won, Lost, Lost]));
    let (_, after) = step(&*near_end(&["S", "E", "A", "Z"]), 0, &play("4I", "S"), &AcceptAll);
    assert_eq!(outcome(&*after).0, [6 + 12, -1, -1, -10]);
}

#[test]
fn crossword_ends_after_three_scoreless_turns_of_each() {
    for (racks, results) in [
        (&["AAEE", "EEAA"][..], vec![Drawn, Drawn]),
        (&["AAEE", "Q", "EEE"], vec![Lost, Lost, Won]),
        (&["AAEE", "Q", "EEE", "Z?"], vec![Lost, Lost, Won, Lost]),
    ] {
        let mut table = near_end(racks);
        let turns = 3 * racks.len();
        for turn in 0..turns {
            assert!(table.outcome().is_none());
            let seat = (turn % racks.len()) as u8;
            (_, table) = step(&*table, seat, r#"{"pass":true}"#, &AcceptAll);
        }
        let value = |rack: &&str| -> i32 {
            rack.chars()
                .map(|tile| match tile {
                    '?' => 0,
                    'Q' | 'Z' => 10,
                    _ => 1,
                })
                .sum()
        };
        assert_eq!(outcome(&*table), (racks.iter().map(|rack| -value(rack)).collect(), results));
    }
}

#[test]
fn crossword_points_begin_the_count_of_scoreless_turns_anew() {
    let mut table = near_end(&["SE", "EEAA"]);
    for seat in [0, 1, 0, 1] {
        (_, table) = step(&*table, seat, r#"{"pass":true}"#, &AcceptAll);
    }
    assert_eq!(state(&*table)["data"]["scoreless"], 4);
    (_, table) = step(&*table, 0, &play("4I", "S"), &AcceptAll);
    assert_eq!(state(&*table)["data"]["scoreless"], 0);
}

#[test]
fn crossword_a_play_of_blanks_alone_can_be_without_points() {
    let position = Position {
        options: r#"{"variant":"erudit","words":"any"}"#,
        racks: &["?А", "ЕЕ"],
        rows: &[(4, ".....са........")],
        bag: 0,
    };
    let (_, after) = step(&*position.table(), 0, &play("4H", "т"), &AcceptAll);
    assert_eq!(state(&*after)["data"]["scoreless"], 1);
    assert_eq!(state(&*after)["data"]["scores"][0], 0);
}

#[test]
fn crossword_who_retires_keeps_the_tiles_and_comes_last() {
    let table = near_end(&["S", "QE", "ZA?"]);
    let left = table.step(None, r#"{"left":1}"#, &AcceptAll).unwrap().after;
    assert_eq!(left.turn().acting, Some(Seat(0)));
    let (_, after) = step(&*left, 0, &play("4I", "S"), &AcceptAll);
    assert_eq!(outcome(&*after), (vec![6 + 11, 0, -11], vec![Won, Lost, Lost]));
    let mut table = left;
    for turn in 0..6 {
        (_, table) = step(&*table, if turn % 2 == 0 { 0 } else { 2 }, r#"{"pass":true}"#, &AcceptAll);
    }
    assert_eq!(outcome(&*table), (vec![-1, 0, -11], vec![Won, Lost, Lost]));
}

#[test]
fn crossword_a_game_that_ends_early_counts_what_was_scored() {
    let (_, after) = step(&*near_end(&["SE", "QE"]), 0, &play("4I", "S"), &AcceptAll);
    let resigned = after.step(None, r#"{"resigned":0}"#, &AcceptAll).unwrap().after;
    let outcome = resigned.outcome().unwrap();
    assert_eq!((outcome.scores.clone(), outcome.results.clone()), (vec![6, 0], vec![Lost, Won]));
}

#[test]
fn crossword_deals_seven_to_each_and_the_first_seat_moves() {
    for (options, total) in [("{}", 100), (r#"{"variant":"erudit"}"#, 131)] {
        for seats in 2..=4 {
            let table = table(seats, options);
            let data = &state(&*table)["data"];
            let bag = data["bag"].as_str().unwrap().chars().count();
            assert_eq!(bag, total - 7 * usize::from(seats));
            assert_eq!(table.turn().acting, Some(Seat(0)));
        }
    }
}
