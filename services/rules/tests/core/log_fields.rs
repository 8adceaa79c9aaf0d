//! Every field of a good finished log made wrong, one at a time. The error names the place.

use crate::json_edit::{nested, other_types, places, with_extra, with_raw, with_twin, without};
use crate::samples::{all, check, counter, dare};
use crate::toys::played::Played;
use crate::toys::registry;
use astragal_rules::error::InvalidGame;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::log::{LoggedMove, MOVES_MAX, TableLog};
use serde_json::Value;
use std::sync::Arc;

fn value_of(played: &Played) -> Value {
    serde_json::from_str(&played.finished().to_json().unwrap()).unwrap()
}

/// The log is refused, at one of the places by which its field may be called.
#[track_caller]
fn refused(played: &Played, text: &str, place: &str) -> InvalidGame {
    let Err(error) = check(text, &registry(), played) else { panic!("{place} was accepted: {text}") };
    let mut steps = place.split('/').skip(1);
    let field = steps.next().unwrap_or_default();
    let index: Option<usize> = steps.next().and_then(|index| index.parse().ok());
    let named = match (field, index) {
        ("moves", Some(index)) => {
            error.place.starts_with(&format!("moves[{index}]"))
                || error.place == format!("move {}", index + 1)
        }
        (field, _) => error.place.starts_with(field),
    };
    // A member of the log itself that is missing or too many is named in the sentence.
    let named = named || error.place == "log" && error.why.contains(field);
    assert!(named, "{place}: {error}");
    error
}

#[test]
fn l2_a_field_of_another_type_is_refused() {
    for played in all() {
        let value = value_of(&played);
        for place in places(&value) {
            for raw in other_types(value.pointer(&place).unwrap()) {
                refused(&played, &with_raw(&value, &place, raw), &place);
            }
        }
    }
}

#[test]
fn l2_a_missing_field_is_refused() {
    for played in all() {
        let value = value_of(&played);
        for place in places(&value) {
            // An option that is left out has its default, so that options can be added later.
            let is_field = value.pointer(place.rsplit_once('/').unwrap().0).unwrap().is_object();
            if is_field && !place.starts_with("/options/") {
                refused(&played, &without(&value, &place), &place);
            }
        }
    }
}

#[test]
fn l2_an_unknown_field_is_refused() {
    for played in all() {
        let value = value_of(&played);
        assert_eq!(check(&with_extra(&value, "").unwrap(), &registry(), &played).unwrap_err().place, "extra");
        for place in places(&value) {
            if let Some(text) = with_extra(&value, &place) {
                refused(&played, &text, &place);
            }
        }
    }
}

#[test]
fn l2_a_field_that_stands_twice_is_refused() {
    for played in all() {
        let value = value_of(&played);
        for place in places(&value) {
            if let Some(text) = with_twin(&value, &place) {
                refused(&played, &text, &place);
            }
        }
    }
}

#[test]
fn l2_a_list_in_place_of_an_object_is_refused() {
    for played in all() {
        let value = value_of(&played);
        let members = |object: &Value| {
            // In the order in which a lenient reader would take them.
            let names =
                ["format", "chance", "table", "game", "version", "seed", "seats", "options", "firstSeat"];
            let names = names.iter().chain(&["moves", "number", "seat", "move", "drew", "kind", "level"]);
            let known: Vec<Value> = names.filter_map(|name| object.get(name).cloned()).collect();
            let all: Vec<Value> = object.as_object().unwrap().values().cloned().collect();
            Value::from(if known.len() == all.len() { known } else { all }).to_string()
        };
        let error = check(&members(&value), &registry(), &played).unwrap_err();
        assert_eq!((error.place.as_str(), error.why.contains("an object")), ("log", true), "{error}");
        for place in places(&value) {
            let here = value.pointer(&place).unwrap();
            if here.is_object() {
                refused(&played, &with_raw(&value, &place, &members(here)), &place);
            }
        }
    }
}

#[test]
fn l2_a_seed_is_64_lower_case_hex_digits() {
    let played = counter(1);
    let value = value_of(&played);
    let upper = "0A".repeat(32);
    let mixed = format!("{}0G", "07".repeat(31));
    let wide = format!("{}０７", "07".repeat(30));
    for seed in [&upper, &mixed, &wide, &"07".repeat(31), &"07".repeat(33), &"7".repeat(63), &String::new()] {
        let error =
            refused(&played, &with_raw(&value, "/seed", &Value::from(seed.as_str()).to_string()), "/seed");
        assert_eq!((error.place.as_str(), error.why.as_str()), ("seed", "not 64 lower-case hex digits"));
    }
}

