//! A game for two to four that is only there to be sat down at.

use std::collections::BTreeMap;

use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use astragal_rules::seat::{Seat, Turn};
use astragal_rules::state::State;

pub(crate) struct Parlour;

impl Game for Parlour {
    type Options = BTreeMap<String, u8>;
    type Data = u8;
    type Move = u8;
    type View = u8;
    type Notes = u8;

    fn about(&self) -> About {
        About {
            name: "parlour",
            version: 1,
            variants: &[Variant { name: "standard", draw_set: "russian" }],
            seats_min: 2,
            seats_max: 4,
            phases: &["sit"],
            hidden: false,
            robots: true,
        }
    }

    fn setup(&self, table: &Table<Self>, _: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        Ok(Next { turn: Turn::of("sit", table.seats, table.first_seat), data: 0, ending: None })
    }

    fn play(
        &self,
        _: &Table<Self>,
        _: &State<Self>,
        _: Option<Seat>,
        _: &u8,
        _: &mut Chance<'_>,
        _: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove> {
        Err(IllegalMove::forbidden("one only sits here"))
    }

    fn legal_moves(&self, _: &Table<Self>, _: &State<Self>, _: Seat) -> Option<Vec<u8>> {
        None
    }

    fn view(&self, _: &Table<Self>, _: &State<Self>, _: Viewer) -> u8 {
        0
    }

    fn notes(&self, _: &Table<Self>, _: &Made<'_, Self>, _: Viewer) -> u8 {
        0
    }

    fn scores(&self, table: &Table<Self>, _: &State<Self>) -> Vec<i32> {
        vec![0; usize::from(table.seats)]
    }
}
