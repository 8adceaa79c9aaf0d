//! Dare: every seat chooses in secret how many dice to throw, then all throw at once. A one
//! among a seat's dice costs its throw. Who waits for whom, what is hidden until when, and a
//! round that waits for somebody who leaves.

use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use astragal_rules::outcome::Ending;
use astragal_rules::seat::{Seat, SeatList, Turn};
use astragal_rules::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub struct Dare;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub rounds: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { rounds: 3 }
    }
}

/// Everything by seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Rounds that were thrown.
    pub thrown: u8,
    /// Hidden until all have chosen.
    pub chosen: Vec<Option<u8>>,
    /// The dice of the last round.
    pub dice: Vec<Vec<u8>>,
    pub points: Vec<i32>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    pub dice: u8,
}

#[derive(Serialize, JsonSchema)]
pub struct View {
    pub thrown: u8,
    pub chosen: Vec<Option<u8>>,
    pub dice: Vec<Vec<u8>>,
    pub points: Vec<i32>,
}

#[derive(Serialize)]
pub struct Notes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<Vec<Vec<u8>>>,
}

impl Game for Dare {
    type Options = Options;
    type Data = Data;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    fn about(&self) -> About {
        About {
            name: "dare",
            version: 1,
            variants: &[Variant { name: "standard", draw_set: "english" }],
            seats_min: 2,
            seats_max: 4,
            phases: &["choose", "over"],
            hidden: true,
            robots: true,
        }
    }

    fn setup(&self, table: &Table<Self>, _chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        if !(1..=9).contains(&table.options.rounds) {
            return Err(InvalidGame::new("options.rounds", "must be from 1 to 9"));
        }
        let seats = usize::from(table.seats);
        let data = Data {
            thrown: 0,
            chosen: vec![None; seats],
            dice: vec![Vec::new(); seats],
            points: vec![0; seats],
        };
        let turn = all_choose(Seat::all(table.seats).collect(), Some(table.first_seat));
        Ok(Next { turn, data, ending: None })
    }

    fn check_data(&self, table: &Table<Self>, data: &Data) -> Result<(), InvalidGame> {
        let lists = [data.chosen.len(), data.dice.len(), data.points.len()];
        if lists == [usize::from(table.seats); 3] {
            Ok(())
        } else {
            Err(InvalidGame::new("chosen", "needs an entry for each seat, as dice and points do"))
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
        let seat = actor.ok_or_else(|| IllegalMove::forbidden("only a player chooses"))?;
        if !(1..=3).contains(&action.dice) {
            return Err(IllegalMove::forbidden("throw one to three dice"));
        }
        let mut data = state.data.clone();
        data.chosen[seat.index()] = Some(action.dice);
        let mut turn = state.turn.clone();
        turn.waiting.retain(|waiting| *waiting != seat);
        Ok(throw_if_all_chose(table, turn, data, chance))
    }

    fn legal_moves(&self, _table: &Table<Self>, _state: &State<Self>, _seat: Seat) -> Option<Vec<Move>> {
        Some((1..=3).map(|dice| Move { dice }).collect())
    }

    fn view(&self, _table: &Table<Self>, state: &State<Self>, viewer: Viewer) -> View {
        let Data { thrown, chosen, dice, points } = state.data.clone();
        let masked = |(seat, chosen)| if sees(viewer, Seat(seat)) { chosen } else { None };
        View { thrown, chosen: (0..).zip(chosen).map(masked).collect(), dice, points }
    }

    fn notes(&self, _table: &Table<Self>, made: &Made<'_, Self>, _viewer: Viewer) -> Notes {
        Notes { dice: was_thrown(made).then(|| made.after.data.dice.clone()) }
    }

    fn shown_move(&self, _table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Option<Value> {
        let secret = !was_thrown(made) && made.actor.is_some_and(|seat| !sees(viewer, seat));
        secret.then(|| json!({}))
    }

    fn scores(&self, _table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        state.data.points.clone()
    }

    fn may_undo(&self, _table: &Table<Self>, _after: &State<Self>, _last: &Move) -> bool {
        true
    }

    fn retire(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        seat: Seat,
        chance: &mut Chance<'_>,
    ) -> Next<Self> {
        let mut data = state.data.clone();
        data.chosen[seat.index()] = None;
        throw_if_all_chose(table, state.turn.without(seat), data, chance)
    }

    fn robot_move(
        &self,
        _table: &Table<Self>,
        _view: &View,
        _seat: Seat,
        level: u8,
        chance: &mut Chance<'_>,
    ) -> Option<Move> {
        Some(Move { dice: chance.index(level.min(3).into()) as u8 + 1 })
    }
}

fn all_choose(order: SeatList, initiative: Option<Seat>) -> Turn {
    Turn { phase: "choose", waiting: order.clone(), order, acting: None, initiative }
}

fn throw_if_all_chose(
    table: &Table<Dare>,
    turn: Turn,
    mut data: Data,
    chance: &mut Chance<'_>,
) -> Next<Dare> {
    if !turn.waiting.is_empty() {
        return Next { turn, data, ending: None };
    }
    data.dice = data.chosen.iter_mut().map(|chosen| throw(chosen.take(), chance)).collect();
    for (points, dice) in data.points.iter_mut().zip(&data.dice) {
        *points += if dice.contains(&1) { 0 } else { dice.iter().map(|die| i32::from(*die)).sum() };
    }
    data.thrown += 1;
    if data.thrown >= table.options.rounds {
        let ending = Ending::by_scores(data.points.clone(), &turn.order);
        return Next { turn: turn.ended("over"), data, ending: Some(ending) };
    }
    let leader = turn.initiative.and_then(|seat| turn.after(seat));
    Next { turn: all_choose(turn.order, leader), data, ending: None }
}

fn throw(dice: Option<u8>, chance: &mut Chance<'_>) -> Vec<u8> {
    (0..dice.unwrap_or(0)).map(|_| chance.index(6) as u8 + 1).collect()
}

fn was_thrown(made: &Made<'_, Dare>) -> bool {
    made.after.data.thrown > made.before.data.thrown
}

fn sees(viewer: Viewer, seat: Seat) -> bool {
    viewer == Viewer::Admin || viewer == Viewer::Seat(seat)
}
