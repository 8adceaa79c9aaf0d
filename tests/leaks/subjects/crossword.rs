//! Crossword: the odd seat exchanges other tiles in each world, and from then on its rack and the bag differ. It
//! lays what it holds in both; the others do the same in both, as long as they draw the same.

use super::{Sight, Subject};
use crate::toys::random::Whim;
use crate::world::WORDS;
use astragal_rules::crossword::board::Board;
use astragal_rules::crossword::content::Play;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::generator::plays;
use astragal_rules::crossword::tiles::Tiles;
use astragal_rules::seat::Seat;
use serde_json::{Value, json};

pub(crate) struct Crossword;

/// An exchange needs so many tiles in the bag.
const BAG_MIN: usize = 7;

impl Subject for Crossword {
    fn name(&self) -> &'static str {
        "crossword"
    }

    fn table(&self, whim: &mut Whim) -> (u8, Value) {
        let variant = ["english", "russian", "erudit", "turkish"][whim.below(4)];
        let mut options = json!({ "variant": variant, "words": "any" });
        if whim.once_in(2) {
            let challenge = ["void", "double"][whim.below(2)];
            options = json!({ "variant": variant, "words": "dictionary", "challenge": challenge });
        }
        (2 + whim.below(3) as u8, options)
    }

    fn moves(&self, twins: [&Sight<'_>; 2], seat: Seat, odd: Seat, whim: &mut Whim) -> Option<[String; 2]> {
        let data = &twins[0].1["data"];
        let doubted = !data["fresh"].is_null() && whim.once_in(2);
        if doubted {
            return Some([(); 2].map(|()| json!({ "challenge": true }).to_string()));
        }
        let racks = twins.map(|(_, state)| letters(&state["data"]["racks"][seat.index()]));
        let bag = letters(&twins[0].1["data"]["bag"]).len();
        let exchanges = if seat == odd { whim.once_in(2) } else { whim.once_in(8) };
        if exchanges && bag >= BAG_MIN && !racks[0].is_empty() {
            let count = 1 + whim.below(racks[0].len());
            let one = some(&racks[0], count, whim);
            let other = if seat == odd { some(&racks[1], count, whim) } else { one.clone() };
            return Some([one, other].map(|tiles| json!({ "exchange": tiles }).to_string()));
        }
        if whim.once_in(8) {
            return Some([(); 2].map(|()| json!({ "pass": true }).to_string()));
        }
        let both = shared(&racks);
        let options: Value = serde_json::from_str(&twins[0].0.opening().options).ok()?;
        if options["words"] == "dictionary" && (options["challenge"] == "void" || whim.once_in(2)) {
            let play = word(data, &both, whim)?;
            return Some([(); 2].map(|()| json!({ "play": play }).to_string()));
        }
        let count = (1 + whim.below(4)).min(both.len());
        let tiles = some(&both, count, whim);
        let cyrillic = matches!(twins[0].1["data"]["variant"].as_str()?, "russian" | "erudit");
        let tiles = tiles.replace('?', if cyrillic { "а" } else { "a" });
        let (row, column) = (4 + whim.below(9), char::from(b'D' + whim.below(9) as u8));
        let at = if whim.once_in(2) { format!("{row}{column}") } else { format!("{column}{row}") };
        Some([(); 2].map(|()| json!({ "play": { "at": at, "tiles": tiles } }).to_string()))
    }

    fn known(&self, state: &Value, but: Seat) -> Value {
        let mut known = state.clone();
        let data = &mut known["data"];
        for place in ["/bag".to_owned(), format!("/racks/{}", but.index())] {
            if let Some(hidden) = data.pointer_mut(&place) {
                *hidden = if hidden.is_string() { json!(letters(hidden).len()) } else { hidden.take() };
            }
        }
        known
    }

    fn refused(&self) -> Vec<Value> {
        vec![
            json!({ "play": { "at": "1A", "tiles": "ZZ" } }),
            json!({ "play": { "at": "1N", "tiles": "ЯЯ" } }),
            json!({ "play": { "at": "H7", "tiles": "..." } }),
            json!({ "exchange": "????" }),
            json!({ "exchange": "" }),
            json!({ "challenge": true }),
            json!({ "verdict": true }),
        ]
    }
}

fn letters(text: &Value) -> Vec<char> {
    text.as_str().unwrap_or_default().chars().collect()
}

/// So many of the tiles, at random.
fn some(tiles: &[char], count: usize, whim: &mut Whim) -> String {
    let mut left = tiles.to_vec();
    (0..count).map(|_| left.swap_remove(whim.below(left.len()))).collect()
}

/// What is on both racks.
fn shared(racks: &[Vec<char>; 2]) -> Vec<char> {
    let [one, mut other] = racks.clone();
    let mut take = |tile: &char| Some(other.swap_remove(other.iter().position(|held| held == tile)?));
    one.iter().filter_map(&mut take).collect()
}

/// A play that forms good words only, with tiles that are on both racks.
fn word(data: &Value, tiles: &[char], whim: &mut Whim) -> Option<Play> {
    let variant = Variant::named(data["variant"].as_str()?)?;
    let edition = variant.edition();
    let rows: Vec<String> = serde_json::from_value(data["board"].clone()).ok()?;
    let board = Board::read(&rows, edition).ok()?;
    let rack = Tiles::read(&tiles.iter().collect::<String>(), edition).ok()?;
    let mut all = Vec::new();
    plays(WORDS.get(variant)?, &board, &rack, &mut |found, _| all.push(*found));
    Some(all.get(whim.below(all.len().max(1)))?.play(edition))
}
