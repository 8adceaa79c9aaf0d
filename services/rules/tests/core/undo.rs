//! Taking the last move back: when, by whom, and what is left of it.

use crate::samples::{kalah, open, rack};
use crate::toys::played::{Played, Setting};
use crate::toys::registry;
use astragal_rules::error::UndoError;
use astragal_rules::game::Viewer;
use astragal_rules::registry::TakeBackError;
use astragal_rules::seat::Seat;

const NOT_YOURS: UndoError = UndoError::Refused("only the seat that made the last move can take it back");
const DREW: UndoError = UndoError::Refused("the move drew at random and can't be taken back");
const BY_RULE: UndoError = UndoError::Refused("the rules do not let this move be taken back");

/// The undo is refused by the check and by the whole log alike, and nothing changes.
#[track_caller]
fn refused(played: &mut Played, actor: Option<u8>, expected: UndoError) {
    let last = played.moves().last().expect("a move").clone();
    let before = played.state();
    assert_eq!(played.now().check_undo(&last, actor.map(Seat)), Err(expected.clone()));
    assert_eq!(played.undo(actor), Err(TakeBackError::Undo(expected)));
    assert_eq!(played.state(), before);
}

#[test]
fn l12_the_own_last_move_is_taken_back() {
    let mut played = open(Setting::of("kalah"));
    let opening = played.state();
    played.play(0, r#"{"pit":1}"#);
    let first = played.state();
    played.play(1, r#"{"pit":1}"#);
    played.undo(Some(1)).unwrap();
    assert_eq!(played.state(), first);
    // What is now the last move may be taken back too, by its own seat.
    refused(&mut played, Some(1), NOT_YOURS);
    played.undo(Some(0)).unwrap();
    assert_eq!(played.state(), opening);
    assert_eq!(played.undo(Some(0)), Err(TakeBackError::Undo(UndoError::Refused("no move has been made"))));
}

/// "An undo applied to another player's move."
#[test]
fn l12_another_seat_cannot_but_the_table_can() {
    let mut played = open(Setting { seats: 3, ..Setting::of("counter") });
    played.play(0, r#"{"add":1}"#);
    for seat in [1, 2, 3] {
        refused(&mut played, Some(seat), NOT_YOURS);
    }
    played.undo(None).unwrap();
    assert!(played.moves().is_empty());
}

#[test]
fn l12_only_the_last_move_is_taken_back() {
    let mut played = open(Setting::of("counter"));
    played.play(0, r#"{"add":1}"#);
    let first = played.moves()[0].clone();
    played.play(1, r#"{"add":1}"#);
    for actor in [Some(Seat(0)), None] {
        let refusal = played.now().check_undo(&first, actor);
        assert_eq!(refusal, Err(UndoError::Refused("only the last move can be taken back")));
    }
}

/// "Undo of a roll gave a peek", "undo after hidden information was shown".
#[test]
fn l12_a_move_that_drew_stays() {
    let mut played = open(Setting::of("counter"));
    played.play(0, r#""roll""#);
    refused(&mut played, Some(0), DREW);
    refused(&mut played, None, DREW);
    let mut played = open(Setting::of("letters"));
    let tile = rack(&played, 0)[..1].to_owned();
    played.play(0, &format!(r#"{{"exchange":"{tile}"}}"#));
    refused(&mut played, Some(0), DREW);
    // The choice that lets everybody throw draws, so nobody gets a second look at the dice.
    let mut played = open(Setting::of("dare"));
    played.play(0, r#"{"dice":1}"#);
    played.play(1, r#"{"dice":1}"#);
    refused(&mut played, Some(1), DREW);
}

#[test]
fn l12_the_game_has_a_rule_of_its_own() {
    let options = r#"{"words":"challenged"}"#;
    let mut played = open(Setting { options, ..Setting::of("letters") });
    played.play(0, r#""pass""#);
    let word = rack(&played, 1)[..2].to_owned();
    played.play(1, &format!(r#"{{"lay":"{word}"}}"#));
    played.play(0, r#""challenge""#);
    refused(&mut played, Some(0), BY_RULE);
    played.decree(r#"{"verdict":true}"#);
    refused(&mut played, None, BY_RULE);
    refused(&mut played, Some(0), NOT_YOURS);
    let before = played.state();
    played.play(1, r#""pass""#);
    played.undo(Some(1)).unwrap();
    assert_eq!(played.state(), before);
}

#[test]
fn l12_a_pass_that_was_taken_back_can_be_a_challenge() {
    let options = r#"{"words":"challenged"}"#;
    let mut played = open(Setting { options, ..Setting::of("letters") });
    let word = rack(&played, 0)[..2].to_owned();
    played.play(0, &format!(r#"{{"lay":"{word}"}}"#));
    played.play(1, r#""pass""#);
    played.refused(Some(0), r#""challenge""#);
    played.undo(Some(1)).unwrap();
    played.play(1, r#""challenge""#);
}

#[test]
fn l12_a_choice_nobody_has_seen_is_taken_back_and_shows_nothing() {
    let mut played = open(Setting { seats: 3, ..Setting::of("dare") });
    played.play(1, r#"{"dice":3}"#);
    let seen = |played: &Played| played.now().view(Viewer::Seat(Seat(0))).unwrap();
    let chosen = seen(&played);
    played.play(0, r#"{"dice":2}"#);
    refused(&mut played, Some(1), NOT_YOURS);
    played.undo(Some(0)).unwrap();
    played.undo(Some(1)).unwrap();
    played.play(1, r#"{"dice":1}"#);
    assert_eq!(seen(&played), chosen);
}

#[test]
fn l12_the_end_and_a_retirement_stay() {
    let mut played = open(Setting { seats: 3, ..Setting::of("counter") });
    played.play(0, r#"{"add":1}"#);
    for text in [r#"{"left":2}"#, r#"{"resigned":0}"#] {
        played.decree(text);
        let expected = if played.now().outcome().is_some() { UndoError::GameOver } else { BY_RULE };
        refused(&mut played, None, expected);
    }
    let mut over = kalah();
    refused(&mut over, None, UndoError::GameOver);
    let mut won = open(Setting { options: r#"{"target":2}"#, ..Setting::of("counter") });
    won.play(0, r#"{"add":2}"#);
    for actor in [Some(0), Some(1), None] {
        refused(&mut won, actor, UndoError::GameOver);
    }
}

#[test]
fn l12_a_log_that_does_not_replay_is_not_shortened() {
    let mut played = open(Setting::of("counter"));
    played.play(0, r#"{"add":1}"#);
    let mut moves = played.moves().to_vec();
    moves[0].drew = true;
    let broken = astragal_rules::log::TableLog::new(played.log().opening().clone(), moves).unwrap();
    assert!(matches!(registry().undo(&broken, None), Err(TakeBackError::Invalid(_))));
}
