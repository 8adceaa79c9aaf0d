//! What a table itself has to do now: a robot's move, or a move of its own. Pure.

use crate::occupant::{Occupant, Occupants};
use crate::store::{DueChange, DueKind};
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::game::AcceptAll;
use astragal_runtime::clock::Timestamp;
use chrono::TimeDelta;

/// The process that made the last move does what is due at once. Only if it hasn't by then,
/// somebody else does.
const GRACE: TimeDelta = TimeDelta::seconds(1);

/// What is due at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Due {
    /// A robot is to move.
    pub(crate) robot: bool,
    /// The table itself is to move.
    pub(crate) automatic: bool,
}

impl Due {
    /// What is due in a state, with these occupants.
    pub(crate) fn of(state: &dyn AnyTable, occupants: &Occupants) -> Result<Self, InvalidGame> {
        if state.outcome().is_some() {
            return Ok(Self::default());
        }
        Ok(Self {
            robot: robot_to_move(state, occupants).is_some(),
            automatic: state.automatic(&AcceptAll)?.is_some(),
        })
    }

    /// True if anything is.
    pub(crate) const fn any(self) -> bool {
        self.robot || self.automatic
    }

    /// What changes from this to `next`, for the rows of the database.
    pub(crate) fn changes(self, next: Self, now: Timestamp) -> Vec<DueChange> {
        let kinds =
            [(DueKind::Robot, self.robot, next.robot), (DueKind::Automatic, self.automatic, next.automatic)];
        let changed = kinds.into_iter().filter(|(_, was, is)| *was || *is);
        changed.map(|(kind, _, is)| DueChange { kind, at: is.then(|| now + GRACE) }).collect()
    }
}

/// The robot that is to move, if one is.
pub(crate) fn robot_to_move<'o>(state: &dyn AnyTable, occupants: &'o Occupants) -> Option<&'o Occupant> {
    let mut waited_for = state.turn().to_move().filter_map(|seat| occupants.at(seat));
    waited_for.find(|occupant| occupant.is_robot())
}
