//! Dictionaries: what they hold, their files, and what is refused.

use crate::words;
use astragal_rules::chance::Chance;
use astragal_rules::crossword::dictionary::{Dictionary, DictionaryError};
use astragal_rules::crossword::edition::Variant;
use astragal_rules::game::Judge;

#[test]
fn dictionary_holds_its_words_and_no_others() {
    let (dictionary, words) = (words::english(), words::english_words());
    assert_eq!(dictionary.words() as usize, words.len());
    for word in words {
        assert!(dictionary.accepts(word), "{word}");
        for end in 1..word.len() {
            assert_eq!(
                dictionary.accepts(&word[..end]),
                words.contains(&word[..end]),
                "{word} cut after {end}"
            );
        }
        for longer in ["A", "S", "Z"].map(|letter| format!("{word}{letter}")) {
            assert_eq!(dictionary.accepts(&longer), words.contains(&longer), "{longer}");
        }
    }
    for odd in ["", "A", "aa", "ÉA", "A.", "?A", "АА"] {
        assert!(!dictionary.accepts(odd), "{odd:?}");
    }
}

#[test]
fn dictionary_files_read_back_and_keep_their_identity() {
    let dictionary = words::english();
    let bytes = dictionary.to_bytes();
    let read = Dictionary::from_bytes(&bytes).expect("a dictionary");
    assert_eq!(
        (read.name(), read.notice(), read.variant()),
        ("words of real games", "facts", Variant::English)
    );
    assert_eq!((read.words(), read.sha256()), (dictionary.words(), dictionary.sha256()));
    assert_eq!(read.to_bytes(), bytes);
    assert!(words::english_words().iter().all(|word| read.contains(word)));
    let small = Dictionary::build("small", Variant::English, "", "AB\nBA\n").unwrap();
    assert_eq!(small.sha256(), "d069cc22488d2d5ad1fa7342aa97955f60f84b3e9b77adde28997c005b7d50c2");
    assert_ne!(
        Dictionary::build("other", Variant::English, "", "AB\nBA\n").unwrap().sha256(),
        small.sha256()
    );
}

/// The words of this program, each built again from its own list: the recipes in their folder say from what.
#[test]
fn dictionary_lists_build_the_same_file_again() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../astragal/dictionaries");
    for variant in Variant::ALL {
        let file = folder.join(variant.edition().set.name()).with_extension("dict");
        let bytes = std::fs::read(&file).expect("a dictionary");
        let read = Dictionary::from_bytes(&bytes).expect("a dictionary");
        let list = read.list();
        assert_eq!(list.lines().count(), read.words() as usize, "{}", file.display());
        let built = Dictionary::build(read.name(), variant, read.notice(), &list).expect("a list");
        assert!(built.to_bytes() == bytes, "{} is another file when built again", file.display());
    }
}

#[test]
fn dictionary_is_the_same_whatever_the_order_of_the_list() {
    let sorted = Dictionary::build("w", Variant::English, "", "AB\nABLE\nCABLE\nTABLE").unwrap();
    let mixed =
        Dictionary::build("w", Variant::English, "", "# words\r\ntable\r\n\r\nAble\nCABLE\nAB\nTABLE\n")
            .unwrap();
    assert_eq!(sorted.to_bytes(), mixed.to_bytes());
    assert_eq!(mixed.words(), 4);
}

#[test]
fn dictionary_words_that_go_on_alike_share_their_arcs() {
    let ends = ["ABLE", "CABLE", "FABLE", "GABLE", "SABLE", "TABLE"];
    let dictionary = Dictionary::build("w", Variant::English, "", &ends.join("\n")).unwrap();
    let head =
        dictionary.to_bytes().split(|byte| *byte == b'\n').take(2).map(|line| line.len() + 1).sum::<usize>();
    // The first arc, the six of the root, and A, B, L, E once.
    assert_eq!((dictionary.to_bytes().len() - head) / 4, 1 + 6 + 4);
}

#[test]
fn dictionary_refuses_lists_and_says_the_line() {
    let refused =
        |variant, list: &str| Dictionary::build("w", variant, "", list).err().expect(list).to_string();
    let english = Variant::English;
    assert_eq!(refused(english, "AB\nAÉ"), "line 2: 'É' is not a letter of this set");
    assert_eq!(refused(english, "AB\n\nCO-OP"), "line 3: '-' is not a letter of this set");
    assert_eq!(refused(english, "А"), "line 1: А (U+0410) only looks like the A of this set (U+0041)");
    assert_eq!(refused(english, "A"), "line 1: a word has 2 to 15 letters, leave this one out");
    assert_eq!(refused(english, &"A".repeat(16)), "line 1: a word has 2 to 15 letters, leave this one out");
    assert_eq!(refused(english, "# nothing"), "the list has no words");
    assert_eq!(
        refused(Variant::Russian, "ABBA"),
        "line 1: A (U+0041) only looks like the А of this set (U+0410)"
    );
}

#[test]
fn dictionary_letters_follow_the_alphabet_of_the_variant() {
    let erudit = Dictionary::build("w", Variant::Erudit, "", "ёж\nЕЖИ").unwrap();
    assert!(erudit.contains("ЕЖ") && !erudit.contains("ЁЖ"));
    let russian = Dictionary::build("w", Variant::Russian, "", "ёж").unwrap();
    assert!(russian.contains("ЁЖ") && !russian.contains("ЕЖ"));
    let turkish = Dictionary::build("w", Variant::Turkish, "", "ılık\nilik").unwrap();
    assert!(turkish.contains("ILIK") && turkish.contains("İLİK") && !turkish.contains("ILİK"));
}

#[test]
fn dictionary_takes_no_bytes_that_are_not_one() {
    let good = Dictionary::build("w", Variant::English, "", "AB\nABLE\nCABLE\nTABLE").unwrap().to_bytes();
    for end in 0..good.len() {
        assert!(Dictionary::from_bytes(&good[..end]).is_err(), "cut at {end}");
    }
    let entropy = [4; 32];
    let mut chance = Chance::of_entropy(&entropy);
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        let place = chance.index(bytes.len());
        bytes[place] ^= 1 << chance.index(8);
        // Some changes give another dictionary; it has another identity and can be asked anything.
        let Ok(read) = Dictionary::from_bytes(&bytes) else { continue };
        assert_eq!(read.words(), 4);
        assert!(!read.accepts("ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
    }
    assert_eq!(Dictionary::from_bytes(b"").err(), Some(DictionaryError::File("another first line")));
}
