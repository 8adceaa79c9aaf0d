//! Whether a seat may do what it asks for, and what comes of it. Pure; the order of the checks is
//! what clients rely on.

use crate::action::Action;
use crate::change::{self, Cause};
use crate::clocks::Clocks;
use crate::header::Phase;
use crate::journal::{JOURNAL_MAX, KEPT_FOR_ENDINGS};
use crate::live::{LiveTable, Prepared};
use crate::position::{Behind, Position};
use crate::request::Stamp;
use astragal_rules::canonical::canonical;
use astragal_rules::error::{IllegalMove, InvalidGame, UndoError};
use astragal_rules::game::{AcceptAll, Judge};
use astragal_rules::log::MOVES_MAX;
use astragal_rules::machine::StepError;
use astragal_rules::seat::{SEATS_MAX, Seat};
use astragal_rules::table_move::TableMove;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Code, Problem};

/// How often a seat may take back a move of the same number.
const UNDOS_MAX: u8 = 3;

/// Why nothing comes of it.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The seat is told so, and the table stays as it is.
    Problem(Problem),
    /// The game broke a promise, and the table can't go on.
    Broken(InvalidGame),
}

impl Refused {
    /// What the seat is told.
    pub(crate) const fn code(&self) -> Code {
        match self {
            Self::Problem(problem) => problem.code,
            Self::Broken(_) => Code::Internal,
        }
    }
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<InvalidGame> for Refused {
    fn from(why: InvalidGame) -> Self {
        Self::Broken(why)
    }
}

/// What a seat's action leads to.
pub(crate) fn play(
    live: &LiveTable,
    seat: Seat,
    action: &Action,
    stamp: Stamp,
    arrived: Timestamp,
    at: Timestamp,
) -> Result<Prepared, Refused> {
    check_phase(live, action)?;
    check_revision(live, action)?;
    check_time(live, action, arrived)?;
    check_room(live, action)?;
    let position = standing(live)?;
    let cause = Cause { actor: Some(seat), stamp: Some(stamp), arrived, at };
    match action {
        Action::Move { content, .. } => {
            let content = std::str::from_utf8(content)
                .map_err(|_| Problem::new(Code::IllegalMove, "the move is not JSON text"))?;
            let judge = judge(position)?;
            change::step(live, position, cause, Some(seat), content, judge)
                .map_err(|error| of_step(error, illegal))
        }
        Action::Undo { .. } => undo(live, position, seat, cause),
        Action::Resign => end(live, position, cause, TableMove::Resigned(seat)),
        Action::Leave => end(live, position, cause, TableMove::Left(seat)),
        Action::Abort => {
            check_abort(live, position, seat)?;
            end(live, position, cause, TableMove::Aborted(()))
        }
    }
}

/// A move that the table itself makes.
pub(crate) fn automatic(live: &LiveTable, content: &str, at: Timestamp) -> Result<Prepared, Refused> {
    let cause = Cause::table(at);
    change::step(live, standing(live)?, cause, None, content, &AcceptAll).map_err(must_apply)
}

/// The flag of a seat that is out of time.
pub(crate) fn flag(live: &LiveTable, seat: Seat, at: Timestamp) -> Result<Prepared, Refused> {
    end(live, standing(live)?, Cause::table(at), TableMove::Time(seat))
}

/// Ends a table that still waits for players.
pub(crate) fn cancel(live: &LiveTable, at: Timestamp) -> Result<Prepared, Refused> {
    let cause = Cause::table(at);
    end(live, standing(live)?, cause, TableMove::Aborted(()))
}

/// The refusal of a move that the game itself has offered: the promise is broken.
pub(crate) fn must_apply(error: StepError) -> Refused {
    match error {
        StepError::Illegal(why) => Refused::Broken(InvalidGame::new("a move of the game's own", why)),
        StepError::Broken(why) => Refused::Broken(why),
    }
}

/// Who judges new moves. Without its dictionary a table waits until an engine has it again.
pub(crate) fn judge(position: &Position) -> Result<&dyn Judge, Problem> {
    position.state.judge().map_err(|missing| Problem::unavailable(missing.why))
}

fn standing(live: &LiveTable) -> Result<&Position, Problem> {
    let gone = || Problem::new(Code::GameOver, "the game is over, its table could not go on");
    live.position.as_ref().ok_or_else(gone)
}

fn check_phase(live: &LiveTable, action: &Action) -> Result<(), Problem> {
    match (live.phase(), action) {
        (Phase::Playing, _) | (Phase::Waiting, Action::Move { .. } | Action::Undo { .. }) => Ok(()),
        (Phase::Waiting, Action::Resign | Action::Leave | Action::Abort) => {
            Err(Problem::failed_precondition("a seat is still empty; cancel the search instead"))
        }
        (Phase::Over, Action::Move { .. }) => {
            Err(Problem::new(Code::IllegalMove, "the game is over, no move can be made"))
        }
        (Phase::Over, _) => Err(Problem::new(Code::GameOver, "the game is over")),
    }
}

/// Seats taken and clocks stopped don't count: only a move or an undo changes what a move means.
fn check_revision(live: &LiveTable, action: &Action) -> Result<(), Problem> {
    match action.revision() {
        Some(known) if known > live.head.revision => {
            let why = format!("the table has no revision {known} yet; load it again");
            Err(Problem::invalid_argument(why))
        }
        Some(known) if known < live.head.played => {
            let why = format!("revision {} came first; look again and choose anew", live.head.played);
            Err(Problem::new(Code::ConcurrentMove, why))
        }
        _ => Ok(()),
    }
}

/// Out of time is out of time, also while the flag is on its way. What ends the game may still come.
fn check_time(live: &LiveTable, action: &Action, arrived: Timestamp) -> Result<(), Problem> {
    let out = live.clocks.as_ref().is_some_and(|clocks| clocks.is_out(arrived));
    match action {
        Action::Move { .. } if out => Err(Problem::new(Code::IllegalMove, "the time is up")),
        Action::Undo { .. } if out => Err(Problem::new(Code::UndoRefused, "the time is up")),
        _ => Ok(()),
    }
}

/// A table must always be able to end, so the last of a journal and of a log is for endings.
fn check_room(live: &LiveTable, action: &Action) -> Result<(), Problem> {
    let journal_full = live.head.revision >= JOURNAL_MAX - KEPT_FOR_ENDINGS;
    let number = live.position.as_ref().map_or(0, |position| position.state.number());
    let log_full = number >= MOVES_MAX - u32::from(SEATS_MAX);
    match action {
        Action::Move { .. } if journal_full || log_full => {
            Err(Problem::new(Code::IllegalMove, "the log is full; resign or leave the game"))
        }
        Action::Undo { .. } if journal_full => {
            Err(Problem::new(Code::UndoRefused, "the journal is full; resign or leave the game"))
        }
        _ => Ok(()),
    }
}

/// Whoever is out has lost, and nobody's game ends because others wish it so once it has begun.
fn check_abort(live: &LiveTable, position: &Position, seat: Seat) -> Result<(), Problem> {
    let playing = &position.state.turn().order;
    if live.head.seat_moves > 0 {
        let why = "a move has been made; resign or leave the game instead";
        return Err(Problem::failed_precondition(why));
    }
    if !playing.contains(&seat) {
        let why = "you are out of this game, so you can't abort it for those who play on";
        return Err(Problem::failed_precondition(why));
    }
    if playing.len() < usize::from(live.header.seats) {
        let why = "somebody is out of this game already; resign or leave it instead";
        return Err(Problem::failed_precondition(why));
    }
    Ok(())
}

fn undo(live: &LiveTable, position: &Position, seat: Seat, cause: Cause) -> Result<Prepared, Refused> {
    let refused = |why: &str| Refused::from(Problem::new(Code::UndoRefused, why));
    let last = match &position.behind {
        Behind::Move { last, .. } => last,
        Behind::Start => return Err(refused("no move has been made")),
        Behind::Unread => {
            return Err(Problem::unavailable("the table was not read in full; try again").into());
        }
    };
    position.state.check_undo(last, Some(seat)).map_err(|error| match error {
        UndoError::GameOver => Problem::new(Code::GameOver, "the game is over, no move can be taken back"),
        UndoError::Refused(why) => Problem::new(Code::UndoRefused, why),
    })?;
    if live.head.undos(last.number, seat) >= UNDOS_MAX {
        return Err(refused("this move was taken back three times, that is as often as one may"));
    }
    let survives = |clocks: &Clocks| clocks.survives_undo(seat, last.number, cause.arrived);
    if !live.clocks.as_ref().is_none_or(survives) {
        return Err(refused("without the increment of this move no time would be left"));
    }
    let earlier = position.taken_back().ok_or_else(|| refused("no move has been made"))??;
    Ok(change::take_back(live, cause, last.number, earlier)?)
}

fn end(
    live: &LiveTable,
    position: &Position,
    cause: Cause,
    table_move: TableMove,
) -> Result<Prepared, Refused> {
    let content = canonical(&table_move).map_err(|error| InvalidGame::new("table move", error))?;
    let refuse = |why: &IllegalMove| Problem::failed_precondition(why.to_string());
    change::step(live, position, cause, None, &content, &AcceptAll).map_err(|error| of_step(error, refuse))
}

fn of_step(error: StepError, refuse: impl Fn(&IllegalMove) -> Problem) -> Refused {
    match error {
        StepError::Illegal(why) => Refused::Problem(refuse(&why)),
        StepError::Broken(why) => Refused::Broken(why),
    }
}

fn illegal(why: &IllegalMove) -> Problem {
    let code = match why {
        IllegalMove::NotYourTurn(_) => Code::NotYourTurn,
        _ => Code::IllegalMove,
    };
    Problem::new(code, why.to_string())
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
