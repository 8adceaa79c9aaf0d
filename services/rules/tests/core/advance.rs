//! Setup, step and advance: what follows a state, and what does not.

use crate::samples::{all, counter, dare, open};
use crate::toys::played::Setting;
use crate::toys::{NoTwins, registry};
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::AcceptAll;
use astragal_rules::log::{Header, LoggedMove, MOVES_MAX, Opening};
use astragal_rules::machine::StepError;
use astragal_rules::seat::Seat;
use std::sync::Arc;

fn place<T>(result: Result<T, InvalidGame>) -> String {
    result.err().expect("a refusal").place
}

#[test]
fn l10_a_step_appends_what_a_replay_reads() {
    for played in all() {
        let header = Header { moves: MOVES_MAX, ..played.log().header() };
        for (before, logged) in (0..).zip(played.moves()) {
            let step = played.after(before).step(logged.seat, &logged.action, &AcceptAll).unwrap();
            assert_eq!(step.logged, *logged);
            assert_eq!(logged.number as usize, before + 1);
            let advanced = played.after(before).advance(&header, std::slice::from_ref(logged), &AcceptAll);
            assert_eq!(advanced.unwrap().state_json(), step.after.state_json());
        }
    }
}

#[test]
fn l10_a_gap_is_refused() {
    let played = dare();
    let header = played.log().header();
    for after in 0..played.moves().len() {
        for from in 0..played.moves().len() {
            let rest = played.after(after).advance(&header, &played.moves()[from..], &NoTwins);
            match rest {
                Ok(table) => assert_eq!((after, table.state_json().unwrap()), (from, played.state())),
                Err(error) => assert_eq!(error.place, format!("move {}", from + 1)),
            }
        }
    }
    let mut moves = played.moves().to_vec();
    moves.remove(2);
    let error = played.after(0).advance(&header, &moves, &NoTwins).err().unwrap();
    assert_eq!((error.place.as_str(), error.why.as_str()), ("move 4", "does not follow move 2"));
}

#[test]
fn l10_moves_and_states_past_the_header_are_refused() {
    let played = dare();
    for moves in 0..played.moves().len() {
        let header = Header { moves: moves as u32, ..played.log().header() };
        let past = played.after(0).advance(&header, played.moves(), &NoTwins);
        assert_eq!(place(past), format!("move {}", moves + 1));
        assert!(played.after(0).advance(&header, &played.moves()[..moves], &NoTwins).is_ok());
        // A state that was cached before moves were taken back.
        let stale = played.after(moves + 1).advance(&header, &[], &NoTwins);
        assert_eq!(place(stale), format!("move {}", moves + 1));
    }
}

#[test]
fn l10_a_state_of_another_table_is_refused() {
    let (one, other) = (open(Setting::of("kalah")), open(Setting { seed: 8, ..Setting::of("kalah") }));
    assert_eq!(place(one.now().advance(&other.log().header(), &[], &NoTwins)), "table");
}

#[test]
fn l10_an_opening_that_no_table_can_have_is_refused() {
    let registry = registry();
    let good = Setting { seats: 3, ..Setting::of("dare") };
    let setup = |change: &dyn Fn(&mut Opening)| {
        let mut opening = good.opening(&registry);
        change(&mut opening);
        registry.setup(&Header { opening: Arc::new(opening), moves: 0 })
    };
    assert!(setup(&|_| ()).is_ok());
    assert_eq!(place(setup(&|opening| opening.seats = 0)), "seats");
    assert_eq!(place(setup(&|opening| opening.seats = 1)), "seats");
    assert_eq!(place(setup(&|opening| opening.seats = 5)), "seats");
    assert_eq!(place(setup(&|opening| opening.first_seat = Seat(3))), "firstSeat");
    assert_eq!(place(setup(&|opening| opening.game = "chess".to_owned())), "game");
    assert_eq!(place(setup(&|opening| opening.game = "Dare".to_owned())), "game");
    assert_eq!(place(setup(&|opening| opening.version = 0)), "version");
    assert_eq!(place(setup(&|opening| opening.version = 2)), "version");
    assert_eq!(place(setup(&|opening| opening.options = r#"{"rounds":0}"#.to_owned())), "options.rounds");
    assert_eq!(place(setup(&|opening| opening.options = r#"{"round":1}"#.to_owned())), "options.round");
    assert_eq!(place(setup(&|opening| opening.options = String::new())), "options");
}

#[test]
fn l10_a_refused_step_says_why_and_changes_nothing() {
    let mut played = open(Setting { seats: 3, ..Setting::of("counter") });
    assert_eq!(played.refused(Some(1), r#"{"add":1}"#), IllegalMove::NotYourTurn(Seat(1)));
    assert_eq!(played.refused(Some(3), r#"{"add":1}"#), IllegalMove::NotYourTurn(Seat(3)));
    assert_eq!(played.refused(Some(0), r#"{"add":4}"#), IllegalMove::forbidden("add 1, 2 or 3"));
    assert_eq!(played.refused(None, r#"{"add":1}"#), IllegalMove::forbidden("only a player counts"));
    for text in ["", "{}", "[1]", r#"{"add":1,"add":2}"#, r#"{"add":1.0}"#, r#""roll" 1"#, r#"{"add":[1]}"#] {
        assert!(matches!(played.refused(Some(0), text), IllegalMove::Unreadable(_)), "{text}");
    }
}

#[test]
fn l10_a_seat_cannot_make_the_moves_of_the_table() {
    let mut played = open(Setting { seats: 3, ..Setting::of("letters") });
    for text in [r#"{"time":1}"#, r#"{"resigned":0}"#, r#"{"left":0}"#, r#"{"aborted":null}"#] {
        assert!(matches!(played.refused(Some(0), text), IllegalMove::Unreadable(_)), "{text}");
    }
    assert!(matches!(played.refused(Some(0), r#"{"verdict":true}"#), IllegalMove::Forbidden(_)));
    assert!(matches!(played.refused(None, r#"{"verdict":true}"#), IllegalMove::Forbidden(_)));
    assert!(matches!(played.refused(None, r#""pass""#), IllegalMove::Forbidden(_)));
}

#[test]
fn l1_the_log_is_full_at_100_000_moves() {
    let setting = Setting { options: r#"{"target":1000000}"#, ..Setting::of("counter") };
    let played = open(setting);
    let header = Header { moves: MOVES_MAX, ..played.log().header() };
    let add = |number: u32| LoggedMove {
        number,
        seat: Some(Seat(((number + 1) % 2) as u8)),
        action: r#"{"add":1}"#.into(),
        drew: false,
    };
    let moves: Vec<_> = (1..=MOVES_MAX).map(add).collect();
    let full = played.now().advance(&header, &moves, &NoTwins).unwrap();
    let error = full.step(Some(Seat(0)), r#"{"add":1}"#, &NoTwins).err().unwrap();
    assert_eq!(error, StepError::Illegal(IllegalMove::LogFull));
    let over = Header { moves: MOVES_MAX + 1, ..header };
    assert!(full.advance(&over, &[add(MOVES_MAX + 1)], &NoTwins).is_err());
}

#[test]
fn l10_a_move_of_a_replay_is_named_when_it_fails() {
    let played = counter(1);
    let mut moves = played.moves().to_vec();
    moves[2].seat = Some(Seat(0));
    let error = played.after(0).advance(&played.log().header(), &moves, &NoTwins).err().unwrap();
    assert_eq!(error.to_string(), "invalid game at move 3: it is not the turn of seat 0");
}
