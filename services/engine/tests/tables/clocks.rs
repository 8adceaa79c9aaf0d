//! Clocks and flags, in a time that the tests let pass.

use crate::house::{ABORT, LEAVE, RESIGN, a_move, code, games, occupant, tally, two, undo};
use crate::time::{Time, shown, sudden_death};
use astragal_engine::journal::{Entry, EntryKind};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{ClockSettings, OpenTableRequest, TableEvent};
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::log::LoggedMove;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, TableId, robot_account};
use astragal_runtime::time_control::TimeControl;
use chrono::TimeDelta;

const ADD: &str = "{\"add\":1}";

fn ms(ms: i64) -> TimeDelta {
    TimeDelta::milliseconds(ms)
}

fn reason(event: &TableEvent) -> Option<(String, Option<u32>)> {
    let outcome = event.ended.as_ref()?.outcome.clone()?;
    Some((outcome.reason, outcome.winner))
}

/// The flags in a journal: which seat, and when.
fn flags(entries: &[Entry]) -> Vec<(String, Timestamp)> {
    let flag = |entry: &Entry| match &entry.kind {
        EntryKind::Move(LoggedMove { seat: None, action, .. }) if action.starts_with("{\"time\"") => {
            Some((action.to_string(), entry.at))
        }
        _ => None,
    };
    entries.iter().filter_map(flag).collect()
}

/// Flag only when someone asks (pacosako #43); a clock below zero, game still on (online-go #177).
#[tokio::test(start_paused = true)]
async fn g3_a_flag_falls_without_anyone_asking_50_to_100_ms_after_the_deadline() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    let mut watch = house.watch(table).await;
    time.pass(4_000).await;
    house.add(table, accounts[0], ADD).await.expect("a move");
    assert_eq!(shown(watch.next().await.clock.as_ref()), (vec![6_000, 10_000], Some(1)));
    let deadline = time.now() + ms(10_000);
    assert_eq!(time.clocks(table).await.deadline().map(|(_, at)| at), Some(deadline));
    time.pass_until(deadline + ms(49)).await;
    let view = house.view(table, None).await.expect("a view");
    assert_eq!((view.revision, shown(view.clock.as_ref())), (3, (vec![6_000, 0], Some(1))));
    time.pass(2).await;
    let event = watch.next().await;
    assert_eq!(reason(&event), Some(("time".to_owned(), Some(0))));
    assert_eq!(shown(event.clock.as_ref()), (vec![6_000, 0], None));
    let flags = flags(&time.journal(table).await);
    let [(action, at)] = &flags[..] else { panic!("one flag, not {flags:?}") };
    assert_eq!(action, "{\"time\":1}");
    assert!((deadline + ms(50)..=deadline + ms(100)).contains(at), "{}", *at - deadline);
    let log = FinishedLog::from_json(&house.finished_log(table).await.expect("a log")).expect("a log");
    games().verify(&log, &view.commitment.parse().expect("a commitment")).expect("a log that verifies");
    house.stop().await;
}

