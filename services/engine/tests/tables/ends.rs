//! What is told and left of a table that is over, for whoever offers rematches.

use crate::direct::Direct;
use crate::faulty::Faulty;
use crate::house::{ABORT, Database, House, LEAVE, RESIGN, code, json, tally, two};
use astragal_engine::store::sqlite::SqliteTables;
use astragal_proto::engine::v1::{Ending, OpenTableRequest};
use astragal_proto::rematch::v1::rematch_service_server::{RematchService, RematchServiceServer};
use astragal_proto::rematch::v1::{
    AskRequest, AskResponse, DeclineRequest, DeclineResponse, GameEndedRequest, GameEndedResponse,
    GetOfferRequest, GetOfferResponse, GetOffersRequest, GetOffersResponse, SearchingRequest,
    SearchingResponse,
};
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, ManualClock, SystemClock};
use astragal_runtime::database::Location;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use chrono::TimeDelta;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// Hears of ends, or doesn't answer.
#[derive(Clone)]
struct Listener {
    heard: mpsc::UnboundedSender<Ending>,
    deaf: Arc<AtomicBool>,
}

fn no_answer<T>() -> Answer<T> {
    Err(Status::unimplemented("not asked by an engine"))
}

#[tonic::async_trait]
impl RematchService for Listener {
    async fn game_ended(&self, request: Request<GameEndedRequest>) -> Answer<GameEndedResponse> {
        if self.deaf.load(Ordering::Relaxed) {
            return Err(Problem::unavailable("not now").into());
        }
        let _ = self.heard.send(request.into_inner().ending.expect("an ending"));
        Ok(Response::new(GameEndedResponse {}))
    }

    async fn ask(&self, _: Request<AskRequest>) -> Answer<AskResponse> {
        no_answer()
    }

    async fn decline(&self, _: Request<DeclineRequest>) -> Answer<DeclineResponse> {
        no_answer()
    }

    async fn searching(&self, _: Request<SearchingRequest>) -> Answer<SearchingResponse> {
        no_answer()
    }

    async fn get_offers(&self, _: Request<GetOffersRequest>) -> Answer<GetOffersResponse> {
        no_answer()
    }

    async fn get_offer(&self, _: Request<GetOfferRequest>) -> Answer<GetOfferResponse> {
        no_answer()
    }
}

fn listener() -> (Listener, mpsc::UnboundedReceiver<Ending>) {
    let (heard, ends) = mpsc::unbounded_channel();
    (Listener { heard, deaf: Arc::default() }, ends)
}

fn tell(house: &House, listener: &Listener) {
    let channel = RoleChannel::local(RematchServiceServer::new(listener.clone()));
    house.engine().tell_ends_to(Some(channel));
}

/// Waits until nothing is due of a table any more.
async fn until_told(store: &SqliteTables, table: TableId) {
    until_not_due(store, table, TimeDelta::hours(1)).await;
}

/// Waits until nothing is due of a table within a span from now.
async fn until_not_due(store: &SqliteTables, table: TableId, within: TimeDelta) {
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    let done = async {
        while store.is_due(table, SystemClock.now() + within).await {
            looks.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), done).await.expect("done in time");
}

#[tokio::test]
async fn r1_every_end_is_told_with_all_that_a_rematch_needs() {
    let house = House::in_memory().await;
    let (listener, mut ends) = listener();
    tell(&house, &listener);
    for (action, reason) in [(RESIGN, "resigned"), (LEAVE, "left"), (ABORT, "aborted")] {
        let [first, second] = two();
        let (table, follows, series) = (TableId::new(), TableId::new(), SeriesId::new());
        let asked = OpenTableRequest {
            first_seat: 1,
            series_id: series.to_string(),
            best_of: 5,
            follows_table_id: follows.to_string(),
            ..tally(table, 2, &[first, second])
        };
        house.open(asked).await.expect("a table");
        house.play(table, first, action).await.expect("the end");
        let ending = ends.recv().await.expect("an end");
        assert_eq!((&ending.table_id, ending.first_seat), (&table.to_string(), 1));
        assert_eq!((ending.best_of, &ending.follows_table_id), (5, &follows.to_string()));
        assert_eq!(ending.outcome.as_ref().map(|outcome| outcome.reason.as_str()), Some(reason));
        assert_eq!(ending.occupants.len(), 2);
        assert_eq!(
            (&ending.series_id, json(&ending.series)[0]["reason"].as_str()),
            (&series.to_string(), Some(reason))
        );
        assert!(ending.ended_at.is_some());
        until_told(house.sqlite(), table).await;
        assert_eq!(house.ending(table, Some(second)).await.expect("an ending"), ending);
    }
}

