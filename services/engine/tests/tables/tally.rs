//! A game for tests: seats add to a total until it reaches a target. It has secrets, hidden moves,
//! chance, moves of the table, robots, versions, and ways to break.

use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use astragal_rules::outcome::Ending;
use astragal_rules::seat::{Seat, Turn};
use astragal_rules::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version 2 counts double.
pub(crate) struct Tally {
    pub(crate) version: u32,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Options {
    target: i32,
    /// The table adds one whenever the total is a multiple of five.
    tax: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: 1_000, tax: false }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    total: i32,
    scores: Vec<i32>,
    secrets: Vec<i64>,
    taxed: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Move {
    /// Adds this much, for all to see.
    Add(i32),
    /// Adds this much, and only the seat itself knows how much.
    Whisper(i32),
    /// Adds what chance gives.
    Roll,
    /// The table's own.
    Tax,
    /// The game's code panics.
    Panic,
    /// The game names a seat that isn't there.
    Corrupt,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct View {
    total: i32,
    secret: Option<i64>,
}

#[derive(Serialize)]
pub(crate) struct Notes {
    added: Option<i32>,
}

impl Game for Tally {
    type Options = Options;
    type Data = Data;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    fn about(&self) -> About {
        About {
            name: "tally",
            version: self.version,
            variants: &[Variant { name: "standard", draw_set: "english" }],
            seats_min: 2,
            seats_max: 4,
            phases: &["add", "over"],
            hidden: true,
            robots: true,
        }
    }

    fn setup(&self, table: &Table<Self>, chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        let secrets = (0..table.seats).map(|_| chance.int(1_000_000..=9_999_999)).collect();
        let scores = vec![0; table.seats.into()];
        let turn = Turn::of("add", table.seats, table.first_seat);
        Ok(Next { turn, data: Data { total: 0, scores, secrets, taxed: false }, ending: None })
    }

    fn play(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        actor: Option<Seat>,
        action: &Move,
        chance: &mut Chance<'_>,
        _judge: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove> {
        let mut data = state.data.clone();
        let Some(seat) = actor else {
            data.total += 1;
            data.taxed = true;
            return Ok(Next { turn: state.turn.clone(), data, ending: None });
        };
        let points = match action {
            Move::Add(points) | Move::Whisper(points) if (1..=3).contains(points) => *points,
            Move::Add(_) | Move::Whisper(_) => return Err(IllegalMove::forbidden("add 1, 2 or 3")),
            Move::Roll => chance.int(1..=6) as i32,
            Move::Tax => return Err(IllegalMove::forbidden("only the table taxes")),
            Move::Panic => panic!("a bug in the game"),
            Move::Corrupt => {
                let turn = Turn { acting: Some(Seat(9)), ..state.turn.clone() };
                return Ok(Next { turn, data, ending: None });
            }
        };
        data.total += points * self.version.cast_signed();
        data.scores[seat.index()] += points;
        data.taxed = false;
        if data.total >= table.options.target {
            let ending = Ending::by_scores(data.scores.clone(), &state.turn.order);
            return Ok(Next { turn: state.turn.ended("over"), data, ending: Some(ending) });
        }
        let next = state.turn.after(seat).unwrap_or(seat);
        Ok(Next { turn: state.turn.passed_to(next), data, ending: None })
    }

    fn legal_moves(&self, _table: &Table<Self>, _state: &State<Self>, _seat: Seat) -> Option<Vec<Move>> {
        Some((1..=3).map(Move::Add).collect())
    }

    fn view(&self, _table: &Table<Self>, state: &State<Self>, viewer: Viewer) -> View {
        let secret = match viewer {
            Viewer::Seat(seat) => state.data.secrets.get(seat.index()).copied(),
            Viewer::Spectator | Viewer::Admin => None,
        };
        View { total: state.data.total, secret }
    }

    fn notes(&self, _table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Notes {
        let hidden = matches!(made.action, Move::Whisper(_)) && made.actor.map(Viewer::Seat) != Some(viewer);
        Notes { added: (!hidden).then(|| made.after.data.total - made.before.data.total) }
    }

    fn shown_move(
        &self,
        _table: &Table<Self>,
        made: &Made<'_, Self>,
        viewer: Viewer,
    ) -> Option<serde_json::Value> {
        let hidden = matches!(made.action, Move::Whisper(_)) && made.actor.map(Viewer::Seat) != Some(viewer);
        hidden.then(|| serde_json::json!("whispered"))
    }

    fn scores(&self, _table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        state.data.scores.clone()
    }

    fn may_undo(&self, _table: &Table<Self>, _after: &State<Self>, _last: &Move) -> bool {
        true
    }

    fn automatic(&self, table: &Table<Self>, state: &State<Self>, _judge: &dyn Judge) -> Option<Move> {
        let data = &state.data;
        (table.options.tax && data.total > 0 && data.total % 5 == 0 && !data.taxed).then_some(Move::Tax)
    }

    fn robot_move(
        &self,
        _table: &Table<Self>,
        _view: &View,
        _seat: Seat,
        level: u8,
        chance: &mut Chance<'_>,
    ) -> Option<Move> {
        match level {
            1..=3 => Some(Move::Add(chance.int(1..=level.into()) as i32)),
            4 => Some(Move::Add(99)),
            _ => None,
        }
    }
}
