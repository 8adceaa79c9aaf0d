//! Texts that are no logs, states or moves at all: broken, cut, mutated, random. Whatever they
//! are, they are refused or read; nothing panics.

use crate::json_edit::{places, with_raw};
use crate::samples::{all, check, dare, letters};
use crate::toys::{NoTwins, registry};
use astragal_rules::any::AnyTable;
use astragal_rules::canonical::canonical_text;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::game::Viewer;
use astragal_rules::seat::Seat;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;
use std::sync::Arc;

#[test]
fn l2_a_log_cut_anywhere_is_refused() {
    for played in all() {
        let text = played.finished().to_json().unwrap();
        for end in 0..text.len() {
            assert!(FinishedLog::from_json(&text[..end]).is_err(), "{}", &text[..end]);
        }
    }
}

#[test]
fn l2_anything_after_the_end_is_refused() {
    let text = dare().finished().to_json().unwrap();
    for tail in ["}", "{}", "null", ",", "\0", "x", &text] {
        let error = FinishedLog::from_json(&format!("{text}{tail}")).err().unwrap();
        assert_eq!(error.place, "the end of the log");
    }
    assert!(FinishedLog::from_json(&format!(" \n{text}\r\n\t ")).is_ok());
}

#[test]
fn l2_what_is_no_object_is_refused_as_a_whole() {
    for text in ["", " ", "null", "1", "true", "\"log\"", "[]", "[1,1]", "nul", "{", "\u{feff}{}"] {
        assert_eq!(FinishedLog::from_json(text).err().unwrap().place, "log", "{text}");
    }
}

const PIECES: &[&str] =
    &["0", "-", "1e9", "{", "}", "[", "]", "\"", ",", ":", "null", "\\u0000", "\\", "é", "\u{7f}"];

/// Edits of a text: cut, doubled, swapped for other pieces of JSON.
fn mutated(text: String) -> impl Strategy<Value = String> {
    let edit = (any::<Index>(), 0..6_usize, select(PIECES), any::<bool>());
    prop::collection::vec(edit, 1..5).prop_map(move |edits| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, cut, piece, keep) in edits {
            let from = at.index(chars.len() + 1);
            let to = (from + cut).min(chars.len());
            let kept: Vec<char> = if keep { chars[from..to].to_vec() } else { Vec::new() };
            chars.splice(from..to, piece.chars().chain(kept));
        }
        chars.into_iter().collect()
    })
}

/// Any small JSON value.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..8).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(&["", "player", "robot", "lay", "pass", "aborted", "ab", "0"][..]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let names = select(&["number", "seat", "move", "drew", "kind", "level", "time", "lay", "data"][..]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(names.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A log's text with other values at some places.
fn regrown(value: Value) -> impl Strategy<Value = String> {
    prop::collection::vec((any::<Index>(), json()), 1..4).prop_map(move |edits| {
        let mut edited = value.clone();
        for (place, new) in edits {
            let places = places(&edited);
            if places.is_empty() {
                break;
            }
            edited = serde_json::from_str(&with_raw(
                &edited,
                &places[place.index(places.len())],
                &new.to_string(),
            ))
            .unwrap();
        }
        edited.to_string()
    })
}

fn any_log() -> impl Strategy<Value = (usize, String)> {
    (0..4_usize).prop_flat_map(|which| {
        let text = all()[which].finished().to_json().unwrap();
        let value = serde_json::from_str(&text).unwrap();
        (Just(which), prop_oneof![mutated(text), regrown(value)])
    })
}

fn any_state() -> impl Strategy<Value = (usize, String)> {
    (0..4_usize, any::<Index>()).prop_flat_map(|(which, moves)| {
        let played = &all()[which];
        let text = played.after(moves.index(played.moves().len() + 1)).state_json().unwrap();
        let value = serde_json::from_str(&text).unwrap();
        (Just(which), prop_oneof![mutated(text), regrown(value)])
    })
}

/// All that can be done with a table that a cache gave back.
fn use_up(table: &dyn AnyTable) {
    for seat in Seat::all(4) {
        let moves = table.legal_moves(seat).ok().flatten();
        let moves: Vec<Value> = moves.map_or(Vec::new(), |moves| serde_json::from_str(&moves).unwrap());
        let robot = table.robot_move(seat, 3, &[1; 32]).ok().flatten();
        let played = moves.iter().map(Value::to_string).chain(robot);
        for action in played.chain([r#""pass""#.to_owned(), r#"{"lay":"ab"}"#.to_owned()]) {
            let _ = table.step(Some(seat), &action, &NoTwins);
        }
        let _ =
            (table.view(Viewer::Seat(seat)), table.step(None, &format!(r#"{{"left":{seat}}}"#), &NoTwins));
    }
    if let Ok(Some(due)) = table.automatic(&NoTwins) {
        let _ = table.step(None, &due, &NoTwins);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn l2_a_mutated_log_never_panics((which, text) in any_log()) {
        let played = &all()[which];
        if check(&text, &registry(), played).is_ok() {
            // Read as it was meant: its own text says the same again.
            let own = FinishedLog::from_json(&text).unwrap().to_json().unwrap();
            prop_assert_eq!(check(&own, &registry(), played), Ok(()));
        }
    }

    #[test]
    fn l2_random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        prop_assert!(FinishedLog::from_json(&text).is_err());
        let _ = canonical_text(&text);
    }

    #[test]
    fn l3_a_mutated_state_never_panics((which, text) in any_state()) {
        let played = &all()[which];
        let opening = played.now().opening();
        let game = played.registry.get(&opening.game, opening.version).unwrap();
        if let Ok(restored) = game.restore(Arc::clone(opening), &text) {
            use_up(&*restored);
        }
    }

    #[test]
    fn l8_a_random_move_never_panics(action in json(), seat in prop::option::of(0..6_u8), which in 0..4_usize) {
        for moves in 0..3 {
            let _ = all()[which].after(moves).step(seat.map(Seat), &action.to_string(), &NoTwins);
        }
    }

    #[test]
    fn l2_random_options_never_panic(options in json(), variant in select(&[None, Some("short"), Some("x")][..])) {
        for game in registry().catalogue() {
            let _ = game.options(variant, &options.to_string());
            let _ = game.variant(&options.to_string());
        }
    }
}

#[test]
fn l2_options_are_read_to_the_end_and_once() {
    let registry = registry();
    let game = registry.newest("letters").unwrap();
    let good = r#"{"variant":"long","words":"judged"}"#;
    assert_eq!(game.options(None, r#"{"variant":"long"}"#).unwrap(), good);
    assert_eq!(game.options(Some("long"), "{}").unwrap(), good);
    assert_eq!(game.variant(good), "long");
    for (text, place) in [
        (r#"{"variant":"long"} {}"#, "the end of the options"),
        (r#"{"variant":"long","variant":"long"}"#, "options"),
        (r#"["long","judged"]"#, "options"),
        (r#"{"variant":"huge"}"#, "options.variant"),
        (r#"{"size":1}"#, "options.size"),
        ("null", "options"),
        ("", "options"),
    ] {
        assert_eq!(game.options(None, text).unwrap_err().place, place, "{text}");
        assert!(game.options(Some("short"), text).is_err() || text.contains("huge"), "{text}");
    }
    assert_eq!(game.options(Some("huge"), "{}").unwrap_err().place, "variant");
}

#[test]
fn l2_letters_of_a_log_may_be_escaped() {
    let played = letters();
    let text = played.finished().to_json().unwrap().replace("\"format\"", "\"\\u0066ormat\"");
    assert_eq!(check(&text, &registry(), &played), Ok(()));
}