#[tokio::test]
async fn r1_an_end_is_told_later_when_nobody_hears_it() {
    let house = House::in_memory().await;
    let (listener, mut ends) = listener();
    listener.deaf.store(true, Ordering::Relaxed);
    tell(&house, &listener);
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.play(table, first, RESIGN).await.expect("the end");
    assert!(ends.try_recv().is_err());
    listener.deaf.store(false, Ordering::Relaxed);
    assert_eq!(ends.recv().await.expect("an end").table_id, table.to_string());
    until_told(house.sqlite(), table).await;
}

/// Ten seconds after the end it rests for ten more.
#[tokio::test]
async fn r1_an_end_that_can_t_be_told_is_told_less_and_less_often() {
    let clock = Arc::new(ManualClock::default());
    let house = House::with_clock(&Location::Memory, clock.clone()).await;
    let (listener, _ends) = listener();
    listener.deaf.store(true, Ordering::Relaxed);
    tell(&house, &listener);
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let ended = clock.now();
    house.play(table, first, RESIGN).await.expect("the end");
    clock.advance(TimeDelta::seconds(10));
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    let due_by = |second| house.sqlite().is_due(table, ended + TimeDelta::seconds(second));
    let rested = async {
        while due_by(19).await {
            looks.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), rested).await.expect("a rest");
    assert!(due_by(20).await);
}

/// "One end reason forgot to open it."
#[tokio::test]
async fn r1_an_end_is_told_after_a_crash_by_another_engine() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    // Nobody listens yet, so the process ends with the end untold.
    house.play(table, first, RESIGN).await.expect("the end");
    house.stop().await;
    let other = House::new(&database.location()).await;
    let (listener, mut ends) = listener();
    tell(&other, &listener);
    assert_eq!(ends.recv().await.expect("an end").table_id, table.to_string());
    until_told(other.sqlite(), table).await;
    other.stop().await;
}

#[tokio::test]
async fn r1_an_ending_is_for_those_who_sit_there_and_not_before_the_end() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    let stranger = Some(AccountId::new());
    assert_eq!(code(&house.ending(table, Some(first)).await), Some(Code::GameInProgress));
    assert_eq!(code(&house.ending(table, stranger).await), Some(Code::NotFound));
    assert_eq!(code(&house.ending(TableId::new(), Some(first)).await), Some(Code::NotFound));
    house.play(table, first, RESIGN).await.expect("the end");
    assert!(house.ending(table, Some(second)).await.is_ok() && house.ending(table, None).await.is_ok());
    assert_eq!(code(&house.ending(table, stranger).await), Some(Code::NotFound));
}

#[tokio::test]
async fn r5_the_games_of_a_series_can_be_listed() {
    let house = House::in_memory().await;
    let ([first, second], series) = (two(), SeriesId::new());
    let mut tables = Vec::new();
    for (first_seat, action) in [(0, RESIGN), (1, ABORT), (1, LEAVE)] {
        let table = TableId::new();
        let series_id = series.to_string();
        let asked = OpenTableRequest { first_seat, series_id, ..tally(table, 2, &[first, second]) };
        house.open(asked).await.expect("a table");
        house.play(table, first, action).await.expect("the end");
        tables.push(table.to_string());
    }
    let games = json(&house.series(series).await.expect("a series"));
    let games: Vec<_> = games.as_array().expect("games").iter().map(|game| &game["gameId"]).collect();
    assert_eq!(games, [&tables[0], &tables[2]], "an aborted game counts for nothing");
    assert_eq!(code(&house.series(SeriesId::new()).await), Some(Code::NotFound));
    // From before there were series: no id, a series of one.
    let old = TableId::new();
    house.open(tally(old, 2, &[first, second])).await.expect("a table");
    house.play_as(RequestId::new(), old, first, RESIGN).await.expect("the end");
    let ending = house.ending(old, None).await.expect("an ending");
    assert_eq!((ending.series_id.as_str(), json(&ending.series).as_array().map(Vec::len)), ("", Some(1)));
}

