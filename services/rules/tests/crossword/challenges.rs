//! Plays that stand until somebody moves or challenges, and what the verdict does. G5, L8.

use crate::table::{Position, play, rack, refused, registry, state, step};
use crate::words;
use astragal_rules::any::AnyTable;
use astragal_rules::game::{AcceptAll, Judge, Viewer};
use astragal_rules::log::{Header, LoggedMove, TableLog};
use astragal_rules::seat::Seat;
use std::sync::Arc;

const DOUBLE: &str = r#"{"challenge":"double"}"#;

/// Only the words that a test says are good.
struct Good(&'static [&'static str]);

impl Judge for Good {
    fn accepts(&self, word: &str) -> bool {
        self.0.contains(&word)
    }
}

fn cat(bag: usize, racks: &[&str]) -> Box<dyn AnyTable> {
    Position { options: DOUBLE, racks, rows: &[(4, ".....CAT.......")], bag }.table()
}

fn verdict(table: &dyn AnyTable, judge: &dyn Judge) -> (LoggedMove, Box<dyn AnyTable>) {
    assert_eq!((table.turn().phase, table.turn().acting), ("verdict", None));
    let due = table.automatic(judge).unwrap().expect("a verdict is due");
    let step = table.step(None, &due, judge).expect("a verdict");
    (step.logged, step.after)
}

