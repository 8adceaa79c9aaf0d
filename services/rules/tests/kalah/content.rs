//! What goes over the wire: moves, options, views and notes as JSON text, through the registry.

use crate::tables::{kalah, opening, table, table_with};
use astragal_rules::any::AnyTable;
use astragal_rules::game::{AcceptAll, Viewer};
use astragal_rules::kalah::board::Board;
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::Seat;

/// Plays pits as whoever is to move, and gives the table with its last move and that one's notes.
fn play(mut table: Box<dyn AnyTable>, pits: &[u8]) -> (Box<dyn AnyTable>, LoggedMove, String) {
    let mut last = None;
    for pit in pits {
        let seat = table.turn().acting;
        let step = table.step(seat, &format!(r#"{{"pit":{pit}}}"#), &AcceptAll).expect("a legal move");
        let shown = step.after.shown(&*table, &step.logged, Viewer::Spectator).expect("a shown move");
        table = step.after;
        last = Some((step.logged, shown.notes));
    }
    let (logged, notes) = last.expect("at least one pit");
    (table, logged, notes)
}

#[test]
fn kalah_options_fill_in_defaults_and_are_strict() {
    let game = kalah();
    let good = |options: &str| game.options(Some("standard"), options).expect("good options");
    assert_eq!(good("{}"), r#"{"capture":"standard","seeds":4}"#);
    assert_eq!(good(r#"{"seeds":6,"capture":"empty"}"#), r#"{"capture":"empty","seeds":6}"#);
    for bad in [r#"{"seeds":"4"}"#, r#"{"capture":"all"}"#, r#"{"pits":7}"#, "[]", r#"{"seeds":-1}"#] {
        game.options(None, bad).expect_err(bad);
    }
    assert!(game.options(Some("oware"), "{}").is_err());
}

#[test]
fn kalah_setup_refuses_seeds_out_of_range() {
    for seeds in [0, 2, 7, 255] {
        let options = format!(r#"{{"capture":"standard","seeds":{seeds}}}"#);
        let error = kalah().setup(opening(&options, Seat(0))).err().expect("refused");
        assert_eq!(error.to_string(), "invalid game at options.seeds: must be from 3 to 6");
    }
}

#[test]
fn kalah_view_is_the_same_for_everyone() {
    let (table, ..) = play(table("{}", Seat(1)), &[3, 6]);
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator, Viewer::Admin] {
        let view = table.view(viewer).expect("a view");
        assert_eq!(view, r#"{"pits":[[5,5,5,5,4,4],[4,4,0,5,5,0]],"stores":[0,2]}"#);
    }
}

#[test]
fn kalah_last_seed_in_the_own_store_gives_another_turn() {
    let (after, _, notes) = play(table("{}", Seat(1)), &[3]);
    assert_eq!(notes, r#"{"again":true,"captured":0}"#);
    assert_eq!(after.turn().acting, Some(Seat(1)));
    let (after, ..) = play(after, &[1]);
    assert_eq!(after.turn().acting, Some(Seat(0)));
}

#[test]
fn kalah_notes_tell_captures() {
    // Seat 0 empties its pit 5, seat 1 passes by, and the last seed from pit 1 falls in there.
    let (after, _, notes) = play(table("{}", Seat(0)), &[5, 1, 1]);
    assert_eq!(notes, r#"{"again":false,"captured":7}"#);
    assert_eq!(
        after.view(Viewer::Admin).unwrap(),
        r#"{"pits":[[0,5,5,5,0,5],[0,0,5,5,5,5]],"stores":[8,0]}"#
    );
}

#[test]
fn kalah_empty_capture_banks_the_lone_seed() {
    let board = r#"{"pits":[[1,0,0,0,0,1],[2,2,2,2,0,2]],"stores":[12,12]}"#;
    for (capture, banked, stores) in [("standard", 0, "[12,12]"), ("empty", 1, "[13,12]")] {
        let (after, _, notes) = play(table_with(board, capture), &[1]);
        assert_eq!(notes, format!(r#"{{"again":false,"captured":{banked}}}"#));
        let view = after.view(Viewer::Admin).expect("a view");
        assert!(view.ends_with(&format!(r#""stores":{stores}}}"#)), "{view}");
    }
}

#[test]
fn kalah_refuses_what_is_no_move_and_stays_as_it_was() {
    let (table, ..) = play(table("{}", Seat(0)), &[1]);
    let before = table.state_json().unwrap();
    for bad in [r#"{"pit":0}"#, r#"{"pit":7}"#, r#"{"pit":"3"}"#, r#"{"pit":3,"x":1}"#, "{}", "3", "", "[3]"]
    {
        assert!(table.step(Some(Seat(1)), bad, &AcceptAll).is_err(), "{bad}");
    }
    let not_yours = table.step(Some(Seat(0)), r#"{"pit":2}"#, &AcceptAll).err().expect("refused");
    assert_eq!(not_yours.to_string(), "it is not the turn of seat 0");
    let nobodys = table.step(None, r#"{"pit":2}"#, &AcceptAll).err().expect("refused");
    assert_eq!(nobodys.to_string(), "only a player sows");
    let (table, ..) = play(table, &[2]);
    let empty = table.step(Some(Seat(0)), r#"{"pit":1}"#, &AcceptAll).err().expect("refused");
    assert_eq!(empty.to_string(), "the pit is empty, sow one that holds seeds");
    assert_eq!(
        table.legal_moves(Seat(0)).unwrap().unwrap(),
        r#"[{"pit":2},{"pit":3},{"pit":4},{"pit":5},{"pit":6}]"#
    );
    assert_ne!(table.state_json().unwrap(), before);
}

#[test]
fn kalah_end_banks_the_rest_and_says_who_won() {
    let board = r#"{"pits":[[0,0,0,0,0,1],[0,1,0,0,3,0]],"stores":[15,16]}"#;
    let (after, last, notes) = play(table_with(board, "standard"), &[6]);
    assert_eq!(notes, r#"{"again":false,"captured":0,"swept":[0,4]}"#);
    let outcome = after.outcome().expect("the game is over");
    assert_eq!((outcome.scores.as_slice(), outcome.winner()), ([16, 20].as_slice(), Some(Seat(1))));
    assert_eq!(after.turn().phase, "over");
    assert!(after.check_undo(&last, Some(Seat(0))).is_err());
}

#[test]
fn kalah_a_game_that_ends_early_counts_the_stores_only() {
    let (table, ..) = play(table("{}", Seat(0)), &[3, 6]);
    let step = table.step(None, r#"{"resigned":0}"#, &AcceptAll).expect("a move of the table");
    let outcome = step.after.outcome().expect("the game is over");
    assert_eq!((outcome.scores.as_slice(), outcome.winner()), ([2, 0].as_slice(), Some(Seat(1))));
}

#[test]
fn l12_kalah_moves_can_be_taken_back_by_their_own_seat() {
    let (table, last, _) = play(table("{}", Seat(0)), &[1]);
    assert_eq!(table.check_undo(&last, Some(Seat(0))), Ok(()));
    assert!(table.check_undo(&last, Some(Seat(1))).is_err());
}

#[test]
fn l3_kalah_boards_of_no_game_are_refused() {
    for bad in [
        r#"{"pits":[[4,4,4,4,4,4],[4,4,4,4,4,4]],"stores":[1,0]}"#,
        r#"{"pits":[[0,0,0,0,0,0],[0,0,0,0,0,0]],"stores":[255,255]}"#,
        r#"{"pits":[[4,4,4,4,4,4],[4,4,4,4,4]],"stores":[4,0]}"#,
        r#"{"pits":[[4,4,4,4,4,4],[4,4,4,4,4,-4]],"stores":[8,0]}"#,
        r#"{"pits":[[4,4,4,4,4,4],[4,4,4,4,4,4]]}"#,
        r#"{"pits":[[4,4,4,4,4,4],[4,4,4,4,4,4]],"stores":[0,0],"extra":0}"#,
    ] {
        assert!(serde_json::from_str::<Board>(bad).is_err(), "{bad}");
    }
}

#[test]
fn kalah_schemas_give_the_bounds() {
    let schemas = kalah().schemas();
    assert_eq!(schemas.action["properties"]["pit"]["minimum"], 1);
    assert_eq!(schemas.action["properties"]["pit"]["maximum"], 6);
    assert_eq!(schemas.options["properties"]["seeds"]["minimum"], 3);
    assert_eq!(schemas.options["properties"]["seeds"]["maximum"], 6);
}
