//! Clocks by hand-made journals, and by journals that chance makes.

use super::*;
use crate::journal::StopReason;
use crate::occupant::Occupant;
use astragal_rules::log::LoggedMove;
use astragal_runtime::id::AccountId;
use proptest::prelude::*;

const BLITZ: TimeControl = TimeControl::SuddenDeath { initial_ms: 10_000, increment_ms: 2_000 };
const DAYS: TimeControl = TimeControl::PerMove { per_move_ms: 86_400_000 };

/// A journal that is written by the clocks themselves, as the engine does it.
struct Table {
    clocks: Clocks,
    entries: Vec<Entry>,
    now: Timestamp,
}

impl Table {
    /// With every seat taken.
    fn new(control: TimeControl, seats: u8) -> Self {
        let mut table = Self { clocks: Clocks::new(control, seats), entries: Vec::new(), now: instant(0) };
        table.fill(seats);
        table
    }

    fn fill(&mut self, seats: u8) {
        for seat in Seat::all(seats) {
            let occupant = Occupant { seat, account: AccountId::new(), robot_level: 0 };
            let runs = (seat.0 + 1 == seats).then_some(Seat(0));
            let mark = self.clocks.turn(self.now, runs, TimeDelta::zero());
            self.write(EntryKind::SeatTaken(occupant), None, mark);
        }
    }

    fn write(&mut self, kind: EntryKind, actor: Option<Seat>, time: TimeMark) {
        let revision = self.entries.len() as u32 + 1;
        let entry = Entry { revision, kind, actor, stamp: None, at: self.now, state_hash: None, time };
        self.clocks.follow(&entry);
        self.entries.push(entry);
    }

    /// The seat whose clock runs moves, after so long; it takes so long to write that.
    fn moves(&mut self, after: TimeDelta, written: TimeDelta, next: Seat, credit: TimeDelta) {
        let mover = self.clocks.running();
        let arrived = self.now + after;
        self.now = arrived + written;
        let mark = self.clocks.turn(arrived, Some(next), credit);
        let action = "{}".into();
        let number = self.clocks.moves + 1;
        self.write(EntryKind::Move(LoggedMove { number, seat: mover, action, drew: false }), mover, mark);
    }

    fn undoes(&mut self, after: TimeDelta, seat: Seat) {
        self.now += after;
        let mark = self.clocks.turn(self.now, Some(seat), TimeDelta::zero());
        self.write(EntryKind::Undo { number: self.clocks.moves }, Some(seat), mark);
    }

    fn outage(&mut self, after: TimeDelta, lasts: TimeDelta) {
        let runs = self.clocks.running();
        self.now += after;
        let mark = self.clocks.turn(self.now, None, TimeDelta::zero());
        self.write(EntryKind::ClockStopped(StopReason::Outage), None, mark);
        self.now += lasts;
        let mark = self.clocks.turn(self.now, runs, TimeDelta::zero());
        self.write(EntryKind::ClockResumed, None, mark);
    }

    fn left(&self) -> [i64; 2] {
        [Seat(0), Seat(1)].map(|seat| self.clocks.remaining(seat).num_milliseconds())
    }
}

fn instant(ms: i64) -> Timestamp {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::milliseconds(ms)
}

fn ms(ms: i64) -> TimeDelta {
    TimeDelta::milliseconds(ms)
}

fn shown(table: &Table, at: Timestamp) -> Vec<i64> {
    let reading = table.clocks.reading(at).expect("clocks that have started");
    let ms =
        |shown: &astragal_proto::time::Duration| shown.seconds * 1_000 + i64::from(shown.nanos) / 1_000_000;
    reading.remaining.iter().map(ms).collect()
}

#[test]
fn g3_a_move_costs_its_time_and_adds_the_increment() {
    let mut table = Table::new(BLITZ, 2);
    assert_eq!((table.left(), table.clocks.running()), ([10_000, 10_000], Some(Seat(0))));
    table.moves(ms(3_000), ms(0), Seat(1), ms(0));
    assert_eq!((table.left(), table.clocks.running()), ([9_000, 10_000], Some(Seat(1))));
    assert_eq!(table.clocks.deadline(), Some((Seat(1), table.now + ms(10_000))));
    table.moves(ms(9_999), ms(0), Seat(0), ms(0));
    assert_eq!(table.left(), [9_000, 2_001]);
}

