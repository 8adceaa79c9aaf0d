//! Times in which no engine lived.

use crate::house::two;
use crate::time::{Time, shown, sudden_death};
use astragal_engine::journal::{EntryKind, StopReason};
use astragal_proto::engine::v1::table_event::Kind;
use chrono::TimeDelta;

const ADD: &str = "{\"add\":1}";

/// Nobody loses time for it, and the journal says why.
#[tokio::test(start_paused = true)]
async fn g3_nobody_loses_the_time_in_which_no_engine_lived() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(30_000, 0), &accounts).await;
    let untimed = house.tally(2, &accounts).await;
    time.pass(4_000).await;
    house.stop().await;
    let last_sign = time.now();
    time.pass_lifeless(40_000).await;

    let house = time.house().await;
    let mut watch = house.watch(table).await;
    let view = house.view(table, Some(accounts[0])).await.expect("a view");
    assert_eq!((view.revision, shown(view.clock.as_ref())), (4, (vec![26_000, 30_000], Some(0))));
    let (stopped, resumed) = (watch.next().await, watch.next().await);
    assert!(matches!(&stopped.kind, Some(Kind::ClockChanged(changed)) if !changed.running));
    assert!(matches!(&resumed.kind, Some(Kind::ClockChanged(changed)) if changed.running));
    assert_eq!(shown(stopped.clock.as_ref()), (vec![26_000, 30_000], None));
    assert_eq!(shown(resumed.clock.as_ref()), (vec![26_000, 30_000], Some(0)));
    let journal = time.journal(table).await;
    assert_eq!(journal[2].kind, EntryKind::ClockStopped(StopReason::Outage));
    assert_eq!((journal[2].at, journal[3].at), (last_sign, time.now()));
    let events = house.events(table, None, 2).await.expect("events").events;
    assert_eq!(events, [(*stopped).clone(), (*resumed).clone()], "who missed them is told the same");

    // The same game goes on, and its flag falls when all of its time is over.
    time.pass(6_000).await;
    house.add(table, accounts[0], ADD).await.expect("a move");
    assert_eq!(shown(watch.next().await.clock.as_ref()), (vec![20_000, 30_000], Some(1)));
    house.add(untimed, accounts[0], ADD).await.expect("a move");
    assert_eq!(time.journal(untimed).await.len(), 3, "a table without a clock is left alone");
    house.stop().await;
}

#[tokio::test(start_paused = true)]
async fn g3_a_flag_that_was_due_in_an_outage_waits_for_the_rest_of_the_time() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(10_000, 0), &accounts).await;
    time.pass(7_000).await;
    house.stop().await;
    time.pass_lifeless(60_000).await;
    let house = time.house().await;
    let back = time.now();
    let mut watch = house.watch(table).await;
    // It gives its first sign of life before this test does.
    house.view(table, None).await.expect("a view");
    time.creep(&house, table, back + TimeDelta::milliseconds(3_049)).await;
    assert_eq!(house.view(table, None).await.expect("a view").phase, "playing");
    time.pass(2).await;
    watch.until_the_end().await;
    let fell = time.journal(table).await.pop().expect("an entry").at - back;
    assert!((3_050..=3_100).contains(&fell.num_milliseconds()), "{fell}");
    house.stop().await;
}

/// As long as one of them lives there is no outage.
#[tokio::test(start_paused = true)]
async fn g3_an_engine_that_stops_while_another_lives_stops_no_clock() {
    let time = Time::new().await;
    let (one, other) = (time.house().await, time.house().await);
    let accounts = two();
    let table = one.timed(sudden_death(60_000, 0), &accounts).await;
    one.stop().await;
    time.pass(30_000).await;
    other.add(table, accounts[0], ADD).await.expect("a move");
    assert_eq!(time.journal(table).await.len(), 3);
    assert_eq!(time.clocks(table).await.remaining(astragal_rules::seat::Seat(0)), TimeDelta::seconds(30));
    other.stop().await;
}

/// An engine that comes back finds out for how long nobody was there. What is no longer than a beat may be late is
/// none: another engine may live.
#[tokio::test(start_paused = true)]
async fn g3_the_first_beat_of_an_engine_finds_a_quick_restart() {
    const AWAY_MS: [(i64, usize); 4] = [(700, 3), (750, 3), (751, 5), (1_400, 5)];
    for (away_ms, entries) in AWAY_MS {
        let time = Time::new().await;
        let house = time.house().await;
        let accounts = two();
        let table = house.timed(sudden_death(60_000, 0), &accounts).await;
        time.pass(5_000).await;
        house.stop().await;
        time.pass_lifeless(away_ms).await;
        let house = time.house().await;
        house.add(table, accounts[0], ADD).await.expect("a move");
        assert_eq!(time.journal(table).await.len(), entries, "after {away_ms} ms");
        let lost_ms = if entries == 3 { 5_000 + away_ms } else { 5_000 };
        let remaining = time.clocks(table).await.remaining(astragal_rules::seat::Seat(0));
        assert_eq!(remaining.num_milliseconds(), 60_000 - lost_ms, "after {away_ms} ms");
        house.stop().await;
    }
}

/// An engine that lives on may be slow without stopping anybody's clock.
#[tokio::test(start_paused = true)]
async fn g3_a_late_beat_is_no_outage() {
    let time = Time::new().await;
    let house = time.house().await;
    let accounts = two();
    let table = house.timed(sudden_death(60_000, 0), &accounts).await;
    house.view(table, None).await.expect("a view");
    time.pass_lifeless(1_400).await;
    house.add(table, accounts[0], ADD).await.expect("a move");
    assert_eq!(time.journal(table).await.len(), 3);
    house.stop().await;
}
