//! A house with an engine in it, and the calls that tests make. Two houses may share one database.

use crate::faulty::Faulty;
use crate::tally::Tally;
use astragal_engine::store::TableStore;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::series_service_client::SeriesServiceClient;
use astragal_proto::engine::v1::{
    AbortAction, CancelTableRequest, Ending, GetEndingRequest, GetFinishedLogRequest, GetSeriesRequest,
    GetTableRequest, LeaveAction, ListEventsRequest, ListEventsResponse, MoveAction, Occupant,
    OpenTableRequest, OpenTableResponse, PlayRequest, ResignAction, SeatPlayerRequest, TableEvent, TableView,
    UndoAction,
};
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_runtime::bus::{Bus, BusReceiver, Delivery, Message, Topic};
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use astragal_runtime::telemetry::Telemetry;
use bytes::Bytes;
use std::sync::Arc;

/// An engine and the client that tests call it by.
pub(crate) struct House {
    engine: Option<Engine>,
    client: EngineServiceClient<RoleChannel>,
    bus: Bus,
    store: SqliteTables,
}

/// A database that goes away with the test.
pub(crate) struct Database(tempfile::TempDir);

impl Database {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    pub(crate) fn location(&self) -> Location {
        Location::File(self.0.path().join("engine.sqlite"))
    }
}

/// The games of the tests.
pub(crate) fn games() -> Registry {
    Registry::new().with(Kalah).with(Tally { version: 1 })
}

impl House {
    pub(crate) async fn new(location: &Location) -> Self {
        Self::with(location, games()).await
    }

    pub(crate) async fn in_memory() -> Self {
        Self::new(&Location::Memory).await
    }

    pub(crate) async fn with(location: &Location, registry: Registry) -> Self {
        let store = SqliteTables::open(location).await.expect("a database");
        Self::on(store.clone(), Arc::new(store), registry)
    }

    /// An engine with a clock of its own.
    pub(crate) async fn with_clock(location: &Location, clock: Arc<dyn Clock>) -> Self {
        let store = SqliteTables::open(location).await.expect("a database");
        Self::on_clock(store.clone(), Arc::new(store), games(), clock)
    }

    /// An engine on another store, which the test reads itself.
    pub(crate) async fn elsewhere(used: Arc<dyn TableStore>, clock: Arc<dyn Clock>) -> Self {
        let none = SqliteTables::open(&Location::Memory).await.expect("a database");
        Self::on_clock(none, used, games(), clock)
    }

    /// An engine whose store has faults.
    pub(crate) async fn faulty() -> (Self, Arc<Faulty>) {
        let faulty = Faulty::new(SqliteTables::open(&Location::Memory).await.expect("a database"));
        (Self::with_faults(&faulty), faulty)
    }

    /// An engine on a store that has faults from the start.
    pub(crate) fn with_faults(faulty: &Arc<Faulty>) -> Self {
        Self::on(faulty.store.clone(), faulty.clone(), games())
    }

    fn on(store: SqliteTables, used: Arc<dyn TableStore>, registry: Registry) -> Self {
        Self::on_clock(store, used, registry, Arc::new(SystemClock))
    }

    fn on_clock(
        store: SqliteTables,
        used: Arc<dyn TableStore>,
        registry: Registry,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let bus = Bus::new();
        let engine = Engine::open(
            Settings::default(),
            used,
            registry,
            bus.clone(),
            clock,
            Arc::new(OsEntropy),
            Telemetry::default(),
        );
        let client = EngineServiceClient::new(RoleChannel::local(engine.server()));
        Self { engine: Some(engine), client, bus, store }
    }

    /// Ends the process, in good order.
    pub(crate) async fn stop(mut self) {
        if let Some(engine) = self.engine.take() {
            engine.stop().await;
        }
        self.store.close().await;
    }

    pub(crate) fn client(&self) -> EngineServiceClient<RoleChannel> {
        self.client.clone()
    }