#[test]
fn g3_the_time_between_arrival_and_commit_is_nobodys() {
    let mut table = Table::new(BLITZ, 2);
    table.moves(ms(3_000), ms(4_000), Seat(1), ms(0));
    assert_eq!(table.left(), [9_000, 10_000]);
    assert_eq!(shown(&table, table.now), [9_000, 10_000]);
    // A move that was on its way before the turn began costs nothing, and gives nothing.
    table.moves(ms(-500), ms(600), Seat(0), ms(0));
    assert_eq!(table.left(), [9_000, 12_000]);
}

#[test]
fn g3_no_clock_runs_while_a_seat_is_empty() {
    let mut table = Table { clocks: Clocks::new(BLITZ, 2), entries: Vec::new(), now: instant(0) };
    assert_eq!(table.clocks.reading(table.now), None);
    let action = "{}".into();
    let early = EntryKind::Move(LoggedMove { number: 1, seat: Some(Seat(0)), action, drew: false });
    table.write(early, Some(Seat(0)), TimeMark::default());
    table.now = instant(3_600_000);
    assert!(!table.clocks.started() && !table.clocks.is_out(table.now));
    table.fill(2);
    assert_eq!((table.left(), table.clocks.since()), ([10_000, 10_000], table.now));
    // The early move had no increment, so taking it back costs none; made again it has one.
    assert!(table.clocks.survives_undo(Seat(0), 1, table.now));
    table.undoes(ms(100), Seat(0));
    assert_eq!(table.left(), [9_900, 10_000]);
    table.moves(ms(100), ms(0), Seat(1), ms(0));
    assert_eq!(table.left(), [11_800, 10_000]);
}

#[test]
fn l12_an_undo_gives_back_the_increment_and_returns_no_time() {
    let mut table = Table::new(BLITZ, 2);
    table.moves(ms(3_000), ms(0), Seat(1), ms(0));
    table.undoes(ms(1_500), Seat(0));
    assert_eq!((table.left(), table.clocks.running()), ([7_000, 8_500], Some(Seat(0))));
    table.moves(ms(1_000), ms(0), Seat(1), ms(0));
    assert_eq!(table.left(), [8_000, 8_500]);
}

#[test]
fn l12_an_undo_that_would_leave_no_time_is_none() {
    let mut table = Table::new(BLITZ, 2);
    for seat in [1, 0] {
        table.moves(ms(9_000), ms(0), Seat(seat), ms(0));
    }
    table.moves(ms(2_000), ms(0), Seat(1), ms(0));
    table.moves(ms(2_000), ms(0), Seat(0), ms(0));
    assert_eq!(table.left(), [3_000, 3_000]);
    assert!(table.clocks.survives_undo(Seat(1), 4, table.now));
    table.undoes(ms(0), Seat(1));
    table.undoes(ms(0), Seat(0));
    assert_eq!(table.left(), [1_000, 1_000]);
    assert!(!table.clocks.survives_undo(Seat(1), 2, table.now));
}

#[test]
fn g3_with_a_time_per_move_each_move_has_it_anew_and_an_undo_goes_on_where_it_was() {
    let mut table = Table::new(DAYS, 2);
    let day = 86_400_000;
    table.moves(ms(day - 1), ms(0), Seat(1), ms(0));
    assert_eq!(table.left(), [day, day]);
    table.undoes(ms(50_000), Seat(0));
    assert_eq!(table.left(), [1, day]);
    assert_eq!(table.clocks.deadline(), Some((Seat(0), table.now + ms(1))));
    assert!(table.clocks.is_out(table.now + ms(1)) && !table.clocks.is_out(table.now));
}

