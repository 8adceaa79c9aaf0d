//! Plays that another engine scored: 242 plays of given racks on given boards.

use crate::data;
use astragal_rules::crossword::board::Board;
use astragal_rules::crossword::edition::{Edition, Variant};
use astragal_rules::crossword::laying::Laying;
use astragal_rules::crossword::place::{Place, Start};
use astragal_rules::crossword::tiles::Tiles;

/// A board in the notation of chess: a number is so many empty squares.
pub fn board_of(fen: &str, edition: &Edition) -> Board {
    let row = |row: &str| {
        let (mut text, mut number) = (String::new(), 0);
        for character in row.chars() {
            if let Some(digit) = character.to_digit(10) {
                number = 10 * number + digit as usize;
            } else {
                text += &".".repeat(std::mem::take(&mut number));
                text.push(character);
            }
        }
        text + &".".repeat(number)
    };
    let rows: Vec<String> = fen.split('/').map(row).collect();
    Board::read(&rows, edition).expect("a board")
}

#[test]
fn crossword_scores_of_another_engine() {
    let text = data::text("crossword/wolges_plays.txt");
    let edition = Variant::English.edition();
    let (mut rack, mut board) = (Tiles::EMPTY, Board::EMPTY);
    let mut plays = 0;
    for line in text.lines() {
        if let Some(case) = line.strip_prefix("=== Case ") {
            let named = |name: &str| case.split(' ').find_map(|word| word.strip_prefix(name)).unwrap();
            rack = Tiles::read(named("rack="), edition).unwrap();
            board = board_of(named("fen="), edition);
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, at, tiles, score] = words[..] else { continue };
        let Ok(start) = at.parse::<Start>() else { continue };
        // Letters in brackets lie there already.
        let mut inside = false;
        let tiles: String = tiles
            .chars()
            .filter_map(|character| match character {
                '(' | ')' => {
                    inside = character == '(';
                    None
                }
                _ => Some(if inside { '.' } else { character }),
            })
            .collect();
        let laying =
            Laying::read(edition, &board, start, &tiles).unwrap_or_else(|error| panic!("{line}: {error}"));
        laying.take_from(&mut rack.clone(), edition).unwrap_or_else(|error| panic!("{line}: {error}"));
        laying.check_contact(&board).unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut after = board;
        laying.lay(&mut after);
        let scored = laying.score(edition, &after);
        assert_eq!(scored.total().to_string(), score, "{line}");
        assert_eq!(laying.written(edition, &after), (start, tiles), "{line}");
        plays += 1;
    }
    assert_eq!(plays, 242);
    assert_eq!(Place::CENTRE.to_string(), "H8");
}
