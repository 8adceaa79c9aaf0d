//! An engine with one table, at which two players may move at any time, and which fails when it is told to.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use astragal_proto::engine::v1::engine_service_server::EngineService;
use astragal_proto::engine::v1::play_stream_response::Result as Answered;
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::*;
use astragal_proto::matchmaking::v1::account_event::Kind as AccountKind;
use astragal_proto::matchmaking::v1::{AccountEvent, GameStarted};
use astragal_runtime::bus::{Bus, Message, Topic};
use bytes::Bytes;
use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use crate::stage::{ADA, BLAISE, TABLE};

type Reply<T> = Result<Response<T>, Status>;
type Answers = Pin<Box<dyn Stream<Item = Result<PlayStreamResponse, Status>> + Send>>;

/// The engine; cheap to clone.
#[derive(Clone)]
pub(crate) struct Engine {
    bus: Bus,
    journal: Arc<Mutex<Vec<TableEvent>>>,
    requests: watch::Sender<Vec<PlayRequest>>,
    holding: watch::Sender<bool>,
    silent: Arc<AtomicBool>,
    breaks: Arc<AtomicU32>,
    away: Arc<AtomicU32>,
}

impl Engine {
    pub(crate) fn new(bus: Bus) -> Self {
        Self {
            bus,
            journal: Arc::default(),
            requests: watch::Sender::default(),
            holding: watch::Sender::new(false),
            silent: Arc::default(),
            breaks: Arc::default(),
            away: Arc::default(),
        }
    }

    /// Another game of somebody has started, which looks like the first one.
    pub(crate) fn start(&self, account_id: &str, game_id: &str) {
        let kind = AccountKind::GameStarted(GameStarted { game_id: game_id.to_owned() });
        let topic = Topic::Account(account_id.parse().unwrap());
        let event =
            AccountEvent { account_id: account_id.to_owned(), kind: Some(kind), ..AccountEvent::default() };
        self.bus.publish(topic, &Message::Account(Arc::new(event)));
    }

    /// Whoever asks for the table finds nobody, so many times.
    pub(crate) fn go_away(&self, times: u32) {
        self.away.store(times, Ordering::Relaxed);
    }

    /// Moves are made and told, but not answered.
    pub(crate) fn hold_answers(&self, hold: bool) {
        self.holding.send_replace(hold);
    }

    /// Whether what happens is told on the bus.
    pub(crate) fn publish(&self, publish: bool) {
        self.silent.store(!publish, Ordering::Relaxed);
    }

    /// The stream breaks at each of the next requests, which are lost.
    pub(crate) fn break_streams(&self, times: u32) {
        self.breaks.store(times, Ordering::Relaxed);
    }

    /// The ids of all requests, those that were lost too.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.borrow().iter().map(|request| request.request_id.clone()).collect()
    }

    /// All requests, with what the gateway says of them.
    pub(crate) fn plays(&self) -> Vec<PlayRequest> {
        self.requests.borrow().clone()
    }

    /// Returns once so many requests have come.
    pub(crate) async fn requested(&self, count: usize) {
        self.requests.subscribe().wait_for(|requests| requests.len() >= count).await.unwrap();
    }

    fn play(&self, request: &PlayRequest) -> Result<PlayResponse, Status> {
        self.requests.send_modify(|requests| requests.push(request.clone()));
        let left = self.breaks.load(Ordering::Relaxed);
        if left > 0 {
            self.breaks.store(left - 1, Ordering::Relaxed);
            return Err(Status::unavailable("broken on purpose"));
        }
        let mut journal = self.journal.lock().unwrap();
        let revision = journal.len() as u32 + 1;
        // Large enough to fill the buffers of a socket that nobody reads.
        let view = Bytes::from(format!("\"{}\"", "x".repeat(4_000)));
        let public = Part { r#move: Bytes::from_static(b"{}"), view, ..Part::default() };
        let event = TableEvent {
            table_id: TABLE.to_owned(),
            revision,
            kind: Some(Kind::Update(Update { number: revision, public: Some(public), ..Update::default() })),
            ..TableEvent::default()
        };
        journal.push(event.clone());
        if !self.silent.load(Ordering::Relaxed) {
            self.bus.publish(Topic::Table(TABLE.parse().unwrap()), &Message::Table(Arc::new(event)));
        }
        Ok(PlayResponse { revision })
    }

    fn view(&self, account_id: &str) -> TableView {
        let seats = [(0, ADA), (1, BLAISE)];
        let occupant = |(seat, account): (u32, &str)| Occupant {
            seat,
            account_id: account.to_owned(),
            ..Occupant::default()
        };
        TableView {
            table_id: TABLE.to_owned(),
            occupants: seats.map(occupant).to_vec(),
            your_seat: seats.iter().find(|(_, account)| *account == account_id).map(|(seat, _)| *seat),
            revision: self.journal.lock().unwrap().len() as u32,
            phase: "playing".to_owned(),
            options: Bytes::from_static(b"{}"),
            view: Bytes::from_static(b"{}"),
            ..TableView::default()
        }
    }
}

