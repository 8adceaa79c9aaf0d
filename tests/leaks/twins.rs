//! The same table in both worlds, as the rules hold it: what really is, hidden parts included.

use crate::subjects::Subject;
use crate::toys::random::Whim;
use crate::world::registry;
use anyhow::{Context, Result, ensure};
use astragal_rules::any::AnyTable;
use astragal_rules::game::AcceptAll;
use astragal_rules::log::Opening;
use astragal_rules::seat::Seat;
use serde_json::Value;
use std::sync::Arc;

/// How often another move is tried before a game is left.
const TRIES_MAX: u32 = 60;

/// Two tables that only one seat can tell apart.
pub(crate) struct Twins {
    tables: [Box<dyn AnyTable>; 2],
    /// The seat whose secrets differ.
    pub(crate) odd: Seat,
}

/// A step that only the odd seat can tell apart in the two worlds.
pub(crate) struct TwinStep {
    pub(crate) seat: Seat,
    pub(crate) actions: [String; 2],
}

impl Twins {
    pub(crate) fn open(opening: Opening, odd: Seat) -> Result<Self> {
        let (opening, registry) = (Arc::new(opening), registry());
        let game = registry.newest(&opening.game).context("a registered game")?;
        let table = || game.setup(Arc::clone(&opening));
        Ok(Self { tables: [table()?, table()?], odd })
    }

    /// The next step, if one is found that keeps the game going and tells nothing to the others.
    pub(crate) fn step(&mut self, subject: &dyn Subject, whim: &mut Whim) -> Result<Option<TwinStep>> {
        for _ in 0..TRIES_MAX {
            let seats: Vec<Seat> = self.tables[0].turn().to_move().collect();
            let seat = seats[whim.below(seats.len())];
            let Some(actions) = subject.moves(self.sights()?.each_ref(), seat, self.odd, whim) else {
                continue;
            };
            let after = self.after(seat, &actions);
            let Some(after) = after.filter(|after| after.iter().all(|table| table.outcome().is_none()))
            else {
                continue;
            };
            let states = states(&after)?;
            if subject.known(&states[0], self.odd) == subject.known(&states[1], self.odd) {
                self.tables = after;
                return Ok(Some(TwinStep { seat, actions }));
            }
        }
        Ok(None)
    }

    fn after(&self, seat: Seat, actions: &[String; 2]) -> Option<[Box<dyn AnyTable>; 2]> {
        let [first, second] = &self.tables;
        let first = first.step(Some(seat), &actions[0], &AcceptAll).ok()?.after;
        Some([first, second.step(Some(seat), &actions[1], &AcceptAll).ok()?.after])
    }

    /// Both tables, each with its state.
    fn sights(&self) -> Result<[(&dyn AnyTable, Value); 2]> {
        let [first, second] = &self.tables;
        let [one, other] = states(&self.tables)?;
        Ok([(&**first, one), (&**second, other)])
    }

    /// The state of the first world in canonical JSON, to say where something went wrong.
    pub(crate) fn shown(&self) -> Result<[String; 2]> {
        let [first, second] = &self.tables;
        Ok([first.state_json()?, second.state_json()?])
    }

    /// Both tables agree on what everybody knows.
    pub(crate) fn check(&self, subject: &dyn Subject) -> Result<()> {
        let [first, second] = states(&self.tables)?;
        ensure!(
            subject.known(&first, self.odd) == subject.known(&second, self.odd),
            "the twins differ openly"
        );
        Ok(())
    }
}

fn states(tables: &[Box<dyn AnyTable>; 2]) -> Result<[Value; 2]> {
    let [first, second] = tables;
    Ok([serde_json::from_str(&first.state_json()?)?, serde_json::from_str(&second.state_json()?)?])
}