#[test]
fn g3_a_credit_is_not_counted_is_half_a_second_at_most_and_does_not_show() {
    let mut table = Table::new(BLITZ, 2);
    table.moves(ms(0), ms(0), Seat(1), ms(10_000));
    assert_eq!(table.clocks.deadline(), Some((Seat(1), table.now + ms(10_500))));
    assert_eq!(shown(&table, table.now + ms(400)), [12_000, 9_600]);
    // Nobody loses with time left as displayed (online-go #687), and no clock shows less than none.
    assert_eq!(shown(&table, table.now + ms(10_000)), [12_000, 0]);
    assert_eq!(shown(&table, table.now + ms(99_000)), [12_000, 0]);
    assert!(!table.clocks.is_out(table.now + ms(10_499)) && table.clocks.is_out(table.now + ms(10_500)));
    table.moves(ms(400), ms(0), Seat(0), ms(0));
    assert_eq!(table.left(), [12_000, 12_000]);
}

#[test]
fn g3_nobody_loses_time_for_an_outage() {
    let mut table = Table::new(BLITZ, 2);
    table.outage(ms(1_000), ms(7_000));
    assert_eq!((table.left(), table.clocks.running()), ([9_000, 10_000], Some(Seat(0))));
    assert_eq!(table.clocks.deadline(), Some((Seat(0), table.now + ms(9_000))));
    table.moves(ms(2_000), ms(0), Seat(1), ms(0));
    assert_eq!(table.left(), [9_000, 10_000]);
}

#[test]
fn g3_a_move_of_the_table_lets_the_clock_run_on_with_the_rest_of_its_credit() {
    let mut table = Table::new(BLITZ, 3);
    table.moves(ms(0), ms(0), Seat(1), ms(400));
    table.now += ms(300);
    let retires = |table: &mut Table, seat: u8, runs: u8| {
        let mark = table.clocks.meanwhile(table.now, Some(Seat(runs)));
        let action = format!("{{\"resigned\":{seat}}}").into();
        let number = table.clocks.moves + 1;
        table.write(
            EntryKind::Move(LoggedMove { number, seat: None, action, drew: false }),
            Some(Seat(seat)),
            mark,
        );
        mark
    };
    let mark = retires(&mut table, 2, 1);
    assert_eq!((mark.spent, mark.credit), (ms(0), ms(100)));
    table.now += ms(1_100);
    let mark = retires(&mut table, 1, 0);
    assert_eq!((mark.spent, mark.credit, mark.runs), (ms(1_000), ms(0), Some(Seat(0))));
}

#[test]
fn g3_earliest_is_the_least_of_what_can_happen() {
    let mut table = Table::new(TimeControl::SuddenDeath { initial_ms: 10_000, increment_ms: 0 }, 2);
    let order = || Seat::all(2);
    assert_eq!(table.clocks.earliest(table.now, order()), Some(table.now + ms(10_000)));
    table.moves(ms(9_000), ms(0), Seat(1), ms(0));
    assert_eq!(table.clocks.earliest(table.now, order()), Some(table.now + ms(1_000)));
    let later = table.now + ms(3_000);
    assert_eq!(table.clocks.earliest(later, order()), Some(later + ms(1_000)));
    assert_eq!(table.clocks.earliest(later, [Seat(1)]), Some(table.now + ms(10_000)));
}

#[test]
fn g3_a_credit_makes_nothing_later_since_the_next_turn_has_another_one() {
    let mut table = Table::new(TimeControl::SuddenDeath { initial_ms: 10_000, increment_ms: 0 }, 2);
    table.moves(ms(304), ms(0), Seat(1), ms(0));
    table.moves(ms(0), ms(0), Seat(0), ms(325));
    let earliest = table.clocks.earliest(table.now, Seat::all(2)).expect("a clock that runs");
    for next in [1, 0] {
        table.moves(ms(0), ms(0), Seat(next), ms(0));
    }
    assert_eq!(table.clocks.deadline(), Some((Seat(0), earliest)));
}

