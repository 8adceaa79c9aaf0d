//! How fast crossword is. Targets: scoring and validating a play over 500,000 times a second; all
//! plays of a rack with one blank in the middle of a game under 1 ms, with two under 20 ms; over
//! 200 whole games a second of two robots of level 5; the dictionary loaded within 10 ms.
//!
//! The words are the English ones of the program, a quarter of a million.

use astragal_rules::any::AnyTable;
use astragal_rules::chance::Chance;
use astragal_rules::crossword::board::Board;
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::crossword::generator::{Found, plays};
use astragal_rules::crossword::laying::Laying;
use astragal_rules::crossword::place::{Place, Start};
use astragal_rules::crossword::tiles::{RACK, Tiles};
use astragal_rules::game::AcceptAll;
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use scrabble::lexicon::Lexicon;
use scrabble::movegen::MoveGenerator;
use scrabble::rack::Rack;
use scrabble::rules::GameConfig;
use scrabble::tile::Square;
use std::sync::{Arc, LazyLock};
use uuid::Uuid;

fn main() {
    divan::main();
}

/// The dictionary's file.
static FILE: &[u8] = include_bytes!("../../astragal/dictionaries/english.dict");

/// Its words, a line each.
static WORDS: LazyLock<String> = LazyLock::new(|| dictionary().list());

fn dictionary() -> Dictionary {
    Dictionary::from_bytes(FILE).unwrap_or_else(|error| panic!("{error}"))
}

/// A board after some random plays, a rack with so many blanks, and what is left.
fn position(dictionary: &Dictionary, number: u8, blanks: u8) -> (Board, Tiles) {
    let edition = Variant::English.edition();
    let entropy = [number; 32];
    let mut chance = Chance::of_entropy(&entropy);
    let (mut board, mut bag) = (Board::EMPTY, Tiles::all(edition));
    let mut rack = Tiles::EMPTY;
    for _ in 0..blanks {
        rack.put(0);
    }
    for _ in 0..2 {
        bag.take(0).unwrap_or_else(|missing| panic!("{missing:?}"));
    }
    for _ in 0..12 {
        let mut hand = bag.draw(RACK, &mut chance);
        let mut all: Vec<Found> = Vec::new();
        plays(dictionary, &board, &hand, &mut |found, _| all.push(*found));
        if let Some(found) = chance.pick(&all) {
            let play = found.play(edition);
            let laying = Laying::read(edition, &board, play.at, &play.tiles);
            let laying = laying.unwrap_or_else(|error| panic!("{error}"));
            laying.take_from(&mut hand, edition).unwrap_or_else(|error| panic!("{error}"));
            laying.lay(&mut board);
        }
        bag.put_all(&hand);
    }
    rack.put_all(&bag.draw(RACK - rack.count(), &mut chance));
    (board, rack)
}

#[divan::bench(args = [0, 1, 2], sample_count = 200, sample_size = 1)]
fn all_plays(bencher: Bencher, blanks: u8) {
    let dictionary = dictionary();
    let mut numbers = (0..=u8::MAX).cycle();
    let mut next = || numbers.next().map(|number| position(&dictionary, number, blanks));
    bencher.with_inputs(&mut next).bench_local_values(|position| {
        let (board, rack) = position?;
        let mut best = 0;
        plays(&dictionary, &board, &rack, &mut |found, _| best = best.max(found.score));
        Some(best)
    });
}

