//! Kalah as the machine plays it: options, moves, whose turn it is, and the end.

use crate::chance::Chance;
use crate::error::{IllegalMove, InvalidGame};
use crate::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use crate::kalah::board::{Board, Capture, SEEDS};
use crate::kalah::pit::{PITS, Pit, Side};
use crate::kalah::robot;
use crate::kalah::view::View;
use crate::outcome::Ending;
use crate::seat::{Seat, Turn};
use crate::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const SOW: &str = "sow";
const OVER: &str = "over";

/// Kalah by version 1 of its rules.
#[derive(Clone, Copy, Debug)]
pub struct Kalah;

/// What can be chosen at the opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The seeds in each pit at the beginning.
    #[schemars(range(min = 3, max = 6))]
    pub seeds: u8,
    /// What happens to a last seed with nothing across.
    pub capture: Capture,
}

impl Default for Options {
    fn default() -> Self {
        Self { seeds: 4, capture: Capture::Standard }
    }
}

/// A move: the pit that is sown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Counted from the mover's own left.
    #[schemars(with = "u8", range(min = 1, max = 6))]
    pub pit: Pit,
}

/// What a move did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Notes {
    /// How many seeds a capture banked, the one that made it included; 0 without a capture.
    pub captured: u8,
    /// True if the same seat moves again.
    pub again: bool,
    /// The seeds that each seat banked at the end, if this move ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swept: Option<[u8; 2]>,
}

impl Game for Kalah {
    type Options = Options;
    type Data = Board;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    const MOVE_FORM: &'static str = r#"{"pit":3}, a pit from 1 to 6"#;

    fn about(&self) -> About {
        About {
            name: "kalah",
            version: 1,
            variants: &[Variant { name: "standard", draw_set: "english" }],
            seats_min: 2,
            seats_max: 2,
            phases: &[SOW, OVER],
            hidden: false,
            robots: true,
        }
    }

    fn describe(&self, _table: &Table<Self>) -> serde_json::Value {
        serde_json::json!({ "pits": PITS })
    }

    fn setup(&self, table: &Table<Self>, _chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        let Options { seeds, .. } = table.options;
        if !SEEDS.contains(&seeds) {
            return Err(InvalidGame::new("options.seeds", "must be from 3 to 6"));
        }
        let turn = Turn::of(SOW, table.seats, table.first_seat);
        Ok(Next { turn, data: Board::new(seeds), ending: None })
    }

    fn play(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        actor: Option<Seat>,
        action: &Move,
        _chance: &mut Chance<'_>,
        _judge: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove> {
        let side = actor.and_then(Side::of).ok_or_else(|| IllegalMove::forbidden("only a player sows"))?;
        let mut data = state.data;
        let notes = play(&mut data, side, action.pit, table.options.capture)
            .ok_or_else(|| IllegalMove::forbidden("the pit is empty, sow one that holds seeds"))?;
        if notes.swept.is_some() {
            let ending = Ending::by_scores(scores(&data), &state.turn.order);
            return Ok(Next { turn: state.turn.ended(OVER), data, ending: Some(ending) });
        }
        let next = if notes.again { side } else { side.opposite() };
        Ok(Next { turn: state.turn.passed_to(next.seat()), data, ending: None })
    }

    fn legal_moves(&self, _table: &Table<Self>, state: &State<Self>, seat: Seat) -> Option<Vec<Move>> {
        let side = Side::of(seat)?;
        Some(state.data.sowable(side).into_iter().map(|pit| Move { pit }).collect())
    }

    fn view(&self, _table: &Table<Self>, state: &State<Self>, _viewer: Viewer) -> View {
        state.data.into()
    }

    fn notes(&self, table: &Table<Self>, made: &Made<'_, Self>, _viewer: Viewer) -> Notes {
        let mut board = made.before.data;
        made.actor
            .and_then(Side::of)
            .and_then(|side| play(&mut board, side, made.action.pit, table.options.capture))
            .unwrap_or(Notes { captured: 0, again: false, swept: None })
    }

    fn scores(&self, _table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        scores(&state.data)
    }

    fn may_undo(&self, _table: &Table<Self>, _after: &State<Self>, _last: &Move) -> bool {
        true
    }

    fn robot_move(
        &self,
        table: &Table<Self>,
        view: &View,
        seat: Seat,
        level: u8,
        chance: &mut Chance<'_>,
    ) -> Option<Move> {
        let board = Board::try_from(*view).ok()?;
        let pit = robot::choose(&board, Side::of(seat)?, table.options.capture, level, chance)?;
        Some(Move { pit })
    }
}

/// One whole move on the board; none if the pit is empty.
fn play(board: &mut Board, side: Side, pit: Pit, capture: Capture) -> Option<Notes> {
    let sown = board.sow(side, pit, capture)?;
    let swept = board.sweep();
    Some(Notes { captured: sown.captured, again: sown.again && swept.is_none(), swept })
}

/// What lies in the pits of a game that ends early is nobody's.
fn scores(board: &Board) -> Vec<i32> {
    board.stores().map(i32::from).to_vec()
}
