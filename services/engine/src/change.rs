//! Changes of a table, worked out before they are appended: the entry, the rows that change with it,
//! the event, the state after it. Pure, and the same for a person, a robot and the table itself.

use crate::clocks::{Clocks, TimeMark};
use crate::due::{self, Due};
use crate::event;
use crate::header::Phase;
use crate::journal::{Entry, EntryKind, StopReason};
use crate::live::{LiveTable, Prepared};
use crate::occupant::{Occupant, Occupants};
use crate::outcome::TableOutcome;
use crate::position::{Behind, Position};
use crate::request::Stamp;
use crate::store::{Append, DueChange, DueKind, TableEnd};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_rules::error::InvalidGame;
use astragal_rules::game::Judge;
use astragal_rules::log::LoggedMove;
use astragal_rules::machine::StepError;
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use chrono::TimeDelta;
use std::sync::Arc;

/// Who asks for a change, by what request, and when.
#[derive(Clone, Copy)]
pub(crate) struct Cause {
    /// The seat; none: the table itself, or matchmaking.
    pub(crate) actor: Option<Seat>,
    /// The request.
    pub(crate) stamp: Option<Stamp>,
    /// When it came; the time from then on is not the player's.
    pub(crate) arrived: Timestamp,
    /// When it is decided.
    pub(crate) at: Timestamp,
}

impl Cause {
    /// The table itself, or matchmaking.
    pub(crate) const fn table(at: Timestamp) -> Self {
        Self { actor: None, stamp: None, arrived: at, at }
    }
}

/// One more move: of the seat, or of the table itself.
pub(crate) fn step(
    live: &LiveTable,
    position: &Position,
    cause: Cause,
    seat: Option<Seat>,
    content: &str,
    judge: &dyn Judge,
) -> Result<Prepared, StepError> {
    let before = &position.state;
    let step = before.step(seat, content, judge)?;
    let kind = event::moved(&**before, &*step.after, &step.logged)?;
    let behind = Behind::Move { last: step.logged.clone(), before: Arc::clone(before) };
    let next = Position::new(Arc::from(step.after), behind)?;
    Ok(prepare(live, cause, EntryKind::Move(step.logged), kind, Some(next))?)
}

/// The last move taken back, to the position before it.
pub(crate) fn take_back(
    live: &LiveTable,
    cause: Cause,
    number: u32,
    earlier: Position,
) -> Result<Prepared, InvalidGame> {
    let kind = event::undone(&*earlier.state, number, cause.actor)?;
    prepare(live, cause, EntryKind::Undo { number }, kind, Some(earlier))
}

/// Somebody sits down in a seat that is free.
pub(crate) fn sit(live: &LiveTable, at: Timestamp, occupant: Occupant) -> Result<Prepared, InvalidGame> {
    let mut occupants = *live.occupants();
    occupants.sit(occupant);
    let kind = event::seat_taken(&occupant, occupants.full());
    let cause = Cause::table(at);
    prepare(live, cause, EntryKind::SeatTaken(occupant), kind, None)
}

/// The clocks stop because no engine lived, from when on.
pub(crate) fn stop_clocks(live: &LiveTable, from: Timestamp) -> Result<Prepared, InvalidGame> {
    let kind = EntryKind::ClockStopped(StopReason::Outage);
    prepare(live, Cause::table(from), kind, event::clock_changed(false), None)
}

/// The clock of whoever is to move runs again, from when on.
pub(crate) fn resume_clocks(live: &LiveTable, from: Timestamp) -> Result<Prepared, InvalidGame> {
    prepare(live, Cause::table(from), EntryKind::ClockResumed, event::clock_changed(true), None)
}

/// The table can't go on.
pub(crate) fn crash(live: &LiveTable, at: Timestamp, why: &InvalidGame) -> Prepared {
    let place = why.place.clone();
    let outcome = TableOutcome::crashed(live.header.seats);
    let ended = TableEnd { series: live.series.with(&live.header, &outcome), outcome };
    let entry = Entry {
        revision: live.head.revision + 1,
        kind: EntryKind::Crashed { place: place.clone() },
        actor: None,
        stamp: None,
        at: not_before(live, at),
        state_hash: None,
        time: TimeMark::default(),
    };
    let clocks = clocks_after(live, &entry);
    let clock = clocks.as_ref().and_then(|clocks| clocks.reading(entry.at));
    let event =
        event::of_entry(&live.header, &entry, event::crashed(&place), Some((&ended, live.head.left)), clock);
    let due = due_at_the_end(live.occupants(), at);
    let append = Append { table: live.header.id, entry, phase: None, ended: Some(ended), due };
    Prepared { append: Arc::new(append), event, position: None, due: Due::default(), clocks }
}

