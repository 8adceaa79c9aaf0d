//! What is said of texts that can't be read: what is wrong with them, in a sentence that does not grow with
//! what somebody sent.

use crate::certified::kalah;
use crate::samples::{dare, open};
use crate::toys::played::Setting;
use crate::toys::registry;
use astragal_rules::certificate::Certificate;
use astragal_rules::error::IllegalMove;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::log::Header;
use std::sync::Arc;

const BOOK: &str = "abcdefghij";

#[test]
fn l10_a_refusal_repeats_little_of_what_was_sent() {
    let book = BOOK.repeat(500);
    let mut played = open(Setting::of("kalah"));
    let moves = [
        format!(r#"{{"{book}":1}}"#),
        format!(r#"{{"pit":"{book}"}}"#),
        format!(r#"{{"pit":1,"{book}":1,"{book}":2}}"#),
        format!("{book:?}"),
        book.clone(),
    ];
    for action in moves {
        let IllegalMove::Unreadable(said) = played.refused(Some(0), &action) else { panic!("{action}") };
        assert!(said.len() < 250 && said.ends_with(r#"; write {"pit":3}, a pit from 1 to 6"#), "{said}");
    }
    let said = played.refused(Some(0), r#"{"hole":3}"#).to_string();
    let expected = "not a move of this game: unknown field `hole`, expected `pit`; write ";
    assert_eq!(said, format!(r#"{expected}{{"pit":3}}, a pit from 1 to 6"#));

    let game = registry().get("kalah", 1).unwrap().clone();
    let options = [format!(r#"{{"{book}":1}}"#), format!(r#"{{"capture":"{book}"}}"#)];
    for refused in
        [game.options(None, &options[0]), game.options(None, &options[1]), game.options(Some(&book), "{}")]
    {
        let said = refused.unwrap_err().to_string();
        assert!(said.len() < 350 && said.contains("abcdefghij"), "{said}");
    }
    let mut opening = Setting::of("kalah").opening(&registry());
    opening.game = book;
    let refused = registry().setup(&Header { opening: Arc::new(opening), moves: 0 });
    assert!(refused.err().unwrap().to_string().len() < 150);
}

/// P5, L2: a file that broke off on its way is what it is, and says so.
#[test]
fn p5_l2_a_file_that_broke_off_is_told_so() {
    let certificate = kalah(3);
    let (whole, log) = (certificate.to_json().unwrap(), dare().finished().to_json().unwrap());
    for length in [20, whole.len() / 2, whole.len() - 1] {
        assert!(Certificate::is_named_by(&whole[..length]));
        let error = Certificate::from_json(&whole[..length]).err().unwrap();
        assert_eq!(
            (&*error.place, &*error.why),
            ("certificate", "the text ends too early, a part of it is missing")
        );
    }
    for length in [0, 20, log.len() / 2, log.len() - 1] {
        assert!(!Certificate::is_named_by(&log[..length]));
        let error = FinishedLog::from_json(&log[..length]).err().unwrap();
        assert_eq!(error.why, "the text ends too early, a part of it is missing", "{}", error.place);
    }
}

/// P5, L2: a certificate is no log, and a mark before the text is none of either.
#[test]
fn p5_l2_a_certificate_in_place_of_a_log_and_a_mark_before_it_are_named() {
    let (whole, log) = (kalah(3).to_json().unwrap(), dare().finished().to_json().unwrap());
    let error = FinishedLog::from_json(&whole).err().unwrap();
    assert_eq!((&*error.place, error.why.starts_with("this is a certificate; take")), ("certificate", true));
    let marked = "begins with a byte order mark; save it as UTF-8 without one";
    assert_eq!(FinishedLog::from_json(&format!("\u{feff}{log}")).err().unwrap().why, marked);
    assert_eq!(FinishedLog::from_json(&format!("\u{feff}{whole}")).err().unwrap().why, marked);
    assert_eq!(Certificate::from_json(&format!("\u{feff}{whole}")).err().unwrap().why, marked);
}