/// The other engine has the table at hand as it was before, and nothing at it makes anybody look.
#[tokio::test]
async fn r1_an_end_is_told_by_an_engine_that_knows_the_table_from_before() {
    let database = Database::new();
    let (house, other) = (House::new(&database.location()).await, House::new(&database.location()).await);
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    assert_eq!(other.view(table, None).await.expect("a view").phase, "playing");
    house.play(table, first, RESIGN).await.expect("the end");
    house.stop().await;
    let (listener, mut ends) = listener();
    tell(&other, &listener);
    let told = tokio::time::timeout(Duration::from_secs(30), ends.recv()).await;
    assert_eq!(told.expect("told in time").expect("an end").table_id, table.to_string());
    until_told(other.sqlite(), table).await;
    other.stop().await;
}

#[tokio::test]
async fn r1_of_a_table_that_never_filled_nobody_is_told() {
    let house = House::in_memory().await;
    let (listener, mut ends) = listener();
    tell(&house, &listener);
    let [first, second] = two();
    let (cancelled, broken) = (house.tally(2, &[first]).await, house.tally(2, &[first]).await);
    house.cancel(cancelled).await.expect("the end");
    assert_eq!(code(&house.add(broken, first, "\"panic\"").await), Some(Code::Internal));
    let last = house.tally(2, &[first, second]).await;
    house.play(last, first, RESIGN).await.expect("the end");
    assert_eq!(ends.recv().await.expect("an end").table_id, last.to_string());
    until_told(house.sqlite(), broken).await;
    // What is under way is finished first.
    house.stop().await;
    assert!(ends.try_recv().is_err());
}

/// A table whose end nobody was told yet, and its database as one that can be made to fail.
async fn ended_untold(database: &Database) -> (TableId, Arc<Faulty>) {
    let house = House::new(&database.location()).await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.play(table, first, RESIGN).await.expect("the end");
    house.stop().await;
    (table, Faulty::new(SqliteTables::open(&database.location()).await.expect("a database")))
}

/// A bug that a table brings up costs it its turn: it is looked at again later, as any that can't be served.
#[tokio::test]
async fn l0_a_table_whose_turn_panics_rests_and_is_not_given_up() {
    let database = Database::new();
    let (table, faulty) = ended_untold(&database).await;
    faulty.panics.store(true, Ordering::SeqCst);
    let house = House::with_faults(&faulty);
    until_not_due(&faulty.store, table, TimeDelta::seconds(15)).await;
    let later = SystemClock.now() + TimeDelta::minutes(1);
    assert!(faulty.store.is_due(table, later).await);
    house.stop().await;
}

/// What stays due comes first in every sweep: a few hundred tables that wait must not keep all others waiting.
#[tokio::test]
async fn l0_a_table_whose_turn_waits_makes_room_for_others() {
    let database = Database::new();
    let (table, faulty) = ended_untold(&database).await;
    faulty.fails.store(true, Ordering::SeqCst);
    let house = House::with_faults(&faulty);
    let (listener, mut ends) = listener();
    tell(&house, &listener);
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    while faulty.failures.load(Ordering::SeqCst) == 0 {
        looks.tick().await;
    }
    until_not_due(&faulty.store, table, TimeDelta::zero()).await;
    faulty.fails.store(false, Ordering::SeqCst);
    assert_eq!(ends.recv().await.expect("an end").table_id, table.to_string());
    house.stop().await;
}

/// R1 and R7: leaving means no rematch, so an end says of each seat whether it left, whoever played on. The same is
/// told at once, read back from the journal and asked for later.
#[tokio::test]
async fn r1_an_end_tells_who_has_left_long_before_it() {
    let house = House::in_memory().await;
    for (second, left) in [(LEAVE, vec![0]), (RESIGN, vec![])] {
        let accounts: [AccountId; 3] = std::array::from_fn(|_| AccountId::new());
        let table = house.tally(3, &accounts).await;
        let mut watch = house.watch(table).await;
        house.play(table, accounts[0], second).await.expect("a seat that retires");
        house.play(table, accounts[1], RESIGN).await.expect("the end");
        let told = watch.until_the_end().await.pop().and_then(|event| event.ended.clone()).expect("an end");
        assert_eq!(told.left_seats, left);
        let ending = house.ending(table, None).await.expect("an ending");
        assert_eq!((ending.left_seats, ending.outcome), (left, told.outcome.clone()));
        let read = house.events(table, None, 0).await.expect("events").events;
        assert_eq!(read.last().and_then(|event| event.ended.clone()), Some(told));
    }
}
