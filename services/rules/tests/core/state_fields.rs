//! Every field of a state made wrong, one at a time, and turns that no table can have.

use crate::json_edit::{nested, other_types, places, with_extra, with_raw, with_twin, without};
use crate::samples::{all, dare, kalah, letters, open};
use crate::toys::played::{Played, Setting};
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use serde_json::{Value, json};
use std::sync::Arc;

fn restore(played: &Played, text: &str) -> Result<Box<dyn AnyTable>, InvalidGame> {
    let opening = played.now().opening();
    let game = played.registry.get(&opening.game, opening.version).unwrap();
    game.restore(Arc::clone(opening), text)
}

/// The state is refused, and the error names the field.
#[track_caller]
fn refused(played: &Played, text: &str, place: &str) {
    let Err(error) = restore(played, text) else { panic!("{place} was accepted: {text}") };
    let field = place.split('/').nth(1).unwrap_or_default();
    let named = error.place.starts_with(&format!("state.{field}"));
    assert!(named || error.place == "state" && error.why.contains(field), "{place}: {error}");
}

/// Every state of every sample, as values.
fn states() -> Vec<(Played, Vec<Value>)> {
    let states = |played: &Played| {
        let tables = (0..=played.moves().len()).map(|moves| played.after(moves).state_json().unwrap());
        tables.map(|text| serde_json::from_str(&text).unwrap()).collect()
    };
    all()
        .into_iter()
        .map(|played| {
            let states = states(&played);
            (played, states)
        })
        .collect()
}

#[test]
fn l3_a_state_reads_back_as_it_was_written() {
    for (played, states) in states() {
        for state in states {
            let restored = restore(&played, &state.to_string()).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&restored.state_json().unwrap()).unwrap(), state);
        }
    }
}

/// True where another type is as good: a seat, a number or an object instead of nothing, and
/// points below zero.
fn is_possible(place: &str, here: &Value, raw: &str) -> bool {
    let or_nothing = ["acting", "initiative", "outcome", "chosen", "fresh", "challenger"];
    let or_nothing = or_nothing.iter().any(|name| place.contains(name)) && !place.contains("outcome/");
    match raw {
        "null" => or_nothing && !here.is_array() && !place.ends_with("drawn") && !place.ends_with("seat"),
        "7" => here.is_null() && or_nothing && !place.ends_with("outcome") && !place.ends_with("fresh"),
        "-1" => place.contains("points") || place.contains("scores"),
        _ => false,
    }
}

#[test]
fn l3_a_field_of_another_type_is_refused() {
    for (played, states) in states() {
        for state in states {
            for place in places(&state) {
                let here = state.pointer(&place).unwrap();
                for raw in other_types(here) {
                    if !is_possible(&place, here, raw) {
                        refused(&played, &with_raw(&state, &place, raw), &place);
                    }
                }
            }
        }
    }
}

#[test]
fn l3_a_missing_unknown_or_double_field_is_refused() {
    for (played, states) in states() {
        for state in states {
            refused(&played, &with_extra(&state, "").unwrap(), "/extra");
            for place in places(&state) {
                if state.pointer(place.rsplit_once('/').unwrap().0).unwrap().is_object() {
                    refused(&played, &without(&state, &place), &place);
                }
                if let Some(text) = with_extra(&state, &place) {
                    refused(&played, &text, &place);
                }
                if let Some(text) = with_twin(&state, &place) {
                    refused(&played, &text, &place);
                }
            }
        }
    }
}

#[test]
fn l3_a_list_or_text_around_a_state_is_refused() {
    let played = kalah();
    let state: Value = serde_json::from_str(&played.state()).unwrap();
    let names = ["table", "number", "phase", "order", "acting", "waiting", "initiative", "data", "outcome"];
    let list: Vec<_> = names.iter().map(|name| state[name].clone()).collect();
    assert_eq!(restore(&played, &Value::from(list).to_string()).err().unwrap().place, "state");
    let outcome: Vec<_> =
        ["results", "reason", "scores"].iter().map(|name| state["outcome"][name].clone()).collect();
    refused(&played, &with_raw(&state, "/outcome", &Value::from(outcome).to_string()), "/outcome");
    assert_eq!(restore(&played, &format!("{state} {{}}")).err().unwrap().place, "the end of the state");
    for place in places(&state) {
        for text in [nested("[", "]"), nested(r#"{"a":"#, "}")] {
            assert!(restore(&played, &with_raw(&state, &place, &text)).is_err());
        }
    }
}

#[test]
fn l3_who_acts_waits_or_leads_is_in_the_turn_order() {
    let played = dare();
    let state: Value = serde_json::from_str(&played.after(1).state_json().unwrap()).unwrap();
    for (place, raw, named) in [
        ("/order", "[0,2]", "state.waiting"),
        ("/order", "[0,1,3]", "state.order[2]"),
        ("/order", "[0,1,1]", "state.order[2]"),
        ("/order", "[0,1,2,0]", "state.order[3]"),
        ("/order", "[0,1,2,2,2]", "state.order"),
        ("/acting", "3", "state.acting"),
        ("/waiting", "[0,0]", "state.waiting[1]"),
        ("/waiting", "[0,3]", "state.waiting[1]"),
        ("/initiative", "3", "state.initiative"),
        ("/phase", "\"sow\"", "state.phase"),
        ("/number", "100001", "state.number"),
        ("/number", "4294967295", "state.number"),
    ] {
        let mut text = with_raw(&state, place, raw);
        if named == "state.waiting" {
            text = text.replace("\"waiting\":[0,2]", "\"waiting\":[1]");
        }
        let error = restore(&played, &text).err().unwrap_or_else(|| panic!("{place} {raw} was accepted"));
        assert!(error.place.starts_with(named), "{place} {raw}: {error}");
    }
}

#[test]
fn l3_a_state_of_another_table_is_refused() {
    let other = open(Setting { seed: 9, ..Setting::of("kalah") });
    assert_eq!(restore(&kalah(), &other.state()).err().unwrap().place, "state.table");
}

#[test]
fn l3_an_ended_state_has_a_result_for_each_seat_and_nobody_to_move() {
    let played = kalah();
    let state: Value = serde_json::from_str(&played.state()).unwrap();
    for (place, raw) in [
        ("/outcome/results", json!(["won"])),
        ("/outcome/results", json!(["won", "lost", "lost"])),
        ("/outcome/scores", json!([])),
        ("/acting", json!(0)),
        ("/waiting", json!([0])),
    ] {
        let error = restore(&played, &with_raw(&state, place, &raw.to_string())).err().unwrap();
        assert_eq!(error.place, "state.outcome", "{place} {raw}");
    }
}

#[test]
fn l3_data_of_another_number_of_seats_is_refused() {
    let (short, long) = (letters(), dare());
    for (played, place, raw) in [
        (&short, "/data/racks", json!(["ab"])),
        (&short, "/data/points", json!([])),
        (&long, "/data/chosen", json!([null, null])),
        (&long, "/data/dice", json!([[], [], [], []])),
    ] {
        let state: Value = serde_json::from_str(&played.after(0).state_json().unwrap()).unwrap();
        let error = restore(played, &with_raw(&state, place, &raw.to_string())).err().unwrap();
        assert!(error.place.starts_with("state.data"), "{place}: {error}");
    }
}
