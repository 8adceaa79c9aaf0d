//! The board of a step as a page shows it. The game says in its description what lies where; this knows
//! the two kinds of boards that ship, and shows any other as its data.

use serde_json::Value;

/// What is drawn.
pub(super) enum Board {
    /// Squares with letters.
    Letters(Vec<Row>),
    /// Pits and stores, with seat 0 at the top as its panel is.
    Pits {
        /// From the left, which is the right of who sits there.
        top: Vec<u64>,
        bottom: Vec<u64>,
        stores: [u64; 2],
    },
    /// Anything else.
    Other(String),
}

/// A row of squares.
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) squares: Vec<Square>,
}

/// A square.
pub(super) struct Square {
    /// A class of the style: plain, d, t, D or T.
    pub(super) premium: &'static str,
    pub(super) tile: Option<Tile>,
    /// Laid in this step.
    pub(super) is_new: bool,
}

/// A tile.
pub(super) struct Tile {
    pub(super) letter: String,
    /// None for a blank, which is worth nothing.
    pub(super) value: Option<u64>,
}

/// The letters of a set with what they are worth.
pub(super) struct Letters<'d>(&'d Value);

impl<'d> Letters<'d> {
    pub(super) fn of(description: &'d Value) -> Self {
        Self(&description["letters"])
    }

    /// The tile that a character stands for: a small letter is a blank that is laid as it, `?` one in hand.
    pub(super) fn tile(&self, character: char) -> Tile {
        let text = character.to_string();
        let letters = self.0.as_array().map(Vec::as_slice).unwrap_or_default();
        let is = |letter: &Value, member: &str| letter[member].as_str() == Some(&text);
        if let Some(letter) = letters.iter().find(|letter| is(letter, "letter")) {
            let value = letter["value"].as_u64().filter(|value| *value > 0);
            return Tile { letter: text, value };
        }
        let laid = letters.iter().find(|letter| is(letter, "small"));
        let letter = laid.and_then(|letter| letter["letter"].as_str()).unwrap_or(&text).to_owned();
        Tile { letter, value: None }
    }

    /// The tiles of a hand.
    pub(super) fn hand(&self, text: &str) -> Vec<Tile> {
        text.chars().map(|character| self.tile(character)).collect()
    }
}

impl Board {
    /// The board of a view, with the squares marked that were laid on in this step.
    pub(super) fn of(description: &Value, view: &Value, notes: &Value) -> Self {
        if let (Some(rows), Some(premiums)) = (view["board"].as_array(), description["premiums"].as_array()) {
            return letters(rows, premiums, &Letters::of(description), notes);
        }
        pits(view).unwrap_or_else(|| Self::Other(serde_json::to_string_pretty(view).unwrap_or_default()))
    }
}

fn letters(rows: &[Value], premiums: &[Value], letters: &Letters<'_>, notes: &Value) -> Board {
    let placed = notes["placed"].as_array().map(Vec::as_slice).unwrap_or_default();
    let placed: Vec<u64> = placed.iter().filter_map(|placed| placed[0].as_u64()).collect();
    let row = |(place, (row, premiums)): (usize, (&Value, &Value))| {
        let (row, premiums) = (row.as_str().unwrap_or_default(), premiums.as_str().unwrap_or_default());
        let side = premiums.chars().count();
        let squares = row.chars().zip(premiums.chars()).enumerate().map(|(column, (lies, premium))| Square {
            premium: match premium {
                'd' => "letter2",
                't' => "letter3",
                'D' => "word2",
                'T' => "word3",
                _ => "plain",
            },
            tile: (lies != '.').then(|| letters.tile(lies)),
            is_new: placed.contains(&((place * side + column) as u64)),
        });
        Row { number: place + 1, squares: squares.collect() }
    };
    Board::Letters(rows.iter().zip(premiums).enumerate().map(row).collect())
}

fn pits(view: &Value) -> Option<Board> {
    let numbers = |value: &Value| value.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<_>>>();
    let (mut top, bottom) = (numbers(&view["pits"][0])?, numbers(&view["pits"][1])?);
    top.reverse();
    let stores = [view["stores"][0].as_u64()?, view["stores"][1].as_u64()?];
    Some(Board::Pits { top, bottom, stores })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn description() -> Value {
        json!({
            "side": 3, "premiums": ["T.d", "Dt.", "..."],
            "letters": [{"letter":"İ","small":"i","value":1}, {"letter":"I","small":"ı","value":2}, {"letter":"Q","small":"q","value":0}],
        })
    }

    /// P2: premiums, capital letters with their value, and none for a blank or for what is worth nothing.
    #[test]
    fn p2_squares_have_premiums_and_tiles_their_value() {
        let view = json!({"board": ["İi.", "ı.Q", "..."]});
        let Board::Letters(rows) = Board::of(&description(), &view, &json!({"placed": [[3, "ı"]]})) else {
            panic!("no board of letters");
        };
        let square = |row: usize, column: usize| {
            let square = &rows[row].squares[column];
            let tile = square.tile.as_ref().map(|tile| (tile.letter.clone(), tile.value));
            (square.premium, tile, square.is_new)
        };
        let tile = |letter: &str, value| Some((letter.to_owned(), value));
        assert_eq!(square(0, 0), ("word3", tile("İ", Some(1)), false));
        assert_eq!(square(0, 1), ("plain", tile("İ", None), false));
        assert_eq!(square(0, 2), ("letter2", None, false));
        assert_eq!(square(1, 0), ("word2", tile("I", None), true));
        assert_eq!(square(1, 1), ("letter3", None, false));
        assert_eq!(square(1, 2), ("plain", tile("Q", None), false));
        assert_eq!(rows[2].number, 3);
    }

    /// P2: a game that this knows nothing of is shown as its data.
    #[test]
    fn p2_any_game_can_be_shown() {
        let Board::Other(text) = Board::of(&json!({}), &json!({"sum": 4}), &json!({})) else {
            panic!("a board of nothing known");
        };
        assert!(text.contains("\"sum\": 4"), "{text}");
    }
}