    pub(crate) fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("an engine that runs")
    }

    pub(crate) fn sqlite(&self) -> &SqliteTables {
        &self.store
    }

    fn series_client(&self) -> SeriesServiceClient<RoleChannel> {
        SeriesServiceClient::new(RoleChannel::local(self.engine().series_server()))
    }

    pub(crate) async fn ending(&self, table: TableId, account: Option<AccountId>) -> Result<Ending> {
        let account_id = account.map(|account| account.to_string()).unwrap_or_default();
        let asked = GetEndingRequest { table_id: table.to_string(), account_id };
        let answered = answer(self.series_client().get_ending(asked).await)?;
        Ok(answered.ending.expect("an ending"))
    }

    pub(crate) async fn series(&self, series: SeriesId) -> Result<Bytes> {
        let asked = GetSeriesRequest { series_id: series.to_string() };
        Ok(answer(self.series_client().get_series(asked).await)?.series)
    }

    pub(crate) fn store(&self) -> &dyn TableStore {
        &self.store
    }

    pub(crate) async fn watch(&self, table: TableId) -> Watch {
        let (subscriber, receiver) = self.bus.connect(10_000);
        subscriber.subscribe(Topic::Table(table)).await;
        Watch(receiver)
    }

    pub(crate) async fn open(&self, asked: OpenTableRequest) -> Result<OpenTableResponse> {
        answer(self.client().open_table(asked).await)
    }

    /// A table of tally at which these accounts sit, in the order of the seats.
    pub(crate) async fn tally(&self, seats: u32, accounts: &[AccountId]) -> TableId {
        let table = TableId::new();
        self.open(tally(table, seats, accounts)).await.expect("a table");
        table
    }

    pub(crate) async fn seat(&self, table: TableId, seat: u32, account: AccountId) -> Result<u32> {
        self.seat_occupant(table, occupant(seat, account, 0)).await
    }

    pub(crate) async fn seat_occupant(&self, table: TableId, occupant: Occupant) -> Result<u32> {
        let asked = SeatPlayerRequest { table_id: table.to_string(), occupant: Some(occupant) };
        answer(self.client().seat_player(asked).await).map(|answer| answer.revision)
    }

    pub(crate) async fn cancel(&self, table: TableId) -> Result<u32> {
        let asked = CancelTableRequest { table_id: table.to_string() };
        answer(self.client().cancel_table(asked).await).map(|answer| answer.revision)
    }

    pub(crate) async fn play(&self, table: TableId, account: AccountId, action: Action) -> Result<u32> {
        self.play_as(RequestId::new(), table, account, action).await
    }

    pub(crate) async fn play_as(
        &self,
        request: RequestId,
        table: TableId,
        account: AccountId,
        action: Action,
    ) -> Result<u32> {
        let asked = play_request(request, table, account, action);
        answer(self.client().play(asked).await).map(|answer| answer.revision)
    }

    /// A move at the newest revision.
    pub(crate) async fn add(&self, table: TableId, account: AccountId, content: &str) -> Result<u32> {
        let revision = self.view(table, Some(account)).await?.revision;
        self.play(table, account, a_move(revision, content)).await
    }

    pub(crate) async fn view(&self, table: TableId, account: Option<AccountId>) -> Result<TableView> {
        let asked = GetTableRequest { table_id: table.to_string(), account_id: text(account) };
        Ok(answer(self.client().get_table(asked).await)?.table.expect("a table"))
    }

    pub(crate) async fn events(
        &self,
        table: TableId,
        account: Option<AccountId>,
        since_revision: u32,
    ) -> Result<ListEventsResponse> {
        let asked =
            ListEventsRequest { table_id: table.to_string(), account_id: text(account), since_revision };
        answer(self.client().list_events(asked).await)
    }

    pub(crate) async fn finished_log(&self, table: TableId) -> Result<String> {
        let asked = GetFinishedLogRequest { table_id: table.to_string() };
        let log = answer(self.client().get_finished_log(asked).await)?.log;
        Ok(String::from_utf8(log.into()).expect("text"))
    }
}

/// The events of one table, as the bus brings them.
pub(crate) struct Watch(BusReceiver);

impl Watch {
    pub(crate) async fn next(&mut self) -> Arc<TableEvent> {
        match self.0.recv().await {
            Some(Delivery::Message(_, Message::Table(event))) => event,
            other => panic!("expected an event, got {other:?}"),
        }
    }

    /// Every event up to the one that ends the table.
    pub(crate) async fn until_the_end(&mut self) -> Vec<Arc<TableEvent>> {
        let mut events = Vec::new();
        loop {
            let event = self.next().await;
            let last = event.ended.is_some();
            events.push(event);
            if last {
                return events;
            }
        }
    }
}

pub(crate) fn answer<T>(answer: std::result::Result<tonic::Response<T>, tonic::Status>) -> Result<T> {
    answer.map(tonic::Response::into_inner).map_err(Problem::from)
}

pub(crate) fn tally(table: TableId, seats: u32, accounts: &[AccountId]) -> OpenTableRequest {
    OpenTableRequest {
        table_id: table.to_string(),
        game: "tally".to_owned(),
        seats,
        occupants: (0..).zip(accounts).map(|(seat, account)| occupant(seat, *account, 0)).collect(),
        ..OpenTableRequest::default()
    }
}

pub(crate) fn occupant(seat: u32, account: AccountId, robot_level: u32) -> Occupant {
    Occupant { seat, account_id: account.to_string(), robot_level }
}

pub(crate) fn play_request(
    request: RequestId,
    table: TableId,
    account: AccountId,
    action: Action,
) -> PlayRequest {
    PlayRequest {
        table_id: table.to_string(),
        account_id: account.to_string(),
        request_id: request.to_string(),
        action: Some(action),
        ..PlayRequest::default()
    }
}

pub(crate) fn a_move(revision: u32, content: &str) -> Action {
    Action::Move(MoveAction { revision, r#move: content.to_owned().into() })
}

pub(crate) const fn undo(revision: u32) -> Action {
    Action::Undo(UndoAction { revision })
}

pub(crate) const RESIGN: Action = Action::Resign(ResignAction {});
pub(crate) const LEAVE: Action = Action::Leave(LeaveAction {});
pub(crate) const ABORT: Action = Action::Abort(AbortAction {});

/// The code of a refusal; none if it was accepted.
pub(crate) fn code<T>(answer: &Result<T>) -> Option<Code> {
    answer.as_ref().err().map(|problem| problem.code)
}

pub(crate) fn json(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(bytes).expect("JSON")
}

pub(crate) fn two() -> [AccountId; 2] {
    [AccountId::new(), AccountId::new()]
}

fn text(account: Option<AccountId>) -> String {
    account.map(|account| account.to_string()).unwrap_or_default()
}
