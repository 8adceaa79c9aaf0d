//! Count to a target in turn: long logs, chance in some moves only, and two versions whose rules
//! differ.

use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use astragal_rules::outcome::Ending;
use astragal_rules::seat::{Seat, Turn};
use astragal_rules::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version 1, or version 2, in which nobody repeats the number before.
pub struct Counter {
    pub version: u32,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub target: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: 20 }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    pub total: u32,
    pub last: u32,
    pub points: Vec<i32>,
}

/// A number from 1 to 3, or the throw of a die.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Move {
    Add(u32),
    Roll,
}

#[derive(Serialize, JsonSchema)]
pub struct View {
    pub total: u32,
    pub last: u32,
}

#[derive(Serialize)]
pub struct Notes {
    pub added: u32,
}

impl Game for Counter {
    type Options = Options;
    type Data = Data;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    fn about(&self) -> About {
        About {
            name: "counter",
            version: self.version,
            variants: &[Variant { name: "standard", draw_set: "english" }],
            seats_min: 1,
            seats_max: 4,
            phases: &["count", "over"],
            hidden: false,
            robots: false,
        }
    }

    fn setup(&self, table: &Table<Self>, _chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        if table.options.target == 0 {
            return Err(InvalidGame::new("options.target", "must be at least 1"));
        }
        let data = Data { total: 0, last: 0, points: vec![0; table.seats.into()] };
        Ok(Next { turn: Turn::of("count", table.seats, table.first_seat), data, ending: None })
    }

    fn check_data(&self, table: &Table<Self>, data: &Data) -> Result<(), InvalidGame> {
        if data.points.len() == usize::from(table.seats) {
            Ok(())
        } else {
            Err(InvalidGame::new("points", "needs an entry for each seat"))
        }
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
        let seat = actor.ok_or_else(|| IllegalMove::forbidden("only a player counts"))?;
        let added = match *action {
            Move::Add(number) if !(1..=3).contains(&number) => {
                return Err(IllegalMove::forbidden("add 1, 2 or 3"));
            }
            Move::Add(number) if self.version > 1 && number == state.data.last => {
                return Err(IllegalMove::forbidden("the number before can't be repeated"));
            }
            Move::Add(number) => number,
            Move::Roll => chance.index(6) as u32 + 1,
        };
        let mut data = state.data.clone();
        data.total += added;
        data.last = added;
        data.points[seat.index()] += i32::try_from(added).unwrap_or(i32::MAX);
        if data.total >= table.options.target {
            let ending = Ending::by_scores(data.points.clone(), &state.turn.order);
            return Ok(Next { turn: state.turn.ended("over"), data, ending: Some(ending) });
        }
        let next = state.turn.after(seat).unwrap_or(seat);
        Ok(Next { turn: state.turn.passed_to(next), data, ending: None })
    }

    fn legal_moves(&self, _table: &Table<Self>, state: &State<Self>, _seat: Seat) -> Option<Vec<Move>> {
        let free = |number: &u32| self.version == 1 || *number != state.data.last;
        Some((1..=3).filter(free).map(Move::Add).chain([Move::Roll]).collect())
    }

    fn view(&self, _table: &Table<Self>, state: &State<Self>, _viewer: Viewer) -> View {
        View { total: state.data.total, last: state.data.last }
    }

    fn notes(&self, _table: &Table<Self>, made: &Made<'_, Self>, _viewer: Viewer) -> Notes {
        Notes { added: made.after.data.last }
    }

    fn scores(&self, _table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        state.data.points.clone()
    }

    fn may_undo(&self, _table: &Table<Self>, _after: &State<Self>, _last: &Move) -> bool {
        true
    }
}
