//! An engine that opens no tables but writes down what it is told, and fails when it is asked to.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use astragal_proto::engine::v1::engine_service_server::EngineService;
use astragal_proto::engine::v1::{
    CancelTableRequest, CancelTableResponse, GetEndsRequest, GetEndsResponse, GetFinishedLogRequest,
    GetFinishedLogResponse, GetHeadsRequest, GetHeadsResponse, GetTableRequest, GetTableResponse,
    ListEventsRequest, ListEventsResponse, ListGamesRequest, ListGamesResponse, ListLiveTablesRequest,
    ListLiveTablesResponse, ListTablesRequest, ListTablesResponse, Occupant, OpenTableRequest,
    OpenTableResponse, Outcome, PlayRequest, PlayResponse, PlayStreamRequest, PlayStreamResponse,
    SeatPlayerRequest, SeatPlayerResponse, TableEnd, TableEvent, TableView,
};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Code, Problem};
use tonic::{Request, Response, Status, Streaming};

/// How a call goes wrong.
#[derive(Clone)]
pub(crate) enum Fault {
    /// It never arrives.
    Before(Problem),
    /// It is done, but the answer is lost.
    After(Problem),
}

#[derive(Clone, Default)]
pub(crate) struct NotingEngine(Arc<Mutex<Notes>>);

#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) tables: BTreeMap<String, NotedTable>,
    /// Every call that arrived, as the method's name.
    pub(crate) calls: Vec<&'static str>,
    /// What goes wrong with the next calls.
    pub(crate) faults: VecDeque<Fault>,
    /// Nobody is told how tables ended.
    pub(crate) keeps_ends: bool,
}

#[derive(Clone)]
pub(crate) struct NotedTable {
    pub(crate) opened: OpenTableRequest,
    pub(crate) occupants: BTreeMap<u32, Occupant>,
    /// Seats taken after the opening, in their order.
    pub(crate) seated: Vec<u32>,
    pub(crate) cancelled: bool,
    /// Why and when it ended.
    pub(crate) end: Option<(&'static str, Timestamp)>,
}

impl NotingEngine {
    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().expect("the notes")
    }

    pub(crate) fn table(&self, id: &str) -> NotedTable {
        self.notes().tables.get(id).cloned().unwrap_or_else(|| panic!("no table {id}"))
    }

    /// Lets a table end.
    pub(crate) fn end(&self, id: &str, reason: &'static str, at: Timestamp) {
        self.notes().tables.get_mut(id).unwrap_or_else(|| panic!("no table {id}")).end = Some((reason, at));
    }

    pub(crate) fn fail_next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.notes().faults.extend(faults);
    }

    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.notes().calls.clone()
    }

    fn note<T>(
        &self,
        call: &'static str,
        change: impl FnOnce(&mut Notes) -> Result<T, Problem>,
    ) -> Result<Response<T>, Status> {
        let mut notes = self.notes();
        let fault = notes.faults.pop_front();
        if let Some(Fault::Before(problem)) = fault {
            return Err(problem.into());
        }
        notes.calls.push(call);
        let answer = change(&mut notes)?;
        match fault {
            Some(Fault::After(problem)) => Err(problem.into()),
            _ => Ok(Response::new(answer)),
        }
    }
}

fn unknown() -> Problem {
    Problem::not_found("no such table")
}

#[tonic::async_trait]
impl EngineService for NotingEngine {
    async fn open_table(
        &self,
        request: Request<OpenTableRequest>,
    ) -> Result<Response<OpenTableResponse>, Status> {
        let opened = request.into_inner();
        self.note("open", |notes| {
            notes.tables.entry(opened.table_id.clone()).or_insert_with(|| NotedTable {
                occupants: opened.occupants.iter().map(|taken| (taken.seat, taken.clone())).collect(),
                opened: opened.clone(),
                seated: Vec::new(),
                cancelled: false,
                end: None,
            });
            Ok(OpenTableResponse { version: opened.version, ..OpenTableResponse::default() })
        })
    }

    async fn seat_player(
        &self,
        request: Request<SeatPlayerRequest>,
    ) -> Result<Response<SeatPlayerResponse>, Status> {
        let SeatPlayerRequest { table_id, occupant } = request.into_inner();
        let occupant = occupant.ok_or_else(|| Problem::invalid_argument("nobody to seat"))?;
        self.note("seat", |notes| {
            let table = notes.tables.get_mut(&table_id).ok_or_else(unknown)?;
            if table.cancelled {
                return Err(Problem::new(Code::GameOver, "the table is cancelled"));
            }
            match table.occupants.get(&occupant.seat) {
                Some(there) if *there == occupant => {}
                Some(_) => return Err(Problem::new(Code::SeatTaken, "somebody else sits there")),
                None => {
                    table.seated.push(occupant.seat);
                    table.occupants.insert(occupant.seat, occupant);
                }
            }
            Ok(SeatPlayerResponse::default())
        })
    }

