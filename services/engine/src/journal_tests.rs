//! Folding, by hand-made journals.

use super::*;
use astragal_runtime::id::{AccountId, RequestId};
use chrono::DateTime;

fn entry(revision: u32, kind: EntryKind) -> Entry {
    let (at, time) = (DateTime::UNIX_EPOCH, TimeMark::default());
    Entry { revision, kind, actor: None, stamp: None, at, state_hash: None, time }
}

fn moved(revision: u32, number: u32, seat: Option<u8>) -> Entry {
    let action = format!("{revision}").into();
    entry(revision, EntryKind::Move(LoggedMove { number, seat: seat.map(Seat), action, drew: false }))
}

fn undone(revision: u32, number: u32, seat: u8) -> Entry {
    Entry { actor: Some(Seat(seat)), ..entry(revision, EntryKind::Undo { number }) }
}

fn sat(revision: u32, seat: u8) -> Entry {
    let occupant = Occupant { seat: Seat(seat), account: AccountId::new(), robot_level: 0 };
    entry(revision, EntryKind::SeatTaken(occupant))
}

fn numbers(folded: &Folded) -> Vec<(u32, &str)> {
    folded.moves.iter().map(|logged| (logged.number, &*logged.action)).collect()
}

#[test]
fn l0_the_moves_that_stand_are_those_not_taken_back() {
    let journal = [
        sat(1, 0),
        moved(2, 1, Some(0)),
        sat(3, 1),
        moved(4, 2, Some(1)),
        undone(5, 2, 1),
        undone(6, 1, 0),
        moved(7, 1, Some(0)),
        moved(8, 2, None),
    ];
    let folded = fold(2, &journal).expect("a journal");
    assert_eq!(numbers(&folded), [(1, "7"), (2, "8")]);
    let head = &folded.head;
    assert_eq!((head.revision, head.played, head.seat_moves), (8, 8, 1));
    assert_eq!((head.seated_at[0], head.seated_at[1]), (1, 3));
    assert!(head.occupants.full());
    assert_eq!((head.undos(2, Seat(1)), head.undos(1, Seat(0)), head.undos(1, Seat(1))), (1, 1, 0));
}

#[test]
fn l14_seats_taken_and_clocks_are_not_play() {
    let stopped = entry(4, EntryKind::ClockStopped(StopReason::Outage));
    let resumed = entry(5, EntryKind::ClockResumed);
    let journal = [sat(1, 0), moved(2, 1, Some(0)), sat(3, 1), stopped, resumed];
    let head = fold(2, &journal).expect("a journal").head;
    assert_eq!((head.revision, head.played), (5, 2));
}

#[test]
fn l0_a_journal_with_a_fault_is_refused_at_its_place_and_keeps_what_came_before() {
    let crashed = || entry(2, EntryKind::Crashed { place: "x".to_owned() });
    for (place, journal) in [
        ("journal[2]", vec![moved(1, 1, Some(0)), moved(3, 2, Some(1))]),
        ("journal[0]", vec![moved(1, 1, Some(0)), moved(1, 2, Some(1))]),
        ("journal[1].number", vec![moved(1, 1, Some(0)), moved(2, 3, Some(1))]),
        ("journal[1].number", vec![moved(1, 1, Some(0)), undone(2, 2, 0)]),
        ("journal[1].number", vec![sat(1, 0), undone(2, 0, 0)]),
        ("journal[1]", vec![sat(1, 0), sat(2, 0)]),
        ("journal[1]", vec![sat(1, 0), sat(2, 2)]),
        ("journal[2]", vec![sat(1, 0), crashed(), sat(3, 1)]),
    ] {
        let error = fold(2, &journal).expect_err("a fault");
        assert_eq!(error.why.place, place);
        assert!(error.folded.head.revision >= 1);
    }
}

#[test]
fn l14_requests_are_remembered_by_seat_and_only_the_newest() {
    let id = RequestId::new();
    let stamp = Stamp::new(id, 1, 0, b"x");
    let mut requests = RecentRequests::default();
    requests.push(Seat(0), stamp, 5);
    assert_eq!(requests.answer(Seat(0), &stamp), Some(Ok(5)));
    assert_eq!(requests.answer(Seat(1), &stamp), None);
    let other = requests.answer(Seat(0), &Stamp::new(id, 1, 1, b"x"));
    assert!(other.is_some_and(|answer| answer.is_err()));
    assert!(!requests.may_be_older(id));
    for revision in 6..60 {
        requests.push(Seat(0), Stamp::new(RequestId::new(), 1, 0, b"x"), revision);
    }
    assert_eq!(requests.answer(Seat(0), &stamp), None);
    assert!(requests.may_be_older(id) && !requests.may_be_older(RequestId::new()));
}

/// R1: leaving means no rematch, also where the others play on.
#[test]
fn r1_who_has_left_is_known_until_that_is_taken_back() {
    let of_table = |revision, number, action: &str| {
        let logged = LoggedMove { number, seat: None, action: action.into(), drew: false };
        entry(revision, EntryKind::Move(logged))
    };
    let left = |journal: &[Entry]| fold(4, journal).expect("a journal").head.left.seats();
    let mut journal = vec![
        moved(1, 1, Some(0)),
        of_table(2, 2, r#"{"left":2}"#),
        of_table(3, 3, r#"{"resigned":1}"#),
        of_table(4, 4, r#"{"left":0}"#),
    ];
    assert_eq!(left(&journal), [0, 2]);
    journal.push(entry(5, EntryKind::Undo { number: 4 }));
    assert_eq!(left(&journal), [2]);
}
