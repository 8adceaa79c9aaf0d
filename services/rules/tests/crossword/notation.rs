//! How places and moves are written.

use astragal_rules::crossword::content::{Move, Play};
use astragal_rules::crossword::place::{Direction, Place, SIDE, Start};

#[test]
fn crossword_places_are_read_as_they_are_printed() {
    let mut seen = std::collections::BTreeSet::new();
    for place in Place::all() {
        for direction in [Direction::Across, Direction::Down] {
            let start = Start { place, direction };
            let text = start.to_string();
            assert_eq!(text.parse(), Ok(start));
            assert!(seen.insert(text));
        }
    }
    assert_eq!(seen.len(), 2 * SIDE * SIDE);
    let at = |text: &str| text.parse::<Start>().map(|start| (start.place.row(), start.place.column()));
    assert_eq!(at("8D"), Ok((7, 3)));
    assert_eq!("8D".parse::<Start>().unwrap().direction, Direction::Across);
    assert_eq!(at("D8"), Ok((7, 3)));
    assert_eq!("D8".parse::<Start>().unwrap().direction, Direction::Down);
}

#[test]
fn crossword_refuses_what_is_no_place() {
    for bad in [
        "", "8", "D", "0A", "16A", "8P", "P8", "08D", "D08", "8d", "8DD", "+8D", "D+8", "Д8", "8Д", "D-8",
        "888D",
    ] {
        let error = bad.parse::<Start>().expect_err(bad).to_string();
        assert!(error.ends_with("is not a place, write 8D for across from D8 and D8 for down"), "{error}");
    }
}

#[test]
fn crossword_moves_are_read_as_they_are_printed() {
    let play = Move::Play(Play { at: "8D".parse().unwrap(), tiles: "JEToN".to_owned() });
    for (action, text) in [
        (play, r#"{"play":{"at":"8D","tiles":"JEToN"}}"#),
        (Move::Exchange("QU?".to_owned()), r#"{"exchange":"QU?"}"#),
        (Move::PASS, r#"{"pass":true}"#),
        (Move::CHALLENGE, r#"{"challenge":true}"#),
        (Move::Verdict(false), r#"{"verdict":false}"#),
    ] {
        assert_eq!(serde_json::to_string(&action).unwrap(), text);
        assert_eq!(serde_json::from_str::<Move>(text).unwrap(), action);
    }
}

#[test]
fn crossword_refuses_what_is_no_move() {
    for bad in [
        r#"{"pass":false}"#,
        r#"{"pass":1}"#,
        r#""pass""#,
        r#"{"challenge":false}"#,
        r#"{"play":{"at":"8D"}}"#,
        r#"{"play":{"at":"D","tiles":"AB"}}"#,
        r#"{"play":{"at":"8D","tiles":"AB","x":1}}"#,
        r#"{"exchange":["Q"]}"#,
        r#"{"swap":"Q"}"#,
        "{}",
    ] {
        assert!(serde_json::from_str::<Move>(bad).is_err(), "{bad}");
    }
}
