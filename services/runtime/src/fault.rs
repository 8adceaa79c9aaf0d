//! Fault points: steps at which a process kills itself, stands still, or loses what it was about to do, because a test
//! of the whole system says so from outside.
//!
//! `ASTRAGAL_FAULTS="engine.committed=kill@7,bus.publish=drop@10%"` kills the process when it reaches the first point
//! for the seventh time, and loses a tenth of what it publishes. `stop@N` is for a process that hangs. A release build
//! has no fault points: it refuses to start with the variable, and what stands at a point compiles to nothing.

mod plan;

use std::sync::OnceLock;

use self::plan::Plan;
use crate::error::{Problem, Result};

const VARIABLE: &str = "ASTRAGAL_FAULTS";

static ARMED: OnceLock<Plan> = OnceLock::new();

/// A step that something may happen at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// An entry is in the journal; nobody has been told, and nothing is answered.
    EngineCommitted,
    /// A table is in the database, and nothing is answered.
    EngineOpened,
    /// A table has ended in the journal; who offers rematches has not been told.
    EngineEnded,
    /// A change of a rematch is kept; nobody has been told, and nothing is answered.
    RematchWritten,
    /// The next game is there; its rematch does not say so.
    RematchStarted,
    /// A game with its draw and its seats is in the database, and no engine knows of it.
    MatchmakingWritten,
    /// Orders have come, and nothing of them is written.
    MatchmakingOrdered,
    /// A seat is claimed, or a game cancelled, in the database, and no engine knows of that.
    MatchmakingClaimed,
    /// The engine has confirmed all of a game; nobody has been told, and nothing is answered.
    MatchmakingConfirmed,
    /// Everyone has been told of a change of a game; nothing is noted, and nothing is answered.
    MatchmakingTold,
    /// A message is about to go out on the bus.
    BusPublish,
}

impl Point {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::EngineCommitted,
        Self::EngineOpened,
        Self::EngineEnded,
        Self::RematchWritten,
        Self::RematchStarted,
        Self::MatchmakingWritten,
        Self::MatchmakingOrdered,
        Self::MatchmakingClaimed,
        Self::MatchmakingConfirmed,
        Self::MatchmakingTold,
        Self::BusPublish,
    ];

    /// As the variable names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EngineCommitted => "engine.committed",
            Self::EngineOpened => "engine.opened",
            Self::EngineEnded => "engine.ended",
            Self::RematchWritten => "rematch.written",
            Self::RematchStarted => "rematch.started",
            Self::MatchmakingWritten => "matchmaking.written",
            Self::MatchmakingOrdered => "matchmaking.ordered",
            Self::MatchmakingClaimed => "matchmaking.claimed",
            Self::MatchmakingConfirmed => "matchmaking.confirmed",
            Self::MatchmakingTold => "matchmaking.told",
            Self::BusPublish => "bus.publish",
        }
    }

    /// Whether what comes next can be left out, as the network may.
    const fn can_lose(self) -> bool {
        matches!(self, Self::BusPublish)
    }
}

/// Takes the plan from the environment; once in a process, before anything else runs.
pub fn arm() -> Result<()> {
    let Some(plan) = std::env::var_os(VARIABLE).filter(|plan| !plan.is_empty()) else { return Ok(()) };
    let plan = read(&plan.to_string_lossy(), cfg!(debug_assertions))?;
    tracing::warn!(?plan, "this process is going to fail on purpose");
    ARMED.set(plan).map_err(|_| Problem::failed_precondition("faults are armed already; arm them once"))
}

/// A step is reached. The process may end here.
pub fn reach(point: Point) {
    if cfg!(debug_assertions)
        && let Some(plan) = ARMED.get()
    {
        plan.reach(point);
    }
}

/// A step is reached at which something goes out; true if it is to be lost.
#[must_use]
pub fn loses(point: Point) -> bool {
    reach(point);
    cfg!(debug_assertions) && ARMED.get().is_some_and(|plan| plan.loses(point))
}

fn read(plan: &str, has_points: bool) -> Result<Plan> {
    if !has_points {
        let why =
            format!("{VARIABLE} is set, and this is a release build, which has no fault points; unset it");
        return Err(Problem::failed_precondition(why));
    }
    plan.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o3_a_release_build_refuses_faults() {
        let refused = read("engine.committed=kill@1", false).expect_err("a refusal");
        assert!(refused.message.contains(VARIABLE) && refused.message.contains("release"), "{refused:?}");
        assert!(read("engine.committed=kill@1", true).is_ok());
    }

    #[test]
    fn nothing_happens_at_a_point_that_is_not_armed() {
        for point in Point::ALL {
            assert!(!loses(point), "{}", point.name());
        }
    }
}