/// The same racks and boards with the crate `scrabble`.
#[divan::bench(args = [0, 1, 2], sample_count = 200, sample_size = 1)]
fn all_plays_of_scrabble(bencher: Bencher, blanks: u8) {
    let (dictionary, config) = (dictionary(), GameConfig::standard());
    let edition = Variant::English.edition();
    let lexicon = Lexicon::from_words(&config.alphabet, WORDS.lines());
    let lexicon = lexicon.unwrap_or_else(|error| panic!("{error}"));
    let mut generator = MoveGenerator::new(&config);
    let mut numbers = (0..=u8::MAX).cycle();
    let mut next = || {
        let (board, rack) = position(&dictionary, numbers.next()?, blanks);
        let mut theirs = scrabble::board::Board::new(&config.layout);
        for place in Place::all() {
            let Some(laid) = board.at(place) else { continue };
            let (letter, blank) = config.alphabet.parse_char(edition.alphabet.character(laid))?;
            let square = if blank { Square::blank_letter(letter) } else { Square::letter(letter) };
            theirs.set(place.row(), place.column(), square);
        }
        Some((theirs, Rack::parse(&config.alphabet, &rack.text(edition)).ok()?))
    };
    bencher.with_inputs(&mut next).bench_local_values(|position| {
        let (board, rack) = position?;
        generator.generate(&board, &rack, &lexicon).iter().map(scrabble::movegen::Play::score).max()
    });
}

#[divan::bench]
fn scored_plays(bencher: Bencher) {
    let dictionary = dictionary();
    let edition = Variant::English.edition();
    let (board, rack) = position(&dictionary, 1, 1);
    let mut all: Vec<(Start, String)> = Vec::new();
    plays(&dictionary, &board, &rack, &mut |found, _| {
        let play = found.play(edition);
        all.push((play.at, play.tiles));
    });
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        let mut sum = 0;
        for (at, tiles) in &all {
            let (mut rack, mut board) = (rack, board);
            let Ok(laying) = Laying::read(edition, &board, *at, tiles) else { continue };
            if laying.take_from(&mut rack, edition).is_err() || laying.check_contact(&board).is_err() {
                continue;
            }
            laying.lay(&mut board);
            let scored = laying.score(edition, &board);
            let good =
                scored.words.iter().all(|(word, _)| dictionary.contains(&word.letters(&board, edition)));
            sum += if good { scored.total() } else { 0 };
        }
        black_box(sum)
    });
}

#[divan::bench]
fn load(bencher: Bencher) {
    bencher.bench(|| Dictionary::from_bytes(black_box(FILE)).map(|dictionary| dictionary.words()));
}

/// One whole game of two robots through the machine; gives the number of moves.
fn game(registry: &Registry, seed: u8, level: u8) -> u64 {
    let opening = Arc::new(Opening {
        table: Uuid::from_u128(1),
        game: "crossword".to_owned(),
        version: 1,
        seed: Seed::new([seed; 32]),
        seats: 2,
        options: r#"{"challenge":"void","variant":"english","words":"dictionary"}"#.to_owned(),
        first_seat: Seat(0),
    });
    let game = registry.newest("crossword").unwrap_or_else(|| panic!("crossword is registered"));
    let mut table: Box<dyn AnyTable> = game.setup(opening).unwrap_or_else(|error| panic!("{error}"));
    let mut moves = 0;
    while let Some(seat) = table.turn().acting {
        let action = table.robot_move(seat, level, &[seed; 32]);
        let action = action.unwrap_or_else(|error| panic!("{error}")).unwrap_or_default();
        let step = table.step(Some(seat), &action, &AcceptAll);
        table = step.unwrap_or_else(|error| panic!("{error}")).after;
        moves += 1;
    }
    moves
}

#[divan::bench(args = [1, 5], sample_count = 20, sample_size = 1)]
fn robots_games(bencher: Bencher, level: u8) {
    let registry = Registry::new().with(Crossword::new(Dictionaries::default().with(dictionary())));
    bencher.counter(ItemsCount::new(20_u32)).bench_local(|| {
        for seed in 0..20 {
            black_box(game(&registry, seed, level));
        }
    });
}

/// Moves of whole games, applied again through the registry.
#[divan::bench]
fn replay(bencher: Bencher) {
    let text = include_str!("../tests/golden/log_crossword_english.json").trim_end();
    let finished = astragal_rules::finished_log::FinishedLog::from_json(text);
    let finished = finished.unwrap_or_else(|error| panic!("{error}"));
    let registry = Registry::new().with(Crossword::default());
    bencher
        .counter(ItemsCount::new(finished.log().moves().len()))
        .bench_local(|| registry.replay(finished.log()).map(|table| table.number()));
}
