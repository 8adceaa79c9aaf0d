//! A game whose author got something wrong: the table can't go on, and the error says why. What
//! is wrong never becomes a state.

use crate::toys::NoTwins;
use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use astragal_rules::log::{Header, Opening};
use astragal_rules::machine::StepError;
use astragal_rules::outcome::{Ending, SeatResult};
use astragal_rules::registry::Registry;
use astragal_rules::seat::{Seat, SeatList, Turn};
use astragal_rules::seed::Seed;
use astragal_rules::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

struct Sloppy;

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Nothing {}

/// What the game gets wrong.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Slip {
    None,
    UnknownPhase,
    SeatOfNoTable,
    SeatTwice,
    StrangerActs,
    StrangerWaits,
    StrangerLeads,
    EverybodyBack,
    ShortResults,
    LongScores,
    MovesAfterEnd,
}

impl Game for Sloppy {
    type Options = Nothing;
    type Data = u64;
    type Move = Slip;
    type View = ();
    type Notes = ();

    fn about(&self) -> About {
        About {
            name: "sloppy",
            version: 1,
            variants: &[Variant { name: "standard", draw_set: "english" }],
            seats_min: 3,
            seats_max: 3,
            phases: &["play"],
            hidden: false,
            robots: false,
        }
    }

    fn setup(&self, table: &Table<Self>, _chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        Ok(Next { turn: Turn::of("play", table.seats, table.first_seat), data: 0, ending: None })
    }

    fn play(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        _actor: Option<Seat>,
        slip: &Slip,
        _chance: &mut Chance<'_>,
        _judge: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove> {
        let mut turn = state.turn.clone();
        let mut ending = None;
        let end = |results, scores| {
            Some(Ending { results: vec![SeatResult::Drawn; results], scores: vec![0; scores] })
        };
        match slip {
            Slip::None => (),
            Slip::UnknownPhase => turn.phase = "draw",
            Slip::SeatOfNoTable => turn.order = [Seat(0), Seat(3)].into_iter().collect(),
            Slip::SeatTwice => turn.order = [Seat(0), Seat(0)].into_iter().collect(),
            Slip::StrangerActs => turn.acting = Some(Seat(1)),
            Slip::StrangerWaits => turn.waiting = [Seat(1)].into_iter().collect(),
            Slip::StrangerLeads => turn.initiative = Some(Seat(1)),
            Slip::EverybodyBack => turn = Turn::of("play", table.seats, Seat(0)),
            Slip::ShortResults => ending = end(2, 3),
            Slip::LongScores => ending = end(3, 4),
            Slip::MovesAfterEnd => ending = end(3, 3),
        }
        if matches!(slip, Slip::ShortResults | Slip::LongScores) {
            turn = turn.ended("play");
        }
        Ok(Next { turn, data: state.data, ending })
    }

    fn legal_moves(&self, _table: &Table<Self>, _state: &State<Self>, _seat: Seat) -> Option<Vec<Slip>> {
        None
    }

    fn view(&self, _table: &Table<Self>, _state: &State<Self>, _viewer: Viewer) {}

    fn notes(&self, _table: &Table<Self>, _made: &Made<'_, Self>, _viewer: Viewer) {}

    fn scores(&self, _table: &Table<Self>, _state: &State<Self>) -> Vec<i32> {
        vec![0]
    }

    fn retire(
        &self,
        _table: &Table<Self>,
        state: &State<Self>,
        seat: Seat,
        _chance: &mut Chance<'_>,
    ) -> Next<Self> {
        let turn = if seat == Seat(2) { state.turn.clone() } else { state.turn.without(seat) };
        Next { turn, data: state.data, ending: None }
    }
}

fn opening() -> Header {
    let opening = Opening {
        table: Uuid::nil(),
        game: "sloppy".to_owned(),
        version: 1,
        seed: Seed::new([0; 32]),
        seats: 3,
        options: "{}".to_owned(),
        first_seat: Seat(0),
    };
    Header { opening: Arc::new(opening), moves: 0 }
}

#[test]
fn l0_what_no_table_can_have_never_becomes_a_state() {
    let table = Registry::new().with(Sloppy).setup(&opening()).unwrap();
    let table = table.step(None, r#"{"left":1}"#, &NoTwins).ok().unwrap().after;
    assert_eq!(table.turn().order, SeatList::from_iter([Seat(0), Seat(2)]));
    for (slip, place) in [
        ("unknownPhase", "state.phase"),
        ("seatOfNoTable", "state.order"),
        ("seatTwice", "state.order[1]"),
        ("strangerActs", "state.acting"),
        ("strangerWaits", "state.waiting[0]"),
        ("strangerLeads", "state.initiative"),
        ("everybodyBack", "state.order"),
        ("shortResults", "state.outcome"),
        ("longScores", "state.outcome"),
        ("movesAfterEnd", "state.outcome"),
    ] {
        match table.step(Some(Seat(0)), &format!("{slip:?}"), &NoTwins).err() {
            Some(StepError::Broken(error)) => assert_eq!(error.place, place, "{slip}: {error}"),
            other => panic!("{slip}: {other:?}"),
        }
    }
    assert!(table.step(Some(Seat(0)), r#""none""#, &NoTwins).is_ok());
}

#[test]
fn l0_a_seat_that_does_not_retire_and_scores_too_few_are_found() {
    let table = Registry::new().with(Sloppy).setup(&opening()).unwrap();
    for text in [r#"{"left":2}"#, r#"{"aborted":null}"#] {
        assert!(matches!(table.step(None, text, &NoTwins).err(), Some(StepError::Broken(_))), "{text}");
    }
}
