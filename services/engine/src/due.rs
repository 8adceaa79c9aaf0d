//! What a table itself has to do now: a robot's move, or a move of its own. Pure.

use crate::clocks::Clocks;
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

/// How long an end waits that could not be told: at first, and at most.
const END_REST: TimeDelta = TimeDelta::seconds(1);
const END_REST_MAX: TimeDelta = TimeDelta::seconds(30);

/// When somebody else has to tell an end, if the process that wrote it hasn't by then.
pub(crate) fn told_by(now: Timestamp) -> DueChange {
    DueChange { kind: DueKind::Ended, at: Some(now + GRACE) }
}

/// When an end is told that could not be told now. It waits as long again as it has waited, so that the ends
/// of a long outage of whoever is told don't crowd out what else is due.
pub(crate) fn told_again(ended_at: Timestamp, now: Timestamp) -> Timestamp {
    now + (now - ended_at).clamp(END_REST, END_REST_MAX)
}

/// How long after its deadline a flag falls: a move that arrived before it has this time to be written.
pub(crate) const FLAG_AFTER: TimeDelta = TimeDelta::milliseconds(50);

/// How long before a seat can run out its table is looked at.
const SWEEP_AHEAD: TimeDelta = TimeDelta::milliseconds(350);

/// A clock with less time than this has a row of its own as soon as it runs, so that rows need not be
/// written more often.
pub(crate) const FLAG_NEAR: TimeDelta = TimeDelta::seconds(1);

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

/// When the sweeper has to look at a table whose clocks run: a little before a seat can run out, so that
/// the timer of some process is set in time. `now` is the instant of the entry, or a later one.
pub(crate) fn flag(clocks: &Clocks, state: &dyn AnyTable, now: Timestamp) -> Option<Timestamp> {
    let earliest = clocks.earliest(now, state.turn().order.iter().copied())?;
    Some(earliest + FLAG_AFTER - SWEEP_AHEAD)
}

/// When the sweeper has to look again at a table that it finds before its time; none: the time is so near
/// that the row stays due. Whose clock has little left has a row written when it begins to run.
pub(crate) fn next_flag(clocks: &Clocks, state: &dyn AnyTable, now: Timestamp) -> Option<Timestamp> {
    let (_, deadline) = clocks.deadline().filter(|(_, deadline)| *deadline > now + FLAG_NEAR)?;
    let flag = flag(clocks, state, now)?;
    Some(flag.max(now + FLAG_NEAR + FLAG_AFTER - SWEEP_AHEAD).min(deadline))
}

/// The robot that is to move, if one is.
pub(crate) fn robot_to_move<'o>(state: &dyn AnyTable, occupants: &'o Occupants) -> Option<&'o Occupant> {
    let mut waited_for = state.turn().to_move().filter_map(|seat| occupants.at(seat));
    waited_for.find(|occupant| occupant.is_robot())
}