/// What may happen next.
#[derive(Clone, Debug)]
enum Step {
    Move { after_ms: i64, written_ms: i64, next: u8, credit_ms: i64 },
    Undo { after_ms: i64 },
    Outage { after_ms: i64, lasts_ms: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let moved = (0..4_000_i64, 0..700_i64, 0..2_u8, 0..900_i64);
    prop_oneof![
        6 => moved.prop_map(|(after_ms, written_ms, next, credit_ms)| {
            Step::Move { after_ms, written_ms, next, credit_ms }
        }),
        1 => (0..800_i64).prop_map(|after_ms| Step::Undo { after_ms }),
        1 => (0..800_i64, 1..60_000_i64).prop_map(|(after_ms, lasts_ms)| Step::Outage { after_ms, lasts_ms }),
    ]
}

proptest! {
    /// Of each seat: what it began with and what its standing moves added, less what it has spent, is
    /// what it has. Nobody is charged more than the time that passed, and no clock is below zero.
    #[test]
    fn g3_sums_are_right_to_the_millisecond(steps in prop::collection::vec(step(), 0..60)) {
        let mut table = Table::new(BLITZ, 2);
        for step in steps {
            let last_mover = table.entries.iter().rev().find_map(|entry| match &entry.kind {
                EntryKind::Move(logged) if logged.number == table.clocks.moves => logged.seat,
                _ => None,
            });
            match step {
                Step::Move { after_ms, written_ms, next, credit_ms } => {
                    let arrived = table.now + ms(after_ms);
                    if table.clocks.is_out(arrived) {
                        break;
                    }
                    table.moves(ms(after_ms), ms(written_ms), Seat(next), ms(credit_ms));
                }
                Step::Undo { after_ms } => {
                    let (at, number) = (table.now + ms(after_ms), table.clocks.moves);
                    let Some(seat) = last_mover.filter(|seat| {
                        !table.clocks.is_out(at) && table.clocks.survives_undo(*seat, number, at)
                    }) else { continue };
                    table.undoes(ms(after_ms), seat);
                    prop_assert!(table.clocks.remaining(seat) > ms(0));
                }
                Step::Outage { after_ms, lasts_ms } => table.outage(ms(after_ms), ms(lasts_ms)),
            }
        }
        let mut expected = [ms(10_000); 2];
        let mut running = None;
        let mut standing: Vec<Seat> = Vec::new();
        let mut since = table.now;
        for entry in &table.entries {
            if let Some(seat) = running {
                let seat: Seat = seat;
                expected[seat.index()] -= entry.time.spent;
                prop_assert!(entry.time.spent <= entry.at - since);
            }
            prop_assert!(entry.time.credit <= CREDIT_MAX);
            match &entry.kind {
                EntryKind::Move(logged) => {
                    standing.extend(logged.seat);
                    expected[logged.seat.map_or(0, Seat::index)] += ms(2_000);
                }
                EntryKind::Undo { .. } => {
                    let seat = standing.pop();
                    expected[seat.map_or(0, Seat::index)] -= ms(2_000);
                }
                _ => {}
            }
            (running, since) = (entry.time.runs, entry.at);
        }
        for seat in Seat::all(2) {
            prop_assert_eq!(table.clocks.remaining(seat), expected[seat.index()]);
            prop_assert!(expected[seat.index()] >= ms(0));
        }
        prop_assert_eq!(Clocks::fold(BLITZ, 2, &table.entries), table.clocks.clone());
        prop_assert!(shown(&table, table.now + ms(50_000)).iter().all(|left| *left >= 0));
    }

    /// Whatever moves are made, nobody is out of time before the instant that was said.
    #[test]
    fn g3_nobody_is_out_before_the_earliest_instant(
        looked in 0..40_usize,
        moves in prop::collection::vec((0..1_000_i64, 0..100_i64, 0..600_i64), 41),
    ) {
        let control = TimeControl::SuddenDeath { initial_ms: 10_000, increment_ms: 0 };
        let mut table = Table::new(control, 2);
        let mut earliest = None;
        for (number, (after_ms, written_ms, credit_ms)) in moves.into_iter().enumerate() {
            if number == looked {
                earliest = table.clocks.earliest(table.now + ms(after_ms / 2), Seat::all(2));
            }
            let (_, deadline) = table.clocks.deadline().expect("a clock that runs");
            if earliest.is_some_and(|earliest| deadline < earliest) {
                prop_assert!(false, "{deadline} is before {earliest:?}");
            }
            if table.clocks.is_out(table.now + ms(after_ms)) {
                break;
            }
            let next = Seat(1 - table.clocks.running().map_or(0, |seat| seat.0));
            table.moves(ms(after_ms), ms(written_ms), next, ms(credit_ms));
        }
    }
}
