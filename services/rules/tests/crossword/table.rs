//! Tables of crossword as the engine holds them, and tables with racks and boards of one's own.

use crate::toys::played::Played;
use crate::words;
use astragal_rules::any::AnyTable;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::crossword::tiles::Tiles;
use astragal_rules::game::Judge;
use astragal_rules::log::{LoggedMove, Opening};
use astragal_rules::machine::StepError;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

pub fn registry() -> Registry {
    Registry::new().with(Crossword::new(words::all()))
}

pub fn opening(seats: u8, options: &str, seed: u8) -> Arc<Opening> {
    let registry = registry();
    let options = registry.newest("crossword").unwrap().options(None, options).expect("good options");
    Arc::new(Opening {
        table: Uuid::from_u128(u128::from(seed)),
        game: "crossword".to_owned(),
        version: 1,
        seed: Seed::new([seed; 32]),
        seats,
        options,
        first_seat: Seat(0),
    })
}

/// A table before its first move.
pub fn table(seats: u8, options: &str) -> Box<dyn AnyTable> {
    registry().newest("crossword").unwrap().setup(opening(seats, options, 7)).expect("a table")
}

/// A table that somebody might have come to.
pub struct Position<'p> {
    pub options: &'p str,
    /// By seat; seat 0 is to move.
    pub racks: &'p [&'p str],
    /// Row number, from 1, and its text.
    pub rows: &'p [(usize, &'p str)],
    /// How many tiles the bag holds, if there are so many; the others of the set lie on the last rows
    /// of the board.
    pub bag: usize,
}

impl Position<'_> {
    pub fn table(&self) -> Box<dyn AnyTable> {
        let fresh = table(self.racks.len() as u8, self.options);
        let mut state = state(&*fresh);
        let variant: Variant = serde_json::from_value(state["data"]["variant"].clone()).unwrap();
        let edition = variant.edition();
        let mut rest = Tiles::all(edition);
        let mut rows = vec![".".repeat(15); 15];
        for (row, text) in self.rows {
            rows[row - 1].replace_range(.., text);
            for laid in text.chars().filter_map(|character| edition.alphabet.laid(character)) {
                rest.take(laid.tile()).expect("a tile of the set");
            }
        }
        for rack in self.racks {
            rest.take_all(&Tiles::read(rack, edition).unwrap()).expect("tiles of the set");
        }
        // Blanks come first and stay in the bag if they can; on the board they stand for the first letter.
        let blank =
            edition.alphabet.character(edition.alphabet.laid('z').or(edition.alphabet.laid('я')).unwrap());
        let rest: Vec<char> = rest.text(edition).chars().collect();
        let (bag, laid) = rest.split_at(self.bag.min(rest.len()));
        for (number, row) in laid.chunks(15).enumerate() {
            let row: String = row.iter().map(|tile| if *tile == '?' { blank } else { *tile }).collect();
            rows[14 - number] = format!("{row:.<15}");
        }
        let sorted = |rack: &&str| Tiles::read(rack, edition).unwrap().text(edition);
        state["data"]["racks"] = self.racks.iter().map(sorted).collect();
        state["data"]["board"] = json!(rows);
        state["data"]["bag"] = json!(bag.iter().collect::<String>());
        restored(&*fresh, &state)
    }
}

/// The same table with another state.
pub fn restored(table: &dyn AnyTable, state: &Value) -> Box<dyn AnyTable> {
    let registry = registry();
    let game = registry.newest("crossword").unwrap();
    game.restore(Arc::clone(table.opening()), &state.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn state(table: &dyn AnyTable) -> Value {
    serde_json::from_str(&table.state_json().unwrap()).unwrap()
}

/// A move that must be legal.
pub fn step(
    table: &dyn AnyTable,
    seat: u8,
    action: &str,
    judge: &dyn Judge,
) -> (LoggedMove, Box<dyn AnyTable>) {
    let step =
        table.step(Some(Seat(seat)), action, judge).unwrap_or_else(|error| panic!("{action}: {error}"));
    (step.logged, step.after)
}

/// Why a move is refused, which leaves the table as it was.
pub fn refused(table: &dyn AnyTable, seat: u8, action: &str, judge: &dyn Judge) -> String {
    let before = table.state_json().unwrap();
    let error =
        table.step(Some(Seat(seat)), action, judge).err().unwrap_or_else(|| panic!("{action} is taken"));
    assert_eq!(table.state_json().unwrap(), before);
    match error {
        StepError::Illegal(error) => error.to_string(),
        StepError::Broken(error) => panic!("{action}: {error}"),
    }
}

/// A play as the protocol writes it.
pub fn play(at: &str, tiles: &str) -> String {
    json!({ "play": { "at": at, "tiles": tiles } }).to_string()
}

/// The rack of a seat.
pub fn rack(table: &dyn AnyTable, seat: usize) -> String {
    state(table)["data"]["racks"][seat].as_str().expect("a rack").to_owned()
}

/// A game that is played move by move.
pub fn played(seats: u8, options: &'static str, seed: u8) -> Played {
    let setting = crate::toys::played::Setting {
        seats,
        options,
        seed,
        ..crate::toys::played::Setting::of("crossword")
    };
    Played::open(&registry(), setting)
}
