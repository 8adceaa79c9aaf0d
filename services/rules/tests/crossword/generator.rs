//! The finder of plays against brute force: every word at every place, with every choice of tiles.

use crate::words;
use astragal_rules::chance::Chance;
use astragal_rules::crossword::board::Board;
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::{Edition, Variant};
use astragal_rules::crossword::generator::{Found, plays};
use astragal_rules::crossword::laying::Laying;
use astragal_rules::crossword::place::{Direction, Place, Start};
use astragal_rules::crossword::tiles::{RACK, Tiles};
use std::collections::BTreeSet;

/// A play as it is written, with its score.
type Written = (String, String, i32);

fn found(dictionary: &Dictionary, board: &Board, rack: &Tiles) -> BTreeSet<Written> {
    let edition = dictionary.variant().edition();
    let mut all = BTreeSet::new();
    plays(dictionary, board, rack, &mut |found, left| {
        let play = found.play(edition);
        let laid = play.tiles.chars().filter(|character| *character != '.').count();
        assert_eq!(left.count(), rack.count() - laid, "the tiles that are left");
        assert!(all.insert((play.at.to_string(), play.tiles, found.score)), "told twice");
    });
    all
}

/// Each way to lay the letters of a word at a place with the tiles of a rack: an own tile or a
/// blank for each letter that does not lie there.
fn ways(letters: &[char], start: Start, board: &Board, rack: &Tiles, edition: &Edition) -> Vec<String> {
    let mut ways = vec![(String::new(), *rack)];
    let mut place = Some(start.place);
    for letter in letters {
        let Some(here) = place else { return Vec::new() };
        let face = edition.alphabet.face(*letter).expect("a letter");
        ways = match board.at(here) {
            Some(laid) if laid.face() == face => {
                ways.into_iter().map(|(way, rest)| (way + ".", rest)).collect()
            }
            Some(_) => return Vec::new(),
            None => ways
                .into_iter()
                .flat_map(|(way, rest)| {
                    [(face, *letter), (0, small(*letter, edition))].into_iter().filter_map(
                        move |(tile, text)| {
                            let mut rest = rest;
                            rest.take(tile).ok().map(|()| (format!("{way}{text}"), rest))
                        },
                    )
                })
                .collect(),
        };
        if ways.is_empty() {
            return Vec::new();
        }
        place = here.next(start.direction);
    }
    let end_is_free = place.is_none_or(|place| !board.is_filled(place));
    ways.into_iter().map(|(way, _)| way).filter(|_| end_is_free).collect()
}

fn small(letter: char, edition: &Edition) -> char {
    match (edition.variant, letter) {
        (Variant::Turkish, 'I') => 'ı',
        (Variant::Turkish, 'İ') => 'i',
        _ => letter.to_lowercase().next().expect("a small letter"),
    }
}

fn by_force(dictionary: &Dictionary, words: &[Vec<char>], board: &Board, rack: &Tiles) -> BTreeSet<Written> {
    let edition = dictionary.variant().edition();
    let mut all = BTreeSet::new();
    for place in Place::all() {
        for direction in [Direction::Across, Direction::Down] {
            let start = Start { place, direction };
            if place.previous(direction).is_some_and(|before| board.is_filled(before)) {
                continue;
            }
            for way in words.iter().flat_map(|word| ways(word, start, board, rack, edition)) {
                let Ok(laying) = Laying::read(edition, board, start, &way) else { continue };
                if laying.check_contact(board).is_err() {
                    continue;
                }
                let mut after = *board;
                laying.lay(&mut after);
                let scored = laying.score(edition, &after);
                let mut formed = scored.words.iter().map(|(word, _)| word.letters(&after, edition));
                let twice =
                    laying.squares().len() == 1 && scored.words.len() == 2 && direction == Direction::Down;
                if !twice && formed.all(|word| dictionary.contains(&word)) {
                    all.insert((start.to_string(), way, scored.total()));
                }
            }
        }
    }
    all
}

/// A board after some plays at random, and a rack.
pub fn position(dictionary: &Dictionary, chance: &mut Chance<'_>, blanks: bool) -> (Board, Tiles) {
    let edition = dictionary.variant().edition();
    let (mut board, mut bag) = (Board::EMPTY, Tiles::all(edition));
    for _ in 0..chance.index(12) {
        let rack = bag.draw(RACK, chance);
        let mut all: Vec<Found> = Vec::new();
        plays(dictionary, &board, &rack, &mut |found, _| all.push(*found));
        bag.put_all(&rack);
        let Some(found) = chance.pick(&all) else { continue };
        let play = found.play(edition);
        let laying = Laying::read(edition, &board, play.at, &play.tiles).expect("a legal play");
        laying.take_from(&mut bag, edition).expect("tiles of the rack");
        laying.lay(&mut board);
    }
    let mut rack = Tiles::EMPTY;
    if blanks && bag.take(0).is_ok() {
        rack.put(0);
    }
    rack.put_all(&bag.draw(RACK - rack.count(), chance));
    (board, rack)
}

/// Compares what a rack can do on a board; gives how many plays there are.
fn check(dictionary: &Dictionary, words: &[Vec<char>], chance: &mut Chance<'_>, blanks: bool) -> usize {
    let edition = dictionary.variant().edition();
    let (board, rack) = position(dictionary, chance, blanks);
    let found = found(dictionary, &board, &rack);
    let expected = by_force(dictionary, words, &board, &rack);
    assert_eq!(found, expected, "{}\n{}", rack.text(edition), board.rows(edition).join("\n"));
    found.len()
}

fn spelt(dictionaries: &Dictionaries, variant: Variant) -> Vec<Vec<char>> {
    let list = match variant {
        Variant::English => words::english_words().iter().cloned().collect(),
        _ => words::list(variant),
    };
    let dictionary = dictionaries.get(variant).unwrap();
    assert!(list.iter().all(|word| dictionary.contains(word)) && dictionary.words() as usize == list.len());
    list.iter().map(|word| word.chars().collect()).collect()
}

#[test]
fn crossword_finds_every_play_that_brute_force_finds() {
    let dictionaries = words::all();
    let mut plays = 0;
    for (variant, boards) in Variant::ALL.into_iter().zip([200, 100, 100, 100]) {
        let words = spelt(&dictionaries, variant);
        for board in 0..boards {
            let entropy = [board; 32];
            let blanks = board % 4 == 0;
            plays +=
                check(dictionaries.get(variant).unwrap(), &words, &mut Chance::of_entropy(&entropy), blanks);
        }
    }
    assert!(plays > 20_000, "only {plays} plays were compared");
}
