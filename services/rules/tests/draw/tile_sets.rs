//! The shipped tile sets are those of the data, in the order of their alphabets.

use crate::{data, tile_set};
use astragal_rules::tile_set::{Tile, TileSet};

#[test]
fn d1_the_tile_sets_are_those_of_the_data() {
    let all = data::json("crossword/tile_sets.json");
    for set in TileSet::all() {
        let written = &all[format!("{}_{}", set.name(), set.total())];
        assert!(written.is_object(), "{} with {} tiles", set.name(), set.total());
        assert_eq!(written["total"], set.total());
        assert_eq!(written["blank"]["count"], set.blanks());

        let alphabet: String = set.letters().iter().map(|letter| letter.text).collect();
        assert_eq!(written["alphabet_order"], alphabet);
        let rows = written["tiles"].as_array().unwrap();
        assert_eq!(rows.len(), set.letters().len(), "letters of {}", set.name());
        for row in rows {
            let tile = set.tile(row["letter"].as_str().unwrap()).expect("a tile of the alphabet");
            let letter = set.letter(tile).expect("not a blank");
            assert_eq!(row["rank"], tile.rank(), "{row}");
            assert_eq!(row["letter"], letter.text, "{row}");
            assert_eq!(row["count"], letter.count, "{row}");
            assert_eq!(row["value"], letter.value, "{row}");
        }
    }
}

#[test]
fn d1_a_tile_set_is_found_by_its_name_alone() {
    let names: Vec<&str> = TileSet::all().map(TileSet::name).collect();
    assert_eq!(names, ["english", "russian", "erudit", "turkish"]);
    for name in names {
        assert_eq!(TileSet::named(name).map(TileSet::name), Some(name));
    }
    for name in ["", "English", "ENGLISH", "klingon", "english "] {
        assert_eq!(TileSet::named(name), None, "{name:?}");
    }
}

#[test]
fn d2_a_blank_ranks_before_every_letter() {
    for set in TileSet::all() {
        let blank = set.tile("").expect("the empty text is a blank");
        assert_eq!((blank, blank.rank(), blank.is_blank()), (Tile::BLANK, -1, true));
        assert_eq!((set.letter(blank), set.text(blank), set.value(blank)), (None, "", 0));
        let first = set.tile(set.letters()[0].text).unwrap();
        assert!(blank < first && first.rank() == 0);
    }
}

#[test]
fn d2_letters_rank_by_their_alphabet_not_by_code_point() {
    let rank = |set: &str, letter: &str| tile_set(set).tile(letter).map(Tile::rank);
    assert!(rank("russian", "Е") < rank("russian", "Ё") && rank("russian", "Ё") < rank("russian", "Ж"));
    assert!(rank("turkish", "C") < rank("turkish", "Ç") && rank("turkish", "Ç") < rank("turkish", "D"));
    assert!(rank("turkish", "I") < rank("turkish", "İ") && rank("turkish", "İ") < rank("turkish", "J"));
    assert_eq!(rank("erudit", "Ё"), None, "Erudit has no Ё");
    assert_eq!(rank("turkish", "i"), None, "letters are not upper-cased");
    assert_eq!(rank("english", "А"), None, "a Cyrillic А is another letter");
}

#[test]
fn d1_the_tiles_lie_in_the_order_of_rank() {
    for set in TileSet::all() {
        let tiles: Vec<Tile> = set.tiles().collect();
        assert_eq!(tiles.len(), set.total());
        assert!(tiles.is_sorted(), "{}", set.name());
        for (tile, count) in set.faces() {
            assert_eq!(tiles.iter().filter(|&&other| other == tile).count(), usize::from(count));
        }
    }
}