    async fn cancel_table(
        &self,
        request: Request<CancelTableRequest>,
    ) -> Result<Response<CancelTableResponse>, Status> {
        let table_id = request.into_inner().table_id;
        self.note("cancel", |notes| {
            notes.tables.get_mut(&table_id).ok_or_else(unknown)?.cancelled = true;
            Ok(CancelTableResponse::default())
        })
    }

    type PlayStreamStream = tokio_stream::Empty<Result<PlayStreamResponse, Status>>;

    async fn play_stream(
        &self,
        _: Request<Streaming<PlayStreamRequest>>,
    ) -> Result<Response<Self::PlayStreamStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn play(&self, _: Request<PlayRequest>) -> Result<Response<PlayResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_table(
        &self,
        request: Request<GetTableRequest>,
    ) -> Result<Response<GetTableResponse>, Status> {
        let table_id = request.into_inner().table_id;
        let table = self.notes().tables.get(&table_id).cloned().ok_or_else(unknown)?;
        let phase = if table.end.is_some() { "over" } else { "playing" };
        let outcome = table.end.map(|(reason, _)| Outcome { reason: reason.into(), ..Outcome::default() });
        let occupants = table.occupants.into_values().collect();
        let view = TableView { table_id, occupants, phase: phase.into(), outcome, ..TableView::default() };
        Ok(Response::new(GetTableResponse { table: Some(TableView { revision: 7, ..view }) }))
    }

    async fn list_events(
        &self,
        request: Request<ListEventsRequest>,
    ) -> Result<Response<ListEventsResponse>, Status> {
        let ListEventsRequest { table_id, since_revision, .. } = request.into_inner();
        let table = self.notes().tables.get(&table_id).cloned().ok_or_else(unknown)?;
        let ended = table.end.filter(|_| since_revision < 7);
        let event = |(_, at): (_, Timestamp)| TableEvent {
            revision: 7,
            at: Some(at.into()),
            ..TableEvent::default()
        };
        Ok(Response::new(ListEventsResponse {
            events: ended.map(event).into_iter().collect(),
            resync: false,
        }))
    }

    async fn get_heads(&self, _: Request<GetHeadsRequest>) -> Result<Response<GetHeadsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_ends(&self, request: Request<GetEndsRequest>) -> Result<Response<GetEndsResponse>, Status> {
        let asked = request.into_inner().table_ids;
        let notes = self.notes();
        if notes.keeps_ends {
            return Err(Problem::unavailable("not now").into());
        }
        let end = |table_id: String| {
            let (reason, at) = notes.tables.get(&table_id)?.end?;
            Some(TableEnd { table_id, reason: reason.to_owned(), at: Some(at.into()) })
        };
        Ok(Response::new(GetEndsResponse { ends: asked.into_iter().filter_map(end).collect() }))
    }

    type StreamJournalStream =
        tokio_stream::Empty<Result<astragal_proto::engine::v1::StreamJournalResponse, Status>>;

    async fn stream_journal(
        &self,
        _: Request<astragal_proto::engine::v1::StreamJournalRequest>,
    ) -> Result<Response<Self::StreamJournalStream>, Status> {
        Err(Status::unimplemented(""))
    }

    type StreamStepsStream = tokio_stream::Empty<Result<astragal_proto::replay::v1::TimelinePart, Status>>;

    async fn stream_steps(
        &self,
        _: Request<astragal_proto::engine::v1::StreamStepsRequest>,
    ) -> Result<Response<Self::StreamStepsStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn list_looks(
        &self,
        _: Request<astragal_proto::engine::v1::ListLooksRequest>,
    ) -> Result<Response<astragal_proto::engine::v1::ListLooksResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn find_tables(
        &self,
        _: Request<astragal_proto::engine::v1::FindTablesRequest>,
    ) -> Result<Response<astragal_proto::engine::v1::FindTablesResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn list_live_tables(
        &self,
        _: Request<ListLiveTablesRequest>,
    ) -> Result<Response<ListLiveTablesResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn list_tables(
        &self,
        _: Request<ListTablesRequest>,
    ) -> Result<Response<ListTablesResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_finished_log(
        &self,
        _: Request<GetFinishedLogRequest>,
    ) -> Result<Response<GetFinishedLogResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn list_games(&self, _: Request<ListGamesRequest>) -> Result<Response<ListGamesResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}
