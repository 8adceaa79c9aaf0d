//! A time that stands until a test lets it pass, for engines over one database file.

use crate::house::{Database, House, play_request, tally};
use astragal_engine::clocks::Clocks;
use astragal_engine::journal::Entry;
use astragal_engine::store::TableStore;
use astragal_engine::store::heart::Beat;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{OpenTableRequest, PlayRequest};
use astragal_runtime::clock::{Clock, ManualClock, Timestamp};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::time_control::TimeControl;
use chrono::TimeDelta;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use tokio::time::Instant;

/// How much time passes at once; less than an outage.
const STEP_MAX_MS: i64 = 1_400;

/// The clock of the process, which is tokio's.
struct PausedClock(Instant);

impl Clock for PausedClock {
    fn now(&self) -> Timestamp {
        ManualClock::default().now() + TimeDelta::from_std(self.0.elapsed()).expect("a short time")
    }
}

/// Time that stands, in a test whose tokio clock is paused.
pub(crate) struct Time {
    clock: Arc<PausedClock>,
    pub(crate) database: Database,
    store: SqliteTables,
    /// While a thread is busy tokio lets no time pass by itself.
    _busy: Sender<()>,
}

impl Time {
    pub(crate) async fn new() -> Self {
        let (busy, until) = channel::<()>();
        tokio::task::spawn_blocking(move || until.recv());
        let database = Database::new();
        let store = SqliteTables::open(&database.location()).await.expect("a database");
        Self { clock: Arc::new(PausedClock(Instant::now())), database, store, _busy: busy }
    }

    /// An engine in this time.
    pub(crate) async fn house(&self) -> House {
        House::with_clock(&self.database.location(), self.clock.clone()).await
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Lets time pass in which engines live, if only this one.
    pub(crate) async fn pass(&self, ms: i64) {
        let mut left = ms;
        while left > 0 {
            let step = left.min(STEP_MAX_MS);
            self.pass_lifeless(step).await;
            let beat = Beat { now: self.now(), silence_max: TimeDelta::days(1), known_until: self.now() };
            self.store.beat(beat).await.expect("a sign of life");
            left -= step;
        }
    }

    /// Lets time pass without a sign of life, at once.
    pub(crate) async fn pass_lifeless(&self, ms: i64) {
        tokio::time::advance(std::time::Duration::from_millis(ms.unsigned_abs())).await;
    }

    /// Lets time pass until an instant.
    pub(crate) async fn pass_until(&self, instant: Timestamp) {
        self.pass((instant - self.now()).num_milliseconds()).await;
    }

    /// Lets time pass until an instant in small steps, with a question in each: a sweep needs time that
    /// passes and a database that answers.
    pub(crate) async fn creep(&self, house: &House, table: TableId, until: Timestamp) {
        while self.now() < until {
            self.pass((until - self.now()).num_milliseconds().min(10)).await;
            house.view(table, None).await.expect("a view");
        }
    }

    pub(crate) async fn journal(&self, table: TableId) -> Vec<Entry> {
        self.store.tail(table, 0).await.expect("a journal")
    }

    /// The clocks of a table as its journal says.
    pub(crate) async fn clocks(&self, table: TableId) -> Clocks {
        let stored = self.store.load(table).await.expect("an answer").expect("the table");
        let control = stored.header.time_control.expect("a clock");
        Clocks::fold(control, stored.header.seats, &stored.entries)
    }
}

pub(crate) const fn sudden_death(initial_ms: u64, increment_ms: u64) -> TimeControl {
    TimeControl::SuddenDeath { initial_ms, increment_ms }
}

impl House {
    /// A table of tally with a clock, at which these accounts sit.
    pub(crate) async fn timed(&self, control: TimeControl, accounts: &[AccountId]) -> TableId {
        let table = TableId::new();
        let clock = Some(control.to_wire());
        let asked = tally(table, accounts.len() as u32, accounts);
        self.open(OpenTableRequest { clock, ..asked }).await.expect("a table");
        table
    }

    /// An action with what the gateway says of it: for how long it held it, and how far the player is.
    pub(crate) async fn play_late(
        &self,
        table: TableId,
        account: AccountId,
        action: Action,
        held_ms: u32,
        round_trip_ms: u32,
    ) -> Result<u32> {
        let asked = play_request(RequestId::new(), table, account, action);
        let asked = PlayRequest { held_ms, round_trip_ms, ..asked };
        let answer = self.client().play(asked).await;
        answer.map(|answer| answer.into_inner().revision).map_err(Problem::from)
    }
}

/// What a clock shows, in milliseconds.
pub(crate) fn shown(clock: Option<&astragal_proto::engine::v1::Clock>) -> (Vec<i64>, Option<u32>) {
    let clock = clock.expect("a clock");
    let ms =
        |shown: &astragal_proto::time::Duration| shown.seconds * 1_000 + i64::from(shown.nanos) / 1_000_000;
    (clock.remaining.iter().map(ms).collect(), clock.running)
}
