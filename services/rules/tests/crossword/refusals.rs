//! Every refusal says what is wrong and where, and leaves the table as it was.

use crate::table::{Position, play, refused, step, table};
use crate::words;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::game::AcceptAll;
use astragal_rules::seat::Seat;

const CAT: &[(usize, &str)] = &[(8, ".....CAT.......")];

fn english<'p>(rows: &'p [(usize, &'p str)], racks: &'p [&'p str], bag: usize) -> Position<'p> {
    Position { options: r#"{"words":"any"}"#, racks, rows, bag }
}

fn check(position: &Position<'_>, action: &str, expected: &str) {
    let table = position.table();
    assert_eq!(refused(&*table, 0, action, &AcceptAll), expected, "{action}");
}

#[test]
fn crossword_says_what_is_wrong_with_a_play() {
    let position = english(CAT, &["ABDEST?", "EEEEEEE"], 20);
    for (at, tiles, expected) in [
        ("9A", "QA", "A9: Q is not on your rack"),
        ("D9", "SS", "D10: S is not on your rack"),
        ("9F", "sBez", "H9: a blank is not on your rack"),
        ("8I", "qz", "J8: a blank is not on your rack"),
        ("8E", "BE", "F8 is filled, write . for it"),
        ("8D", "B....", "E8 is empty, lay a tile there or begin after it"),
        ("8D", "B.", "E8 is empty, lay a tile there or begin after it"),
        ("7M", "BADE", "the tiles go over the edge of the board"),
        ("8N", "BAD", "the tiles go over the edge of the board"),
        ("8F", "...", "lay at least one tile, or pass"),
        ("8F", "", "lay at least one tile, or pass"),
        ("1A", "BAD", "the tiles touch none of those on the board"),
        ("9I", "BAD", "the tiles touch none of those on the board"),
        ("A1", "BADESTRS", "a play has at most 7 tiles"),
        ("9F", "BaÉ", "H9: 'É' is not a letter of this set"),
        ("9F", "B1", "G9: '1' is not a letter of this set"),
        ("9F", "Be\u{301}", "H9: U+0301 is a combining mark, write the letter as one character"),
        ("9F", "BА", "G9: А (U+0410) only looks like the A of this set (U+0041)"),
        ("9F", "BЖ", "G9: Ж is a letter of the russian set, not of this one"),
        ("9F", "Bı", "G9: ı is a letter of the turkish set, not of this one"),
        ("9F", "Bİ", "G9: İ is a letter of the turkish set, not of this one"),
    ] {
        check(&position, &play(at, tiles), expected);
    }
}

#[test]
fn crossword_says_what_is_wrong_with_a_first_play() {
    let position = english(&[], &["ABDEST?", "EEEEEEE"], 86);
    check(&position, &play("9H", "BAD"), "the first play covers the centre, H8");
    check(&position, &play("8I", "BAD"), "the first play covers the centre, H8");
    check(&position, &play("8H", "B"), "the first play has two tiles or more");
    check(&position, &play("8G", "."), "G8 is empty, lay a tile there or begin after it");
}

#[test]
fn crossword_letters_of_other_alphabets_are_told_apart() {
    let russian = Position {
        options: r#"{"variant":"russian","words":"any"}"#,
        ..english(&[], &["АЕЁТНОС", "ИИИИ"], 200)
    };
    let at = |tiles| play("8H", tiles);
    check(&russian, &at("TА"), "H8: T (U+0054) only looks like the Т of this set (U+0422)");
    check(&russian, &at("Тe"), "I8: e (U+0065) only looks like the е of this set (U+0435)");
    check(&russian, &at("ТЕЁЁ"), "K8: Ё is not on your rack");
    check(&russian, &at("ТЕЕ"), "J8: Е is not on your rack");
    check(&russian, &at("Тё"), "I8: a blank is not on your rack");
    check(&russian, &at("ТЕ\u{308}"), "J8: U+0308 is a combining mark, write the letter as one character");
    check(&russian, &at("ТJ"), "I8: J is a letter of the english set, not of this one");
    let erudit = Position {
        options: r#"{"variant":"erudit","words":"any"}"#,
        ..english(&[], &["АЕТНОС?", "ИИИИ"], 200)
    };
    check(&erudit, &at("ТЁ"), "I8: the set has no Ё, write Е");
    check(&erudit, &at("Тё"), "I8: the set has no ё, write е");
    let turkish = Position {
        options: r#"{"variant":"turkish","words":"any"}"#,
        ..english(&[], &["IİKALEN", "AAAA"], 200)
    };
    check(&turkish, &at("KII"), "J8: I is not on your rack");
    check(&turkish, &at("Kİİ"), "J8: İ is not on your rack");
    check(&turkish, &at("Ki"), "I8: a blank is not on your rack");
    check(&turkish, &at("KI\u{307}"), "J8: U+0307 is a combining mark, write the letter as one character");
    check(&turkish, &at("KW"), "I8: W is a letter of the english set, not of this one");
    check(&turkish, &at("KА"), "I8: А (U+0410) only looks like the A of this set (U+0041)");
    let (_, after) = step(&*turkish.table(), 0, &at("KIİ"), &AcceptAll);
    assert!(after.state_json().unwrap().contains("KIİ"));
}

#[test]
fn crossword_names_each_word_that_is_not_in_the_dictionary() {
    let dictionary = words::english();
    let known = words::english_words();
    let longer = |word: &&String| word.len() < 7 && known.iter().any(|other| is_one_more(other, word));
    let word = known.iter().find(longer).expect("a word that takes a letter at its end");
    let more =
        known.iter().find(|other| is_one_more(other, word)).expect("the longer word").split_at(word.len()).1;
    let row = format!("{:.<15}", format!("....{word}"));
    let rows = [(8, row.as_str())];
    let table = Position { options: "{}", ..english(&rows, &["??", "EEEE"], 20) }.table();
    let says = |at: &str, tiles: &str| refused(&*table, 0, &play(at, tiles), &dictionary);
    let after = char::from(b'E' + word.len() as u8);
    assert_eq!(says(&format!("8{after}"), "q"), format!("{word}Q is not in the dictionary"));
    assert_eq!(says(&format!("{after}8"), "qq"), format!("QQ, {word}Q are not in the dictionary"));
    step(&*table, 0, &play(&format!("8{after}"), &more.to_ascii_lowercase()), &dictionary);
}

/// True if the word is the other one with a letter at its end.
fn is_one_more(word: &str, other: &str) -> bool {
    word.len() == other.len() + 1 && word.starts_with(other)
}

#[test]
fn crossword_says_what_is_wrong_with_an_exchange() {
    let exchange = |tiles: &str| format!(r#"{{"exchange":"{tiles}"}}"#);
    let position = english(CAT, &["AABDES?", "EEEEEEE"], 7);
    check(&position, &exchange(""), "exchange one tile or more, or pass");
    check(&position, &exchange("Q"), "your rack has not so many Q");
    check(&position, &exchange("AAA"), "your rack has not so many A");
    check(&position, &exchange("??"), "your rack has not so many ?");
    check(&position, &exchange("a"), "a is written small, write A, or ? for a blank");
    check(&position, &exchange("Б"), "Б is a letter of the russian set, not of this one");
    check(&position, &exchange(&"E".repeat(5_000)), "your rack has not so many E");
    let position = english(CAT, &["AABDES?", "EEEEEEE"], 6);
    check(&position, &exchange("A"), "the bag has 6 tiles, an exchange needs 7: play or pass");
}

#[test]
fn crossword_says_what_else_is_not_to_be_done() {
    let table = table(2, r#"{"words":"any"}"#);
    let says = |seat, action: &str| {
        let error = table.step(seat, action, &AcceptAll).err().expect("refused");
        error.to_string()
    };
    assert_eq!(says(Some(Seat(1)), r#"{"pass":true}"#), "it is not the turn of seat 1");
    assert_eq!(says(Some(Seat(0)), r#"{"challenge":true}"#), "there is no play that you can challenge");
    assert_eq!(says(Some(Seat(0)), r#"{"verdict":true}"#), "the verdict is the table's to give");
    assert_eq!(says(None, r#"{"verdict":true}"#), "the table only gives verdicts on challenges");
    assert_eq!(says(None, r#"{"pass":true}"#), "the table only gives verdicts on challenges");
    let setup = |options: &str| {
        let game = crate::table::registry();
        let game = game.newest("crossword").unwrap();
        let made =
            game.options(None, options).map(|_| game.setup(crate::table::opening(2, options, 1)).map(|_| ()));
        made.and_then(|made| made).expect_err(options).to_string()
    };
    assert_eq!(
        setup(r#"{"words":"any","challenge":"double"}"#),
        "invalid game at options.challenge: where any word is good none can be challenged"
    );
    let bare = astragal_rules::registry::Registry::new().with(Crossword::default());
    let bare = bare.newest("crossword").unwrap();
    assert_eq!(
        bare.options(Some("turkish"), "{}").unwrap_err().to_string(),
        "invalid game at options.words: there is no turkish dictionary here, choose words \"any\""
    );
    assert!(!bare.about().robots && bare.options(Some("turkish"), r#"{"words":"any"}"#).is_ok());
    assert!(setup(r#"{"variant":"klingon"}"#).starts_with("invalid game at options.variant: "));
    assert!(setup(r#"{"words":"some"}"#).starts_with("invalid game at options.words: "));
}

/// L10: whoever sends what is no move is told what one looks like.
#[test]
fn l10_crossword_shows_its_moves_to_who_sends_something_else() {
    let form =
        r#"{"play":{"at":"8D","tiles":"JETON"}}, {"exchange":"QU?"}, {"pass":true} or {"challenge":true}"#;
    for (action, why) in [
        (r#""pass""#, "a word alone"),
        ("true", "neither an object nor a word"),
        (r#"{"pass":true,"exchange":"A"}"#, "2 members in place of one"),
        ("{}", "0 members in place of one"),
        (r#"[{"pass":true}]"#, "a list"),
        ("{pass}", "no JSON, key must be a string at line 1 column 2"),
        (r#"{"pass""#, "no JSON, the text ends too early, a part of it is missing"),
        (r#"{"pass":false}"#, "write true, or make another move"),
        (
            r#"{"fold":true}"#,
            "unknown variant `fold`, expected one of `play`, `exchange`, `pass`, `challenge`, `verdict`",
        ),
    ] {
        check(
            &english(CAT, &["A", "E"], 20),
            action,
            &format!("not a move of this game: {why}; write {form}"),
        );
    }
}