#[test]
fn crossword_a_play_draws_nothing_until_the_next_move_closes_it() {
    let table = cat(30, &["BDESTUV", "AEIORST"]);
    let (laid, table) = step(&*table, 0, &play("4F", "...S"), &Good(&[]));
    assert!(!laid.drew, "any word can be laid, and nothing is drawn for it");
    assert_eq!(rack(&*table, 0), "BDETUV");
    assert_eq!(state(&*table)["data"]["bag"].as_str().unwrap().len(), 30);
    let (closing, table) = step(&*table, 1, r#"{"pass":true}"#, &Good(&[]));
    assert!(closing.drew, "the move that closes a play draws for it");
    assert_eq!(rack(&*table, 0).len(), 7);
    assert_eq!(state(&*table)["data"]["bag"].as_str().unwrap().len(), 29);
    let nothing = "there is no play that you can challenge";
    assert_eq!(refused(&*table, 0, r#"{"challenge":true}"#, &Good(&[])), nothing);
}

#[test]
fn crossword_a_bad_word_goes_back_and_the_challenger_plays() {
    let before = cat(30, &["BDESTU?", "AEIORST"]);
    let (_, laid) = step(&*before, 0, &play("4F", "...sU"), &AcceptAll);
    assert_ne!(state(&*laid)["data"]["scores"][0], 0);
    let (doubt, challenged) = step(&*laid, 1, r#"{"challenge":true}"#, &AcceptAll);
    let (logged, after) = verdict(&*challenged, &Good(&["CATS"]));
    assert_eq!(
        (&*logged.action, logged.seat, logged.drew, doubt.drew),
        (r#"{"verdict":false}"#, None, false, false)
    );
    assert_eq!((after.turn().phase, after.turn().acting), ("play", Some(Seat(1))));
    let (now, then) = (state(&*after), state(&*before));
    for same in ["board", "bag", "racks", "scores", "fresh"] {
        assert_eq!(now["data"][same], then["data"][same], "{same}");
    }
    assert_eq!(now["data"]["scoreless"], 1, "a play that is taken back was a turn without points");
    let notes = after.shown(&*challenged, &logged, Viewer::Spectator).unwrap().notes;
    assert_eq!(notes, r#"{"drew":[0,0],"points":[-6,0],"words":[{"score":6,"word":"CATsU"}]}"#);
}

#[test]
fn crossword_who_challenges_good_words_loses_the_turn() {
    let table = cat(30, &["BDESTUV", "AEIORST", "LLLLNNN"]);
    let (_, laid) = step(&*table, 0, &play("4F", "...S"), &AcceptAll);
    let (_, challenged) = step(&*laid, 1, r#"{"challenge":true}"#, &AcceptAll);
    let (logged, after) = verdict(&*challenged, &Good(&["CATS"]));
    assert_eq!((&*logged.action, logged.drew), (r#"{"verdict":true}"#, true));
    assert_eq!(after.turn().acting, Some(Seat(2)));
    assert_eq!((rack(&*after, 0).len(), rack(&*after, 1)), (7, "AEIORST".to_owned()));
    assert_eq!(state(&*after)["data"]["scoreless"], 1);
}

#[test]
fn crossword_a_play_closes_the_one_before_it() {
    let table = cat(30, &["BDESTUV", "AEIORST"]);
    let (_, table) = step(&*table, 0, &play("4F", "...S"), &AcceptAll);
    let (logged, table) = step(&*table, 1, &play("I4", ".T"), &AcceptAll);
    assert!(logged.drew);
    assert_eq!((rack(&*table, 0).len(), rack(&*table, 1).len()), (7, 6));
    assert_eq!(state(&*table)["data"]["fresh"]["seat"], 1);
    assert_eq!(state(&*table)["data"]["bag"].as_str().unwrap().len(), 29);
}

#[test]
fn crossword_the_last_play_can_be_challenged_before_the_game_ends() {
    let table = cat(0, &["S", "AEI"]);
    let (logged, laid) = step(&*table, 0, &play("4F", "...S"), &AcceptAll);
    assert!(laid.outcome().is_none() && !logged.drew);
    let ends = "the last play ends the game: pass, or challenge it";
    assert_eq!(refused(&*laid, 1, &play("I4", ".I"), &AcceptAll), ends);
    assert_eq!(refused(&*laid, 1, r#"{"exchange":"A"}"#, &AcceptAll), ends);

    let (passed, ended) = step(&*laid, 1, r#"{"pass":true}"#, &AcceptAll);
    assert!(!passed.drew);
    let scored = state(&*laid)["data"]["scores"][0].as_i64().unwrap();
    assert_eq!(ended.outcome().expect("over").scores, [scored as i32 + 6, 0]);

    let (_, challenged) = step(&*laid, 1, r#"{"challenge":true}"#, &AcceptAll);
    let (_, ended) = verdict(&*challenged, &Good(&["CATS"]));
    assert_eq!(ended.outcome().expect("over").scores, [scored as i32 + 6, 0]);
    let (_, goes_on) = verdict(&*challenged, &Good(&[]));
    assert!(goes_on.outcome().is_none());
    assert_eq!((rack(&*goes_on, 0), goes_on.turn().acting), ("S".to_owned(), Some(Seat(1))));
}

#[test]
fn crossword_nobody_waits_for_a_verdict_on_who_retired() {
    let table = cat(30, &["BDESTUV", "AEIORST", "LLLLNNN"]);
    let (_, laid) = step(&*table, 0, &play("4F", "...S"), &AcceptAll);
    let (_, challenged) = step(&*laid, 1, r#"{"challenge":true}"#, &AcceptAll);
    let without =
        |seat: u8| challenged.step(None, &format!(r#"{{"left":{seat}}}"#), &AcceptAll).unwrap().after;
    // Who laid it leaves: it stands, and the challenger plays.
    let after = without(0);
    assert_eq!((after.turn().phase, after.turn().acting), ("play", Some(Seat(1))));
    assert!(state(&*after)["data"]["fresh"].is_null());
    assert_eq!(rack(&*after, 0), "BDETUV", "tiles leave with their seat");
    // The challenger leaves: the next one may challenge.
    let after = without(1);
    assert_eq!((after.turn().phase, after.turn().acting), ("play", Some(Seat(2))));
    step(&*after, 2, r#"{"challenge":true}"#, &AcceptAll);
    // Somebody else leaves: the verdict is still due.
    let after = without(2);
    assert_eq!(verdict(&*after, &Good(&[])).1.turn().acting, Some(Seat(1)));
}

#[test]
fn l8_a_replay_needs_no_word_list() {
    let mut played = crate::table::played(2, DOUBLE, 9);
    let tiles: String = rack(played.now(), 0).chars().filter(|tile| *tile != '?').take(3).collect();
    played.play(0, &play("8G", &tiles));
    played.play(1, r#"{"challenge":true}"#);
    let due = played.now().automatic(&Good(&[])).unwrap().unwrap();
    assert_eq!(due, r#"{"verdict":false}"#);
    played.step(None, &due, &Good(&[])).unwrap();
    played.play(1, r#"{"pass":true}"#);
    let log: TableLog = played.log();
    let header = Header { opening: Arc::clone(log.opening()), moves: log.moves().len() as u32 };
    let replayed = registry().setup(&header).unwrap().advance(&header, log.moves(), &AcceptAll).unwrap();
    assert_eq!(replayed.state_json().unwrap(), played.state());
}

#[test]
fn crossword_robots_challenge_what_is_not_in_their_dictionary() {
    let table = cat(30, &["BDESTUV", "AEIORST"]);
    let robot = |table: &dyn AnyTable, seat| table.robot_move(Seat(seat), 3, &[1; 32]).unwrap().unwrap();
    assert!(words::english().accepts("CAT") || !words::english().accepts("CATV"));
    let (_, bad) = step(&*table, 0, &play("4F", "...V"), &AcceptAll);
    assert_eq!(robot(&*bad, 1), r#"{"challenge":true}"#);
    let (_, table) = step(&*bad, 1, r#"{"challenge":true}"#, &AcceptAll);
    let (_, table) = verdict(&*table, &words::english());
    assert_ne!(robot(&*table, 1), r#"{"challenge":true}"#);
}
