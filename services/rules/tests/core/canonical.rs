//! The one text form: as an independent writer has it, for all that we write; the rest is refused.

use astragal_rules::canonical::{canonical, canonical_text};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const SAFE: i64 = (1 << 53) - 1;

/// Values with names and texts that are hard to order and to quote.
fn values() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), "[\\x00-\\x1f\"\\\\/é\u{e000}\u{ffff}\u{1f600}]{0,4}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-SAFE..=SAFE).prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let members = prop::collection::vec((text.clone(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            members.prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn l2_the_form_is_that_of_rfc_8785(value in values()) {
        let text = canonical(&value).unwrap();
        prop_assert_eq!(&text, &serde_json_canonicalizer::to_string(&value).unwrap());
        prop_assert_eq!(canonical_text(&value.to_string()).unwrap(), text);
    }
}

#[test]
fn l2_numbers_keep_all_their_digits_or_are_refused() {
    for number in [0, -1, SAFE, -SAFE] {
        assert_eq!(canonical(&number).unwrap(), number.to_string());
    }
    for number in [SAFE + 1, -SAFE - 1, i64::MAX, i64::MIN] {
        assert!(canonical(&number).is_err());
        assert!(canonical_text(&number.to_string()).is_err());
    }
    assert!(canonical(&u64::MAX).is_err());
    assert!(canonical(&0.5).is_err());
    for text in ["1.0", "1e2", "-0", "-0.0", "1E400", "9007199254740993.0"] {
        assert!(canonical_text(text).is_err(), "{text}");
    }
}

#[test]
fn l2_members_are_ordered_by_utf_16() {
    let value = json!({"\u{ff5e}": 1, "\u{1f600}": 2, "b": 3, "a": {"z": [], "": null}});
    assert_eq!(
        canonical(&value).unwrap(),
        "{\"a\":{\"\":null,\"z\":[]},\"b\":3,\"\u{1f600}\":2,\"\u{ff5e}\":1}"
    );
}

#[test]
fn l2_twins_are_refused_at_any_depth() {
    for text in [r#"{"a":1,"a":1}"#, r#"[{"a":{"b":1,"c":2,"b":3}}]"#, r#"{"a":1,"\u0061":2}"#] {
        assert!(canonical_text(text).unwrap_err().contains("stands twice"), "{text}");
    }
}

#[test]
fn l2_nesting_has_a_bound_that_is_the_same_both_ways() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let value = |levels: usize| serde_json::from_str::<Value>(&nested(levels)).unwrap();
    for (levels, good) in [(64, true), (65, true), (66, false), (100, false)] {
        assert_eq!(canonical_text(&nested(levels)).is_ok(), good, "{levels}");
        assert_eq!(canonical(&value(levels)).is_ok(), good, "{levels}");
    }
    assert!(canonical_text(&nested(1_000_000)).is_err());
}

#[test]
fn l2_names_that_a_library_keeps_for_itself_are_plain_names() {
    let text = r#"{"$serde_json::private::RawValue":"[1,"}"#;
    assert_eq!(canonical_text(text).unwrap(), text);
}
