//! The role as it runs by itself: how soon what is due is done, and what entries cost while nothing happens.

use crate::house::{House, Kind, letter};
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::id::RequestId;
use astragal_runtime::presence::{Presence, PresenceTimes};
use chrono::TimeDelta;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How late anything may be told that happens by itself.
const LATE_MAX: Duration = Duration::from_millis(250);
/// Time passes in such steps.
const STEP: Duration = Duration::from_millis(50);

/// Lets a replica run until the end of the test.
fn run(house: &House, replica: usize) -> JoinHandle<()> {
    let role = house.replicas[replica].clone();
    let (_, changes) = Presence::new(PresenceTimes::default()).open_desk();
    tokio::spawn(async move { role.run(changes, CancellationToken::new()).await })
}

/// Lets time pass until so long after the beginning, for people and for tasks.
async fn pass(house: &House, until: Duration) {
    let until = ManualClock::default().now() + until;
    while house.town.clock.now() < until {
        house.town.clock.advance(TimeDelta::from_std(STEP).unwrap());
        tokio::time::sleep(STEP).await;
    }
}

#[tokio::test(start_paused = true)]
async fn r1_what_is_due_is_told_within_a_quarter_of_a_second() {
    let mut house = House::open(Kind::Memory, &[0, 0], 0).await;
    let _runs = [run(&house, 0), run(&house, 1)];
    house.end(0, "finished", Some(0)).await;
    let (game, ada) = (house.id(0), house.account(0));
    for (asked, due, reason) in [(0, 60, "expired"), (570, 600, "closed")] {
        pass(&house, Duration::from_secs(asked)).await;
        house.offers(0).ask(ada, RequestId::new(), game).await.expect("asked");
        assert_eq!(house.heard().len(), 1, "the request");
        let due = Duration::from_secs(due);
        pass(&house, due.saturating_sub(STEP)).await;
        assert_eq!(house.heard(), [""; 0], "not before its time");
        pass(&house, due + LATE_MAX).await;
        let told = [0, 1].map(|seat| format!("{}: ended G1 {reason}", letter(seat)));
        assert_eq!(house.heard(), told);
    }
}

/// Only the store knows of deadlines: no process has a task, and so no timer, for any entry.
#[tokio::test(start_paused = true)]
async fn o2_entries_and_requests_have_no_task_and_no_timer_in_a_process() {
    const ENTRIES: usize = 1_000;
    let house = House::open(Kind::Memory, &[0, 0], 0).await;
    let _runs = [run(&house, 0), run(&house, 1)];
    house.end(0, "finished", Some(0)).await;
    tokio::time::sleep(LATE_MAX).await;
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for _ in 0..ENTRIES {
        house.another();
        let last = house.town.games.lock().unwrap().len() - 1;
        house.end(last, "finished", Some(0)).await;
        let (ada, game) = (house.account(0), house.id(last));
        house.offers(0).ask(ada, RequestId::new(), game).await.expect("asked");
    }
    tokio::time::sleep(LATE_MAX).await;
    assert_eq!(tasks(), before);
}
