//! Who gets a finished log, and when: its seed is in it.

use crate::samples::{all, kalah, open};
use crate::toys::played::{Played, Setting};
use astragal_rules::error::FinishedLogError::{ConcurrentMove, GameInProgress};
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::log::TableLog;
use std::sync::Arc;

fn finish(log: TableLog, played: &Played, sitters: usize) -> Option<astragal_rules::error::FinishedLogError> {
    FinishedLog::of(log, vec![Sitter::Player {}; sitters], played.now()).err()
}

#[test]
fn l13_while_the_game_goes_on_there_is_none() {
    for game in ["kalah", "dare", "letters", "counter"] {
        let played = open(Setting::of(game));
        assert_eq!(finish(played.log(), &played, 2), Some(GameInProgress));
    }
    // A log that would end the game does not help while the state goes on.
    assert_eq!(finish(kalah().log(), &open(Setting::of("kalah")), 2), Some(GameInProgress));
}

#[test]
fn l13_the_log_is_that_of_the_finished_state() {
    for played in all() {
        let seats = usize::from(played.now().opening().seats);
        assert_eq!(finish(played.log(), &played, seats), None);
        assert_eq!(finish(played.log().without_last(), &played, seats), Some(ConcurrentMove));
        assert_eq!(finish(played.log(), &played, seats - 1), Some(ConcurrentMove));
        assert_eq!(finish(played.log(), &played, seats + 1), Some(ConcurrentMove));
    }
}

#[test]
fn l13_a_log_of_the_same_length_but_read_before_an_undo_is_refused() {
    let mut played = open(Setting { options: r#"{"target":4}"#, ..Setting::of("counter") });
    played.play(0, r#"{"add":3}"#);
    played.undo(Some(0)).unwrap();
    played.play(0, r#"{"add":2}"#);
    played.play(1, r#"{"add":1}"#);
    let stale = played.log();
    played.undo(Some(1)).unwrap();
    played.play(1, r#"{"add":3}"#);
    assert_eq!(stale.moves().len(), played.moves().len());
    assert_eq!(finish(stale, &played, 2), Some(ConcurrentMove));
}

#[test]
fn l13_a_log_of_another_table_or_seed_is_refused() {
    let played = kalah();
    for change in 0..2 {
        let setting = Setting { options: r#"{"seeds":3}"#, ..Setting::of("kalah") };
        let mut opening = setting.opening(&played.registry);
        match change {
            0 => opening.seed = astragal_rules::seed::Seed::new([8; 32]),
            _ => opening.table = uuid::Uuid::from_u128(1),
        }
        let other = TableLog::new(Arc::new(opening), played.moves().to_vec()).unwrap();
        assert_eq!(finish(other, &played, 2), Some(ConcurrentMove));
    }
}