fn not_played<T>() -> Reply<T> {
    Err(Status::unimplemented("not played by this test"))
}

#[tonic::async_trait]
impl EngineService for Engine {
    type PlayStreamStream = Answers;

    async fn play_stream(&self, request: Request<Streaming<PlayStreamRequest>>) -> Reply<Answers> {
        let (engine, mut requests) = (self.clone(), request.into_inner());
        let (answers, receiver) = mpsc::channel(64);
        tokio::spawn(async move {
            while let Ok(Some(PlayStreamRequest { tag, request, .. })) = requests.message().await {
                let played = engine.play(&request.unwrap_or_default());
                let broken = played.is_err();
                let _ = engine.holding.subscribe().wait_for(|hold| !hold).await;
                let answer =
                    played.map(|made| PlayStreamResponse { tag, result: Some(Answered::Response(made)) });
                if answers.send(answer).await.is_err() || broken {
                    break;
                }
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }

    async fn get_table(&self, request: Request<GetTableRequest>) -> Reply<GetTableResponse> {
        let is_away = |left: u32| left.checked_sub(1);
        if self.away.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_away).is_ok() {
            return Err(Status::unavailable("away on purpose"));
        }
        Ok(Response::new(GetTableResponse { table: Some(self.view(&request.into_inner().account_id)) }))
    }

    async fn list_events(&self, request: Request<ListEventsRequest>) -> Reply<ListEventsResponse> {
        let since = request.into_inner().since_revision as usize;
        let events = self.journal.lock().unwrap().iter().skip(since).cloned().collect();
        Ok(Response::new(ListEventsResponse { events, resync: false }))
    }

    async fn get_heads(&self, request: Request<GetHeadsRequest>) -> Reply<GetHeadsResponse> {
        let head = self.journal.lock().unwrap().len() as u32;
        let revisions = request.into_inner().table_ids.iter().map(|_| head).collect();
        Ok(Response::new(GetHeadsResponse { revisions }))
    }

    async fn get_ends(&self, _: Request<GetEndsRequest>) -> Reply<GetEndsResponse> {
        Err(Status::unimplemented(""))
    }

    async fn list_tables(&self, request: Request<ListTablesRequest>) -> Reply<ListTablesResponse> {
        Ok(Response::new(ListTablesResponse { tables: vec![self.view(&request.into_inner().account_id)] }))
    }

    type StreamJournalStream =
        tokio_stream::Empty<Result<astragal_proto::engine::v1::StreamJournalResponse, Status>>;

    async fn stream_journal(
        &self,
        _: Request<astragal_proto::engine::v1::StreamJournalRequest>,
    ) -> Result<Response<Self::StreamJournalStream>, Status> {
        not_played()
    }

    type StreamStepsStream = tokio_stream::Empty<Result<astragal_proto::replay::v1::TimelinePart, Status>>;

    async fn stream_steps(
        &self,
        _: Request<astragal_proto::engine::v1::StreamStepsRequest>,
    ) -> Result<Response<Self::StreamStepsStream>, Status> {
        not_played()
    }

    async fn list_looks(
        &self,
        _: Request<astragal_proto::engine::v1::ListLooksRequest>,
    ) -> Result<Response<astragal_proto::engine::v1::ListLooksResponse>, Status> {
        not_played()
    }

    async fn find_tables(
        &self,
        _: Request<astragal_proto::engine::v1::FindTablesRequest>,
    ) -> Result<Response<astragal_proto::engine::v1::FindTablesResponse>, Status> {
        not_played()
    }

    async fn list_live_tables(&self, _: Request<ListLiveTablesRequest>) -> Reply<ListLiveTablesResponse> {
        Ok(Response::new(ListLiveTablesResponse { tables: vec![self.view("")] }))
    }

    async fn open_table(&self, _: Request<OpenTableRequest>) -> Reply<OpenTableResponse> {
        not_played()
    }

    async fn seat_player(&self, _: Request<SeatPlayerRequest>) -> Reply<SeatPlayerResponse> {
        not_played()
    }

    async fn cancel_table(&self, _: Request<CancelTableRequest>) -> Reply<CancelTableResponse> {
        not_played()
    }

    async fn play(&self, _: Request<PlayRequest>) -> Reply<PlayResponse> {
        not_played()
    }

    async fn get_finished_log(&self, _: Request<GetFinishedLogRequest>) -> Reply<GetFinishedLogResponse> {
        not_played()
    }

    async fn list_games(&self, _: Request<ListGamesRequest>) -> Reply<ListGamesResponse> {
        not_played()
    }
}
