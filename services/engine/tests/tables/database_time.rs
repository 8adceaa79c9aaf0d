//! Engines whose machines disagree about the time: the database's counts.

use crate::house::{House, two};
use crate::postgres;
use crate::time::sudden_death;
use astragal_engine::clocks::Clocks;
use astragal_engine::store::TableStore;
use astragal_runtime::clock::{Clock, SystemClock, Timestamp};
use astragal_support::postgres::Postgres as Server;
use chrono::TimeDelta;
use std::sync::Arc;

/// A machine whose clock is wrong.
struct Wrong(TimeDelta);

impl Clock for Wrong {
    fn now(&self) -> Timestamp {
        SystemClock.now() + self.0
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g3_replicas_use_the_time_of_the_database() {
    let stores = postgres::replicas::<2>(Server::shared()).await.map(Arc::new);
    let [slow, fast] = [-TimeDelta::days(400), TimeDelta::hours(9)].map(|wrong| Arc::new(Wrong(wrong)));
    let one = House::elsewhere(stores[0].clone(), slow).await;
    let other = House::elsewhere(stores[1].clone(), fast).await;
    let accounts = two();
    let control = sudden_death(2_000, 0);
    let begin = SystemClock.now();
    let table = one.timed(control, &accounts).await;
    // By the clock of its machine this engine would see time fly, or stand.
    other.add(table, accounts[0], "{\"add\":1}").await.expect("a move");
    one.add(table, accounts[1], "{\"add\":1}").await.expect("a move");
    let mut watches = (one.watch(table).await, other.watch(table).await);
    tokio::select! {
        _ = watches.0.until_the_end() => {}
        _ = watches.1.until_the_end() => {}
    }
    let entries = stores[0].tail(table, 0).await.expect("a journal");
    let (flag, before) = entries.split_last().expect("entries");
    assert_eq!(before.len(), 4);
    let machines = TimeDelta::seconds(20);
    assert!(entries.iter().all(|entry| (entry.at - begin).abs() < machines), "{entries:?}");
    assert!(entries.is_sorted_by_key(|entry| entry.at), "{entries:?}");
    let (seat, deadline) = Clocks::fold(control, 2, before).deadline().expect("a clock that runs");
    assert_eq!((seat.0, flag.time.runs), (0, None));
    assert!(flag.at >= deadline + TimeDelta::milliseconds(50), "{} and {deadline}", flag.at);
    one.stop().await;
    other.stop().await;
}
