//! A table looked at step by step, as an administrator sees it: the deal, then each move with what it
//! did and what came of it. It knows nothing of journals, instants or who asked.

use crate::any::{AnyTable, StateHash};
use crate::error::InvalidGame;
use crate::game::{AcceptAll, Viewer};
use crate::log::{Header, LoggedMove};
use crate::seat::Seat;
use std::sync::Arc;

/// The table after the deal, or after a move. Texts are canonical JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimelineStep {
    /// 0 is the deal.
    pub number: u32,
    /// Who moved; none: the table itself, or nobody yet.
    pub seat: Option<Seat>,
    /// The move; `null` for the deal.
    pub action: String,
    /// What it did.
    pub notes: String,
    /// True if it drew at random.
    pub drew: bool,
    /// The table then, with the hands of all.
    pub view: String,
    /// Who is to move then.
    pub to_move: Vec<Seat>,
}

/// The step of the deal.
pub fn deal(start: &dyn AnyTable) -> Result<TimelineStep, InvalidGame> {
    Ok(TimelineStep {
        number: start.number(),
        seat: None,
        action: "null".to_owned(),
        notes: "{}".to_owned(),
        drew: true,
        view: start.view(Viewer::Admin)?,
        to_move: start.turn().to_move().collect(),
    })
}

/// One more move, as it was made.
pub fn follow(before: &dyn AnyTable, logged: &LoggedMove) -> Result<Box<dyn AnyTable>, InvalidGame> {
    let header = Header { opening: Arc::clone(before.opening()), moves: logged.number };
    before.advance(&header, std::slice::from_ref(logged), &AcceptAll)
}

/// The step of a move, between the tables before and after it.
pub fn step(
    before: &dyn AnyTable,
    after: &dyn AnyTable,
    logged: &LoggedMove,
) -> Result<TimelineStep, InvalidGame> {
    let shown = after.shown(before, logged, Viewer::Admin)?;
    Ok(TimelineStep {
        number: logged.number,
        seat: logged.seat,
        action: shown.action,
        notes: shown.notes,
        drew: logged.drew,
        view: after.view(Viewer::Admin)?,
        to_move: after.turn().to_move().collect(),
    })
}

/// What a journal says of a move that stands, besides the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// When it was made, in microseconds since 1970.
    pub at_us: Option<i64>,
    /// Of the state after it.
    pub hash: Option<StateHash>,
    /// How many moves were taken back since the one before it.
    pub taken_back: u32,
}

/// Folds the entries of a journal into the marks of the moves that stand.
#[derive(Default)]
pub struct Marks {
    standing: Vec<Mark>,
    taken_back: u32,
}

impl Marks {
    /// A move was made.
    pub fn moved(&mut self, at_us: i64, hash: Option<StateHash>) {
        let taken_back = std::mem::take(&mut self.taken_back);
        self.standing.push(Mark { at_us: Some(at_us), hash, taken_back });
    }

    /// The last one was taken back.
    pub fn undone(&mut self) {
        if let Some(gone) = self.standing.pop() {
            self.taken_back += gone.taken_back + 1;
        }
    }

    /// One for each move that stands, oldest first.
    pub fn into_standing(self) -> Vec<Mark> {
        self.standing
    }
}