/// Or never after a restart (pacosako #43).
#[tokio::test(start_paused = true)]
async fn g3_a_flag_falls_in_time_in_a_process_that_started_later() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    let deadline = time.now() + ms(10_000);
    house.stop().await;
    time.pass(9_000).await;
    let house = time.house().await;
    let mut watch = house.watch(table).await;
    time.creep(&house, table, deadline + ms(49)).await;
    assert_eq!(flags(&time.journal(table).await), []);
    time.pass(2).await;
    assert_eq!(reason(&*watch.next().await), Some(("time".to_owned(), Some(1))));
    assert!(flags(&time.journal(table).await)[0].1 <= deadline + ms(100));
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_a_flag_that_was_missed_falls_at_the_next_start() {
    let time = Time::new().await;
    let house = time.house().await;
    let table = house.timed(sudden_death(10_000, 0), &two()).await;
    house.stop().await;
    // Some engine lived, but none that knows this table.
    time.pass(60_000).await;
    let house = time.house().await;
    let mut watch = house.watch(table).await;
    time.pass(1).await;
    assert_eq!(reason(&*watch.next().await), Some(("time".to_owned(), Some(1))));
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_of_two_replicas_one_writes_the_flag() {
    let time = Time::new().await;
    let (one, other) = (time.house().await, time.house().await);
    let accounts = two();
    let mut tables = Vec::new();
    for _ in 0..20 {
        tables.push(one.timed(sudden_death(5_000, 0), &accounts).await);
    }
    for table in &tables {
        // Both know each table, and both have set their timers.
        other.add(*table, accounts[0], ADD).await.expect("a move");
        one.add(*table, accounts[1], ADD).await.expect("a move");
    }
    time.pass(5_060).await;
    for table in &tables {
        while one.view(*table, None).await.expect("a view").phase != "over" {}
        let view = other.view(*table, None).await.expect("a view");
        assert_eq!((view.phase.as_str(), view.revision), ("over", 5));
        assert_eq!(flags(&time.journal(*table).await).len(), 1);
    }
    one.stop().await;
    other.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_a_move_that_arrived_before_the_deadline_wins_while_the_flag_waits() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    let deadline = time.now() + ms(10_000);
    time.pass_until(deadline + ms(40)).await;
    // It came to the gateway one millisecond before the deadline; the time since then is not the player's.
    let made = house.play_late(table, accounts[0], a_move(2, ADD), 41, 0).await;
    assert_eq!(made, Ok(3));
    assert_eq!(time.clocks(table).await.remaining(astragal_rules::seat::Seat(0)), ms(1));
    time.pass(1_000).await;
    assert_eq!(house.view(table, None).await.expect("a view").phase, "playing");
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_a_move_after_the_deadline_is_refused_though_the_flag_has_not_fallen() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    let mut watch = house.watch(table).await;
    let deadline = time.now() + ms(10_000);
    time.pass_until(deadline).await;
    for held_ms in [0, 0] {
        let late = house.play_late(table, accounts[0], a_move(2, ADD), held_ms, 0).await;
        assert_eq!(code(&late), Some(Code::IllegalMove));
        time.pass(20).await;
    }
    time.pass(30).await;
    assert_eq!(reason(&*watch.next().await), Some(("time".to_owned(), Some(1))));
    house.stop().await;
}

/// Forged client lag gave time (lila #10300): what a gateway measures gives half a second at most, and it
/// is fixed before the turn that it is for.
#[tokio::test(start_paused = true)]
async fn g3_a_credit_is_fixed_when_the_clock_starts_and_half_a_second_at_most() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    house.play_late(table, accounts[0], a_move(2, ADD), 0, 90_000).await.expect("a move");
    house.play_late(table, accounts[1], a_move(3, ADD), 0, 120).await.expect("a move");
    let journal = time.journal(table).await;
    let credits: Vec<_> = journal.iter().map(|entry| entry.time.credit).collect();
    // Of the turns of seat 0, then 0 again, then 1: each as it was known when the turn began.
    assert_eq!(credits, [0, 0, 0, 500].map(ms));
    time.pass(2_500).await;
    // What is said with the move itself comes too late for its own turn.
    house.play_late(table, accounts[0], a_move(4, ADD), 0, 10_000).await.expect("a move");
    let last = time.journal(table).await.pop().expect("an entry");
    assert_eq!((last.time.spent, last.time.credit), (ms(2_000), ms(120)));
    let (_, deadline) = time.clocks(table).await.deadline().expect("a clock that runs");
    assert_eq!(deadline, time.now() + ms(10_120));
    house.stop().await;
}