#[test]
fn l2_a_table_id_has_one_form() {
    let played = counter(1);
    let value = value_of(&played);
    let id = value["table"].as_str().unwrap();
    for form in [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}"), id.replace('0', "A")] {
        refused(&played, &with_raw(&value, "/table", &format!("{form:?}")), "/table");
    }
}

#[test]
fn l2_a_gap_in_the_numbers_is_refused() {
    let played = dare();
    let value = value_of(&played);
    for index in 0..played.moves().len() {
        for number in ["0", "4294967295", &(index + 2).to_string(), &index.to_string()] {
            let place = format!("/moves/{index}/number");
            let error = refused(&played, &with_raw(&value, &place, number), &place);
            assert_eq!(error.place, format!("moves[{index}].number"));
        }
    }
    let error = check(&without(&value, "/moves/1"), &registry(), &played).unwrap_err();
    assert_eq!((error.place.as_str(), error.why.as_str()), ("moves[1].number", "expected 2, found 3"));
}

#[test]
fn l2_a_seat_that_is_not_seated_is_refused() {
    let played = dare();
    let value = value_of(&played);
    for seat in ["3", "4", "255"] {
        let error = refused(&played, &with_raw(&value, "/moves/2/seat", seat), "/moves/2/seat");
        assert_eq!(error.place, "moves[2].seat");
        refused(&played, &with_raw(&value, "/firstSeat", seat), "/firstSeat");
    }
    for level in ["0", "6"] {
        let error = refused(&played, &with_raw(&value, "/seats/2/level", level), "/seats/2/level");
        assert_eq!(error.place, "seats[2].level");
    }
    let one = r#"{"kind":"player"}"#;
    for count in [0, 1, 2, 4, 5, 300] {
        let seats = format!("[{}]", vec![one; count].join(","));
        let error = check(&with_raw(&value, "/seats", &seats), &registry(), &played).unwrap_err();
        assert!(
            ["seats", "firstSeat"].contains(&&*error.place) || error.place.starts_with("move"),
            "{error}"
        );
    }
}

#[test]
fn l1_a_log_holds_at_most_100_000_moves() {
    let played = counter(1);
    let one = LoggedMove { number: 1, seat: None, action: "0".into(), drew: false };
    let moves = |count| (1..=count).map(|number| LoggedMove { number, ..one.clone() }).collect::<Vec<_>>();
    assert_eq!(MOVES_MAX, 100_000);
    assert!(TableLog::new(Arc::clone(played.now().opening()), moves(MOVES_MAX)).is_ok());
    let error = TableLog::new(Arc::clone(played.now().opening()), moves(MOVES_MAX + 1)).err().unwrap();
    assert_eq!(error.place, "moves");

    let value = value_of(&played);
    let texts = |count: u32| -> String {
        let texts =
            (1..=count).map(|number| format!(r#"{{"number":{number},"seat":null,"move":0,"drew":false}}"#));
        format!("[{}]", texts.collect::<Vec<_>>().join(","))
    };
    assert!(FinishedLog::from_json(&with_raw(&value, "/moves", &texts(MOVES_MAX))).is_ok());
    let error = FinishedLog::from_json(&with_raw(&value, "/moves", &texts(MOVES_MAX + 1))).err().unwrap();
    assert_eq!(error.place, "moves");
    assert!(error.why.contains("at most 100000"), "{error}");
    // The reader stops there: what comes after is not even looked at.
    let endless = texts(MOVES_MAX + 1).replace(']', ",");
    let error = FinishedLog::from_json(&with_raw(&value, "/moves", &endless)).err().unwrap();
    assert!(error.why.contains("at most 100000"), "{error}");
}

#[test]
fn l2_a_megabyte_of_nesting_is_refused_everywhere() {
    let played = dare();
    let value = value_of(&played);
    for text in [nested("[", "]"), nested(r#"{"a":"#, "}"), "[".repeat(1_000_000), "{\"a\":".repeat(200_000)]
    {
        assert!(check(&text, &registry(), &played).is_err());
        let extra = format!(r#"{{"extra":{text},"#);
        assert!(check(&value.to_string().replacen('{', &extra, 1), &registry(), &played).is_err());
        for place in places(&value) {
            assert!(check(&with_raw(&value, &place, &text), &registry(), &played).is_err(), "{place}");
        }
    }
}
