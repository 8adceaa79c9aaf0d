//! What a change of a table looks like to those who watch it. Pure: a published event and one that
//! is read back from the journal come out of the same functions.
//!
//! Every view is asked for by viewer. What a seat alone may see is in that seat's part and nowhere else.

use crate::header::TableHeader;
use crate::journal::{Entry, Left};
use crate::occupant::Occupant;
use crate::store::TableEnd;
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{
    Clock, ClockChanged, Crashed, Ended, Part, SeatPart, SeatTaken, TableEvent, Update,
};
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::game::Viewer;
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::Seat;
use bytes::Bytes;
use sha2::{Digest, Sha256};

/// A move, between the states before and after it.
pub(crate) fn moved(
    before: &dyn AnyTable,
    after: &dyn AnyTable,
    logged: &LoggedMove,
) -> Result<Kind, InvalidGame> {
    let update = Update {
        number: logged.number,
        seat: wire_seat(logged.seat),
        drew: logged.drew,
        ..Update::default()
    };
    with_parts(update, after, |viewer| {
        let shown = after.shown(before, logged, viewer)?;
        Ok((shown.action.into(), shown.notes.into()))
    })
}

/// A move taken back, with the state after that. The move itself is not told again.
pub(crate) fn undone(after: &dyn AnyTable, number: u32, actor: Option<Seat>) -> Result<Kind, InvalidGame> {
    let update = Update { number, seat: wire_seat(actor), undone: true, ..Update::default() };
    with_parts(update, after, |_| Ok((Bytes::from_static(b"null"), Bytes::from_static(b"{}"))))
}

/// Somebody sat down.
pub(crate) fn seat_taken(occupant: &Occupant, full: bool) -> Kind {
    Kind::SeatTaken(SeatTaken {
        seat: occupant.seat.0.into(),
        account_id: occupant.account.to_string(),
        robot_level: occupant.robot_level.into(),
        full,
    })
}

/// The clock stands, or runs again.
pub(crate) fn clock_changed(running: bool) -> Kind {
    Kind::ClockChanged(ClockChanged { running })
}

/// The table could not go on.
pub(crate) fn crashed(place: &str) -> Kind {
    Kind::Crashed(Crashed { place: place.to_owned() })
}

/// An entry as an event.
pub(crate) fn of_entry(
    header: &TableHeader,
    entry: &Entry,
    kind: Kind,
    end: Option<(&TableEnd, Left)>,
    clock: Option<Clock>,
) -> TableEvent {
    TableEvent {
        table_id: header.id.to_string(),
        revision: entry.revision,
        at: Some(entry.at.into()),
        kind: Some(kind),
        ended: end.map(|(end, left)| Ended {
            outcome: Some(end.outcome.to_wire()),
            series_id: header.series_id.map(|id| id.to_string()).unwrap_or_default(),
            series: end.series.to_bytes(),
            left_seats: left.seats(),
        }),
        clock,
    }
}

/// The event as one viewer may have it: the parts of other seats are gone.
pub(crate) fn for_viewer(mut event: TableEvent, seat: Option<Seat>) -> TableEvent {
    if let Some(Kind::Update(update)) = &mut event.kind {
        let own = wire_seat(seat);
        update.seats.retain(|part| Some(part.seat) == own);
    }
    event
}

fn with_parts(
    mut update: Update,
    after: &dyn AnyTable,
    shown: impl Fn(Viewer) -> Result<(Bytes, Bytes), InvalidGame>,
) -> Result<Kind, InvalidGame> {
    let part = |viewer| -> Result<Part, InvalidGame> {
        let (r#move, annotations) = shown(viewer)?;
        let view = after.view(viewer)?;
        let view_hash = hex::encode(Sha256::digest(&view));
        Ok(Part { r#move, annotations, view: view.into(), view_hash })
    };
    let mut seats = Vec::new();
    for seat in Seat::all(after.opening().seats) {
        let own = if after.hidden() { Some(part(Viewer::Seat(seat))?) } else { None };
        let legal_moves = after.legal_moves(seat)?.map(Bytes::from);
        if own.is_some() || legal_moves.is_some() {
            seats.push(SeatPart { seat: seat.0.into(), part: own, legal_moves });
        }
    }
    update.to_move = after.turn().to_move().map(|seat| seat.0.into()).collect();
    update.public = Some(part(Viewer::Spectator)?);
    update.seats = seats;
    Ok(Kind::Update(update))
}

fn wire_seat(seat: Option<Seat>) -> Option<u32> {
    seat.map(|seat| seat.0.into())
}
