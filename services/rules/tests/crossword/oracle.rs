//! The finder of plays against the one of the crate `scrabble`: the same plays, the same scores.

use crate::generator::position;
use crate::words;
use astragal_rules::chance::Chance;
use astragal_rules::crossword::board::Board;
use astragal_rules::crossword::edition::Edition;
use astragal_rules::crossword::generator::plays;
use astragal_rules::crossword::laying::Laying;
use astragal_rules::crossword::place::Place;
use scrabble::lexicon::Lexicon;
use scrabble::movegen::MoveGenerator;
use scrabble::rack::Rack;
use scrabble::rules::GameConfig;
use scrabble::tile::Square;
use std::collections::BTreeSet;

/// Where each letter is laid, with small ones for blanks, and the score.
type Laid = (Vec<(usize, char)>, i32);

fn their_board(config: &GameConfig, board: &Board, edition: &Edition) -> scrabble::board::Board {
    let mut theirs = scrabble::board::Board::new(&config.layout);
    for place in Place::all() {
        let Some(laid) = board.at(place) else { continue };
        let (letter, blank) = config.alphabet.parse_char(edition.alphabet.character(laid)).expect("a letter");
        let square = if blank { Square::blank_letter(letter) } else { Square::letter(letter) };
        theirs.set(place.row(), place.column(), square);
    }
    theirs
}

fn theirs(play: &scrabble::movegen::Play, config: &GameConfig) -> Laid {
    let laid = play.placements().map(|(at, square)| {
        let letter = config.alphabet.display(square.index().expect("a letter"));
        let letter = letter.chars().next().expect("one character");
        let letter = if square.is_blank() { letter.to_ascii_lowercase() } else { letter };
        (at.row * 15 + at.col, letter)
    });
    (laid.collect(), play.score())
}

#[test]
fn crossword_finds_the_plays_that_the_crate_scrabble_finds() {
    let dictionary = words::english();
    let edition = dictionary.variant().edition();
    let config = GameConfig::standard();
    let lexicon = Lexicon::from_words(&config.alphabet, words::english_words()).expect("words");
    let mut generator = MoveGenerator::new(&config);
    let mut compared = 0;
    for number in 0..200 {
        let entropy = [number; 32];
        let (board, rack) = position(&dictionary, &mut Chance::of_entropy(&entropy), number % 3 == 0);
        let mut ours: BTreeSet<Laid> = BTreeSet::new();
        plays(&dictionary, &board, &rack, &mut |found, _| {
            let play = found.play(edition);
            let laying = Laying::read(edition, &board, play.at, &play.tiles).expect("a legal play");
            let laid = laying.squares().iter();
            let laid = laid.map(|(place, laid)| (place.index(), edition.alphabet.character(*laid)));
            ours.insert((laid.collect(), found.score));
        });
        let their_rack = Rack::parse(&config.alphabet, &rack.text(edition)).expect("a rack");
        let found = generator.generate(&their_board(&config, &board, edition), &their_rack, &lexicon);
        let expected: BTreeSet<Laid> = found.iter().map(|play| theirs(play, &config)).collect();
        assert_eq!(ours, expected, "{}\n{}", rack.text(edition), board.rows(edition).join("\n"));
        compared += expected.len();
    }
    assert!(compared > 5_000, "only {compared} plays were compared");
}
