//! Kalah without an end: when a board is done the next one is laid. A log of 100,000 moves needs such a
//! game, since one of kalah has some forty.

use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Viewer};
use astragal_rules::kalah::board::Board;
use astragal_rules::kalah::game::{Kalah, Move, Notes, Options};
use astragal_rules::kalah::view::View;
use astragal_rules::seat::Seat;
use astragal_rules::state::State;

/// The game.
#[derive(Clone, Copy)]
pub(crate) struct EndlessKalah;

/// Its name.
pub(crate) const NAME: &str = "endless_kalah";

impl Game for EndlessKalah {
    type Options = Options;
    type Data = Board;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    fn about(&self) -> About {
        About { name: NAME, ..Kalah.about() }
    }

    fn describe(&self, table: &Table<Self>) -> serde_json::Value {
        Kalah.describe(&at(table))
    }

    fn setup(&self, table: &Table<Self>, chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        Ok(next(Kalah.setup(&at(table), chance)?))
    }

    fn play(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        actor: Option<Seat>,
        action: &Move,
        chance: &mut Chance<'_>,
        judge: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove> {
        let made = Kalah.play(&at(table), &of(state), actor, action, chance, judge)?;
        match made.ending {
            Some(_) => Kalah.setup(&at(table), chance).map(next).map_err(IllegalMove::forbidden),
            None => Ok(next(made)),
        }
    }

    fn legal_moves(&self, table: &Table<Self>, state: &State<Self>, seat: Seat) -> Option<Vec<Move>> {
        Kalah.legal_moves(&at(table), &of(state), seat)
    }

    fn view(&self, table: &Table<Self>, state: &State<Self>, viewer: Viewer) -> View {
        Kalah.view(&at(table), &of(state), viewer)
    }

    fn notes(&self, table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Notes {
        let (before, after) = (of(made.before), of(made.after));
        let made = Made { before: &before, actor: made.actor, action: made.action, after: &after };
        Kalah.notes(&at(table), &made, viewer)
    }

    fn scores(&self, table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        Kalah.scores(&at(table), &of(state))
    }
}

fn at(table: &Table<EndlessKalah>) -> Table<Kalah> {
    Table { seats: table.seats, first_seat: table.first_seat, options: table.options }
}

fn of(state: &State<EndlessKalah>) -> State<Kalah> {
    State {
        table: state.table,
        number: state.number,
        turn: state.turn.clone(),
        data: state.data,
        outcome: state.outcome.clone(),
    }
}

fn next(made: Next<Kalah>) -> Next<EndlessKalah> {
    Next { turn: made.turn, data: made.data, ending: None }
}
