//! Changes of a table, worked out before they are appended: the entry, the rows that change with it,
//! the event, the state after it. Pure, and the same for a person, a robot and the table itself.

use crate::due::Due;
use crate::event;
use crate::header::Phase;
use crate::journal::{Entry, EntryKind};
use crate::live::{LiveTable, Prepared};
use crate::occupant::Occupant;
use crate::outcome::TableOutcome;
use crate::position::{Behind, Position};
use crate::request::Stamp;
use crate::store::{Append, TableEnd};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_rules::error::InvalidGame;
use astragal_rules::game::AcceptAll;
use astragal_rules::machine::StepError;
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use std::sync::Arc;

/// Who asks for a change, by what request, and when.
#[derive(Clone, Copy)]
pub(crate) struct Cause {
    /// The seat; none: the table itself, or matchmaking.
    pub(crate) actor: Option<Seat>,
    /// The request.
    pub(crate) stamp: Option<Stamp>,
    /// When.
    pub(crate) at: Timestamp,
}

/// One more move: of the seat, or of the table itself.
pub(crate) fn step(
    live: &LiveTable,
    position: &Position,
    cause: Cause,
    seat: Option<Seat>,
    content: &str,
) -> Result<Prepared, StepError> {
    let before = &position.state;
    let step = before.step(seat, content, &AcceptAll)?;
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
    let cause = Cause { actor: None, stamp: None, at };
    prepare(live, cause, EntryKind::SeatTaken(occupant), kind, None)
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
        at,
        state_hash: None,
    };
    let event = event::of_entry(&live.header, &entry, event::crashed(&place), Some(&ended));
    let append = Append { table: live.header.id, entry, phase: None, ended: Some(ended), due: Vec::new() };
    Prepared { append: Arc::new(append), event, position: None, due: Due::default() }
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
    let entry = Entry {
        revision: live.head.revision + 1,
        kind,
        actor: cause.actor,
        stamp: cause.stamp,
        at: cause.at,
        state_hash: position.map(|position| position.hash),
    };
    let event = event::of_entry(&live.header, &entry, event, ended.as_ref());
    let changes = if ended.is_some() { Vec::new() } else { live.due.changes(due, cause.at) };
    let append = Append { table: live.header.id, entry, phase, ended, due: changes };
    Ok(Prepared { append: Arc::new(append), event, position: next, due })
}
