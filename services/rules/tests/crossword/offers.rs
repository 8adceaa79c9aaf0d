//! What is offered with which dictionaries, and who judges a table that was opened with another.

use crate::words;
use astragal_rules::any::AnyTable;
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

fn registry(dictionaries: Dictionaries) -> Registry {
    Registry::new().with(Crossword::new(dictionaries))
}

fn options(registry: &Registry, options: &Value) -> Result<Value, String> {
    let offered = registry.newest("crossword").unwrap().options(None, &options.to_string());
    offered.map(|text| serde_json::from_str(&text).unwrap()).map_err(|error| error.to_string())
}

fn table(registry: &Registry, options: &Value) -> Result<Box<dyn AnyTable>, String> {
    let opening = Opening {
        table: Uuid::from_u128(1),
        game: "crossword".to_owned(),
        version: 1,
        seed: Seed::new([7; 32]),
        seats: 2,
        options: options.to_string(),
        first_seat: Seat(0),
    };
    registry.newest("crossword").unwrap().setup(Arc::new(opening)).map_err(|error| error.to_string())
}

#[test]
fn crossword_options_record_the_dictionary_that_judges() {
    let english = words::english();
    let recorded = json!({ "name": english.name(), "sha256": english.sha256() });
    let here = registry(words::all());
    for kind in [json!({}), json!({ "challenge": "double" }), json!({ "dictionary": recorded })] {
        let offered = options(&here, &kind).unwrap();
        assert_eq!(offered["dictionary"], recorded, "{kind}");
        assert_eq!(options(&here, &offered), Ok(offered.clone()), "offered again they are the same");
    }
    let free = options(&here, &json!({ "words": "any" })).unwrap();
    assert_eq!(free, json!({ "variant": "english", "words": "any", "challenge": "void" }));
}

#[test]
fn crossword_options_of_another_dictionary_are_refused() {
    let here = registry(words::all());
    let other = json!({ "dictionary": { "name": "other", "sha256": "0".repeat(64) } });
    let error = options(&here, &other).expect_err("another dictionary");
    assert!(error.starts_with("invalid game at options.dictionary: that one is not here, "), "{error}");
    let error = options(&registry(Dictionaries::default()), &json!({})).expect_err("no dictionary");
    assert!(error.ends_with("there is no english dictionary here, choose words \"any\""), "{error}");
    for odd in [json!({ "name": "other" }), json!({ "name": "o", "sha256": "0", "words": 1 }), json!("other")]
    {
        assert!(options(&here, &json!({ "dictionary": odd })).is_err(), "{odd}");
    }
    let free = json!({ "words": "any", "dictionary": { "name": "other", "sha256": "0" } });
    let error = table(&here, &free).err().expect("nobody judges there");
    assert_eq!(error, "invalid game at options.dictionary: where any word is good none judges");
}

#[test]
fn crossword_tables_are_judged_by_the_dictionary_that_they_record_and_no_other() {
    let here = registry(words::all());
    let judged = options(&here, &json!({})).unwrap();
    let judge = |registry: &Registry, options: &Value, word: &str| {
        let table = table(registry, options).unwrap();
        let judge = table.judge().map(|judge| judge.accepts(word));
        judge.map_err(|error| error.to_string())
    };
    assert_eq!(judge(&here, &judged, "QI"), Ok(true));
    assert_eq!(judge(&here, &judged, "QQ"), Ok(false));
    assert_eq!(judge(&here, &json!({ "words": "any" }), "QQ"), Ok(true));
    // Tables that were opened before it was recorded are judged by what is here.
    assert_eq!(judge(&here, &json!({}), "QQ"), Ok(false));

    let other = Dictionary::build("other", Variant::English, "", "QQ").unwrap();
    let elsewhere = registry(Dictionaries::default().with(other));
    let missing = "invalid game at options.dictionary: the dictionary that judges this table is not here";
    for without in [&elsewhere, &registry(Dictionaries::default())] {
        assert_eq!(judge(without, &judged, "QQ"), Err(missing.to_owned()));
    }
    // A build that has both goes on with each, and judges new tables by the newer one.
    let both = registry(words::all().with(Dictionary::build("other", Variant::English, "", "QQ").unwrap()));
    assert_eq!(judge(&both, &judged, "QQ"), Ok(false));
    assert_eq!(options(&both, &judged), Ok(judged.clone()));
    assert_eq!(judge(&both, &options(&both, &json!({})).unwrap(), "QQ"), Ok(true));
    // Its robots don't use the words of the other one either.
    let there = table(&elsewhere, &judged).unwrap();
    let robot = there.robot_move(Seat(0), 5, &[1; 32]).unwrap().expect("a move");
    assert!(!robot.contains("play"), "{robot}");
}