/// A flag claimed by a client, a forged time.
#[tokio::test(start_paused = true)]
async fn g3_nobody_claims_a_flag_or_a_time() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    time.pass(1_000).await;
    for content in ["{\"time\":0}", "{\"time\":1}", "{\"add\":1,\"spent\":0}", "{\"add\":1,\"at\":\"2020\"}"]
    {
        for (account, expected) in [(accounts[0], Code::IllegalMove), (accounts[1], Code::NotYourTurn)] {
            let claimed = house.play(table, account, a_move(2, content)).await;
            assert!(
                [Some(expected), Some(Code::IllegalMove)].contains(&code(&claimed)),
                "{content}: {claimed:?}"
            );
        }
    }
    assert_eq!(house.view(table, None).await.expect("a view").revision, 2);
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_the_first_clock_starts_when_the_last_seat_is_taken() {
    let time = Time::new().await;
    let house = time.house().await;
    let [first, second] = two();
    let table = TableId::new();
    let clock = Some(sudden_death(10_000, 1_000).to_wire());
    house.open(OpenTableRequest { clock, ..tally(table, 2, &[first]) }).await.expect("a table");
    let mut watch = house.watch(table).await;
    house.add(table, first, ADD).await.expect("a move");
    time.pass(50_000).await;
    let view = house.view(table, Some(first)).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.clock, view.time_control), ("waiting", None, clock));
    house.seat(table, 1, second).await.expect("a seat");
    assert_eq!(watch.next().await.clock, None);
    let event = watch.next().await;
    assert!(matches!(&event.kind, Some(Kind::SeatTaken(taken)) if taken.full));
    assert_eq!(shown(event.clock.as_ref()), (vec![10_000, 10_000], Some(1)));
    time.pass(4_000).await;
    let view = house.view(table, None).await.expect("a view");
    assert_eq!(shown(view.clock.as_ref()), (vec![10_000, 6_000], Some(1)));
    time.pass(6_051).await;
    assert_eq!(reason(&*watch.next().await), Some(("time".to_owned(), Some(0))));
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn l12_an_undo_gives_back_the_increment_and_the_clock_of_who_undoes_runs_again() {
    let time = Time::new().await;
    let house = time.house().await;
    let [first, second] = two();
    let table = house.timed(sudden_death(10_000, 2_000), &[first, second]).await;
    let mut watch = house.watch(table).await;
    time.pass(3_000).await;
    house.play(table, first, a_move(2, ADD)).await.expect("a move");
    assert_eq!(shown(watch.next().await.clock.as_ref()), (vec![9_000, 10_000], Some(1)));
    time.pass(1_000).await;
    house.play(table, first, undo(3)).await.expect("an undo");
    assert_eq!(shown(watch.next().await.clock.as_ref()), (vec![7_000, 9_000], Some(0)));
    // No time is left once the increment is given back: the move stays.
    time.pass(6_999).await;
    house.play(table, first, a_move(4, ADD)).await.expect("a move");
    house.play(table, first, undo(5)).await.expect("an undo");
    assert_eq!(shown(house.view(table, None).await.expect("a view").clock.as_ref()).0, [1, 9_000]);
    time.pass(60).await;
    watch.next().await;
    watch.next().await;
    assert_eq!(reason(&*watch.next().await), Some(("time".to_owned(), Some(1))), "one millisecond was left");
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_with_three_seats_who_runs_out_retires_and_the_others_play_on() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = [AccountId::new(), AccountId::new(), AccountId::new()];
    let table = house.timed(sudden_death(5_000, 0), &accounts).await;
    let mut watch = house.watch(table).await;
    time.pass(5_051).await;
    let event = watch.next().await;
    assert_eq!((reason(&event), shown(event.clock.as_ref())), (None, (vec![0, 5_000, 5_000], Some(1))));
    house.add(table, accounts[1], ADD).await.expect("a move");
    time.pass(2_000).await;
    // Who resigns meanwhile stops nobody's clock.
    house.play(table, accounts[1], RESIGN).await.expect("the end");
    watch.next().await;
    let event = watch.next().await;
    assert_eq!(reason(&event), Some(("resigned".to_owned(), Some(2))));
    assert_eq!(shown(event.clock.as_ref()), (vec![0, 5_000, 3_000], None));
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_a_time_per_move_begins_anew_with_each() {
    const HOUR_MS: i64 = 3_600_000;
    let time = Time::new().await;
    let house = time.house().await;
    let [first, second] = two();
    let table = house.timed(TimeControl::PerMove { per_move_ms: 3_600_000 }, &[first, second]).await;
    let mut watch = house.watch(table).await;
    for mover in [first, second] {
        time.pass(HOUR_MS / 2).await;
        house.add(table, mover, ADD).await.expect("a move");
        assert_eq!(shown(watch.next().await.clock.as_ref()).0, [HOUR_MS; 2]);
    }
    let deadline = time.now() + ms(HOUR_MS);
    time.pass_until(deadline - ms(1_000)).await;
    time.creep(&house, table, deadline + ms(49)).await;
    assert_eq!(flags(&time.journal(table).await), []);
    time.pass(2).await;
    assert_eq!(reason(&*watch.next().await), Some(("time".to_owned(), Some(1))));
    assert!(flags(&time.journal(table).await)[0].1 <= deadline + ms(100));
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_a_robot_has_a_clock_like_anyone() {
    let time = Time::new().await;
    let house = time.house().await;
    let (table, person) = (TableId::new(), AccountId::new());
    let occupants = vec![occupant(0, person, 0), occupant(1, robot_account(1), 1)];
    let clock = Some(sudden_death(10_000, 3_000).to_wire());
    let asked = OpenTableRequest { occupants, clock, ..tally(table, 2, &[]) };
    house.open(asked).await.expect("a table");
    let mut watch = house.watch(table).await;
    time.pass(1_000).await;
    house.add(table, person, ADD).await.expect("a move");
    assert_eq!(shown(watch.next().await.clock.as_ref()), (vec![12_000, 10_000], Some(1)));
    assert_eq!(shown(watch.next().await.clock.as_ref()), (vec![12_000, 13_000], Some(0)));
    house.stop().await;
}

#[tokio::test]
async fn g3_a_clock_that_cannot_be_is_refused() {
    let time = Time::new().await;
    let house = time.house().await;
    let clock = Some(ClockSettings::default());
    let asked = OpenTableRequest { clock, ..tally(TableId::new(), 2, &two()) };
    assert_eq!(code(&house.open(asked).await), Some(Code::InvalidArgument));
    house.stop().await;
}

/// While nobody has moved either may abort, three times an hour; other endings are free.
#[tokio::test(start_paused = true)]
async fn an_account_aborts_three_games_an_hour() {
    let time = Time::new().await;
    let house = time.house().await;
    let [first, second] = two();
    for _ in 0..3 {
        let table = house.tally(2, &[first, second]).await;
        assert_eq!(house.play(table, first, ABORT).await, Ok(3));
    }
    let table = house.tally(2, &[first, second]).await;
    assert_eq!(code(&house.play(table, first, ABORT).await), Some(Code::RateLimited));
    assert_eq!(house.view(table, None).await.expect("a view").phase, "playing");
    assert_eq!(house.play(table, second, ABORT).await, Ok(3), "each account has its own count");
    for ending in [RESIGN, LEAVE] {
        let table = house.tally(2, &[first, second]).await;
        assert_eq!(house.play(table, first, ending).await, Ok(3));
    }
    time.pass(3_600_000).await;
    let table = house.tally(2, &[first, second]).await;
    assert_eq!(house.play(table, first, ABORT).await, Ok(3));
    house.stop().await;
}
