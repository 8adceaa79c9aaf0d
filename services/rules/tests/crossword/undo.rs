//! What may be taken back: what drew nothing and told nothing, until the next move. L12.

use crate::table::{Position, play, step};
use astragal_rules::any::AnyTable;
use astragal_rules::game::AcceptAll;
use astragal_rules::seat::Seat;

const ANY: &str = r#"{"words":"any"}"#;
const DOUBLE: &str = r#"{"challenge":"double"}"#;

fn near_end(options: &str, bag: usize) -> Box<dyn AnyTable> {
    Position { options, racks: &["SEE", "QE"], rows: &[(4, ".....CAT.......")], bag }.table()
}

/// What the seat that moved is told when it wants the move back.
fn undone(table: &dyn AnyTable, action: &str) -> Result<(), String> {
    let (logged, after) = step(table, 0, action, &AcceptAll);
    assert!(after.check_undo(&logged, Some(Seat(1))).is_err(), "it is not another's to take back");
    after.check_undo(&logged, Some(Seat(0))).map_err(|error| error.to_string())
}

#[test]
fn l12_crossword_a_pass_can_be_taken_back() {
    assert_eq!(undone(&*near_end(ANY, 20), r#"{"pass":true}"#), Ok(()));
    assert_eq!(undone(&*near_end(DOUBLE, 20), r#"{"pass":true}"#), Ok(()));
}

#[test]
fn l12_crossword_a_play_can_be_taken_back_when_the_bag_is_empty() {
    assert_eq!(undone(&*near_end(ANY, 0), &play("4I", "S")), Ok(()));
    assert_eq!(undone(&*near_end(DOUBLE, 0), &play("4I", "S")), Ok(()));
}

/// "Undo after hidden information was shown": tiles that were drawn have been seen.
#[test]
fn l12_crossword_a_play_that_draws_can_not_be_taken_back() {
    let drew = "the move drew at random and can't be taken back";
    assert_eq!(undone(&*near_end(ANY, 20), &play("4I", "S")), Err(drew.to_owned()));
    assert_eq!(undone(&*near_end(ANY, 1), &play("4I", "S")), Err(drew.to_owned()));
    // It draws later, when it is closed; the opponent has seen it all the same.
    let refused = "the rules do not let this move be taken back";
    assert_eq!(undone(&*near_end(DOUBLE, 20), &play("4I", "S")), Err(refused.to_owned()));
    let exchange = r#"{"exchange":"E"}"#;
    assert_eq!(undone(&*near_end(ANY, 20), exchange), Err(drew.to_owned()));
}

#[test]
fn l12_crossword_a_pass_that_lets_another_draw_stays() {
    let table =
        Position { options: DOUBLE, racks: &["SEE", "QE"], rows: &[(4, ".....CAT.......")], bag: 20 }.table();
    let (_, table) = step(&*table, 0, &play("4I", "S"), &AcceptAll);
    let (logged, after) = step(&*table, 1, r#"{"pass":true}"#, &AcceptAll);
    assert!(logged.drew && after.check_undo(&logged, Some(Seat(1))).is_err());
}

#[test]
fn l12_crossword_nothing_is_taken_back_after_the_end_or_a_challenge() {
    let table =
        Position { options: ANY, racks: &["S", "QE"], rows: &[(4, ".....CAT.......")], bag: 0 }.table();
    let over = "the game is over, no move can be taken back";
    assert_eq!(undone(&*table, &play("4I", "S")), Err(over.to_owned()));
    let (_, table) = step(&*near_end(DOUBLE, 0), 0, &play("4I", "S"), &AcceptAll);
    let (logged, after) = step(&*table, 1, r#"{"challenge":true}"#, &AcceptAll);
    let refused = "the rules do not let this move be taken back";
    assert_eq!(after.check_undo(&logged, Some(Seat(1))).unwrap_err().to_string(), refused);
}

#[test]
fn l12_crossword_an_undo_is_the_shorter_log() {
    let mut played = crate::table::played(3, ANY, 5);
    played.play(0, r#"{"pass":true}"#);
    let after_pass = played.state();
    played.play(1, r#"{"pass":true}"#);
    played.undo(Some(1)).expect("a pass can be taken back");
    assert_eq!(played.state(), after_pass);
    assert!(played.undo(Some(1)).is_err(), "the move before was another's");
    played.undo(None).expect("the table takes back what it wants");
}