fn prepare(
    live: &LiveTable,
    cause: Cause,
    kind: EntryKind,
    event: Kind,
    next: Option<Position>,
) -> Result<Prepared, InvalidGame> {
    let mut occupants = *live.occupants();
    let mut phase = None;
    if let EntryKind::SeatTaken(occupant) = &kind {
        occupants.sit(*occupant);
        phase = occupants.full().then_some(Phase::Playing);
    }
    let position = next.as_ref().or(live.position.as_ref());
    let mut due = Due::default();
    let mut ended = None;
    if let Some(position) = position {
        due = Due::of(&*position.state, &occupants)?;
        ended = position
            .state
            .outcome()
            .map(TableOutcome::from)
            .map(|outcome| TableEnd { series: live.series.with(&live.header, &outcome), outcome });
    }
    let at = not_before(live, cause.at);
    let runs =
        position.filter(|_| ended.is_none()).and_then(|position| position.state.turn().to_move().next());
    let entry = Entry {
        revision: live.head.revision + 1,
        time: mark(live, &kind, cause.arrived, at, runs.filter(|_| occupants.full())),
        kind,
        actor: cause.actor,
        stamp: cause.stamp,
        at,
        state_hash: position.map(|position| position.hash),
    };
    let clocks = clocks_after(live, &entry);
    let clock = clocks.as_ref().and_then(|clocks| clocks.reading(at));
    let mut left = live.head.left;
    left.follow(&entry.kind);
    let end = ended.as_ref().map(|ended| (ended, left));
    let event = event::of_entry(&live.header, &entry, event, end, clock);
    let changes = if ended.is_some() {
        due_at_the_end(&occupants, at)
    } else {
        let flag = clocks.as_ref().zip(position).and_then(|(clocks, position)| {
            flag_of(clocks, &entry.kind, phase.is_some(), at).then(|| due::flag(clocks, &*position.state, at))
        });
        let flag = flag.flatten().map(|at| DueChange { kind: DueKind::Flag, at: Some(at) });
        live.due.changes(due, cause.at).into_iter().chain(flag).collect()
    };
    let append = Append { table: live.header.id, entry, phase, ended, due: changes };
    Ok(Prepared { append: Arc::new(append), event, position: next, due, clocks })
}

/// An instant for the next entry: what another engine wrote may be a little later than it is here.
fn not_before(live: &LiveTable, at: Timestamp) -> Timestamp {
    at.max(live.head.at).max(live.header.opened_at)
}

/// What is left to do after the end: to tell it, but of a table that never filled there is nobody to tell.
fn due_at_the_end(occupants: &Occupants, at: Timestamp) -> Vec<DueChange> {
    occupants.full().then(|| due::told_by(at)).into_iter().collect()
}

fn clocks_after(live: &LiveTable, entry: &Entry) -> Option<Clocks> {
    let mut clocks = live.clocks.clone()?;
    clocks.follow(entry);
    Some(clocks)
}

/// What an entry says of the clocks.
fn mark(
    live: &LiveTable,
    kind: &EntryKind,
    arrived: Timestamp,
    at: Timestamp,
    runs: Option<Seat>,
) -> TimeMark {
    let Some(clocks) = &live.clocks else { return TimeMark::default() };
    let credit = runs.map_or(TimeDelta::zero(), |seat| live.round_trips[seat.index()]);
    match kind {
        EntryKind::Move(LoggedMove { seat: Some(_), .. }) | EntryKind::Undo { .. } if clocks.started() => {
            clocks.turn(arrived, runs, credit)
        }
        EntryKind::SeatTaken(_) | EntryKind::ClockResumed => clocks.turn(at, runs, credit),
        EntryKind::ClockStopped(_) => clocks.turn(at, None, credit),
        EntryKind::Move(_) if clocks.started() => clocks.meanwhile(at, runs),
        _ => TimeMark::default(),
    }
}

/// Whether the row of what is due has to be written with an entry. It holds an instant before which no
/// seat can run out, and moves only make that later.
fn flag_of(clocks: &Clocks, kind: &EntryKind, full: bool, at: Timestamp) -> bool {
    let near = clocks.deadline().is_some_and(|(_, deadline)| deadline < at + due::FLAG_NEAR);
    full || near || matches!(kind, EntryKind::Undo { .. })
}
