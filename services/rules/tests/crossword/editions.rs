//! The shipped editions are what others say they are.

use crate::data;
use astragal_rules::crossword::edition::{Edition, Variant};
use astragal_rules::crossword::place::Place;
use astragal_rules::crossword::tiles::Tiles;
use serde_json::Value;

fn check(variant: Variant, expected: &Value) {
    let edition = variant.edition();
    let name = edition.set.name();
    let all = Tiles::all(edition);
    assert_eq!(all.count() as u64, expected["total"], "{name}");
    assert_eq!(u64::from(all.of(0)), expected["blank"]["count"], "{name}");
    assert_eq!(u64::from(edition.value(0)), expected["blank"]["value"], "{name}");
    let tiles = expected["tiles"].as_array().unwrap();
    assert_eq!(tiles.len(), edition.alphabet.count(), "{name}");
    for (face, tile) in (1..).zip(tiles) {
        let letter = tile["letter"].as_str().unwrap();
        assert_eq!(edition.alphabet.face_character(face).to_string(), letter);
        assert_eq!(edition.alphabet.face(letter.chars().next().unwrap()), Some(face));
        assert_eq!(u64::from(all.of(face)), tile["count"], "{name} {letter}");
        assert_eq!(u64::from(edition.value(face)), tile["value"], "{name} {letter}");
    }
}

#[test]
fn crossword_tile_sets_are_those_of_the_data() {
    let sets = data::json("crossword/tile_sets.json");
    check(Variant::English, &sets["english_100"]);
    check(Variant::Russian, &sets["russian_104"]);
    check(Variant::Erudit, &sets["erudit_131"]);
    check(Variant::Turkish, &sets["turkish_100"]);
}

#[test]
fn crossword_premiums_are_those_of_the_data() {
    let sets = data::json("crossword/tile_sets.json");
    let rows = sets["premiums_15x15"]["rows"].as_array().unwrap();
    for edition in Edition::all() {
        let rows = rows.iter().flat_map(|row| row.as_str().unwrap().chars());
        let mut squares = 0;
        for (place, character) in Place::all().zip(rows) {
            let expected = match character {
                '=' => (1, 3),
                '-' if edition.variant == Variant::Erudit && place == Place::CENTRE => (1, 1),
                '-' => (1, 2),
                '"' => (3, 1),
                '\'' => (2, 1),
                _ => (1, 1),
            };
            let premium = edition.premiums.at(place);
            assert_eq!((premium.letter, premium.word), expected, "{} {place}", edition.set.name());
            squares += 1;
        }
        assert_eq!(squares, 225);
    }
}

#[test]
fn crossword_letters_have_small_forms_by_their_own_table() {
    let small = |variant: Variant, letter| {
        let alphabet = &variant.edition().alphabet;
        let face = alphabet.face(letter).expect("a letter");
        (b'a'..=b'z')
            .map(char::from)
            .chain("ıiёе".chars())
            .find(|small| alphabet.laid(*small).is_some_and(|laid| laid.is_blank() && laid.face() == face))
    };
    assert_eq!(small(Variant::Turkish, 'I'), Some('ı'));
    assert_eq!(small(Variant::Turkish, 'İ'), Some('i'));
    assert_eq!(small(Variant::English, 'I'), Some('i'));
    assert_eq!(small(Variant::Russian, 'Ё'), Some('ё'));
    assert_eq!(small(Variant::Erudit, 'Е'), Some('е'));
    for edition in Edition::all() {
        for face in 1..=edition.alphabet.count() as u8 {
            let laid = edition.alphabet.laid(edition.alphabet.face_character(face)).unwrap();
            assert_eq!((laid.face(), laid.tile(), laid.is_blank()), (face, face, false));
        }
    }
}

#[test]
fn crossword_bonus_is_15_in_erudit_and_50_elsewhere() {
    let bonus = Variant::ALL.map(|variant| variant.edition().bonus);
    assert_eq!(bonus, [50, 50, 15, 50]);
}
