//! The engine as a gRPC service: reads requests, and lets the tables answer them.

use crate::review::Pieces;
use crate::store::{self, EndRow};
use crate::stream::{self, ANSWERS_MAX};
use crate::tables::{Tables, store_problem};
use crate::wire;
use astragal_proto::engine::v1::engine_service_server::EngineService;
use astragal_proto::engine::v1::{
    CancelTableRequest, CancelTableResponse, FindTablesRequest, FindTablesResponse, GetEndsRequest,
    GetEndsResponse, GetFinishedLogRequest, GetFinishedLogResponse, GetHeadsRequest, GetHeadsResponse,
    GetTableRequest, GetTableResponse, ListEventsRequest, ListEventsResponse, ListGamesRequest,
    ListGamesResponse, ListLiveTablesRequest, ListLiveTablesResponse, ListLooksRequest, ListLooksResponse,
    ListTablesRequest, ListTablesResponse, Look, OpenTableRequest, OpenTableResponse, PlayRequest,
    PlayResponse, PlayStreamRequest, PlayStreamResponse, SeatPlayerRequest, SeatPlayerResponse,
    StreamJournalRequest, StreamJournalResponse, StreamStepsRequest, TableEnd,
};
use astragal_proto::replay::v1::TimelinePart;
use astragal_runtime::error::Problem;
use astragal_runtime::telemetry::span;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::{Request, Response, Status, Streaming};

type Answer<T> = Result<Response<T>, Status>;

/// The service; cheap to clone.
#[derive(Clone)]
pub struct TableService {
    pub(crate) tables: Arc<Tables>,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

#[tonic::async_trait]
impl EngineService for TableService {
    async fn open_table(&self, request: Request<OpenTableRequest>) -> Answer<OpenTableResponse> {
        let opened = self.tables.open_table(wire::opening(request.into_inner())?).await?;
        Ok(Response::new(OpenTableResponse {
            commitment: opened.commitment,
            revision: opened.revision,
            version: opened.version,
        }))
    }

    async fn seat_player(&self, request: Request<SeatPlayerRequest>) -> Answer<SeatPlayerResponse> {
        let request = request.into_inner();
        let occupant = request.occupant.ok_or_else(|| Problem::invalid_argument("nobody is named to sit"))?;
        let (table, occupant) = (wire::table(&request.table_id)?, wire::occupant(&occupant)?);
        let revision = self.tables.seat_player(table, occupant).await?;
        Ok(Response::new(SeatPlayerResponse { revision }))
    }

    async fn cancel_table(&self, request: Request<CancelTableRequest>) -> Answer<CancelTableResponse> {
        let table = wire::table(&request.get_ref().table_id)?;
        let revision = self.tables.cancel_table(table).await?;
        Ok(Response::new(CancelTableResponse { revision }))
    }

    async fn play(&self, request: Request<PlayRequest>) -> Answer<PlayResponse> {
        let command = wire::command(request.into_inner(), self.tables.pulse.arrival())?;
        let tables = Arc::clone(&self.tables);
        // A task of its own: who asked may go away, what was begun is finished and told.
        let played = self.tasks.spawn(span::carried(async move { tables.play(command).await }));
        let revision = played.await.map_err(|error| Problem::internal(&error))??;
        Ok(Response::new(PlayResponse { revision }))
    }

    type PlayStreamStream = ReceiverStream<Result<PlayStreamResponse, Status>>;

    async fn play_stream(
        &self,
        request: Request<Streaming<PlayStreamRequest>>,
    ) -> Answer<Self::PlayStreamStream> {
        let (answers, answered) = mpsc::channel(ANSWERS_MAX);
        let (tables, stop) = (Arc::clone(&self.tables), self.stop.clone());
        self.tasks.spawn(stream::serve(tables, request.into_inner(), answers, stop));
        Ok(Response::new(ReceiverStream::new(answered)))
    }

    async fn get_table(&self, request: Request<GetTableRequest>) -> Answer<GetTableResponse> {
        let request = request.into_inner();
        let (table, viewer) = (wire::table(&request.table_id)?, wire::viewer(&request.account_id)?);
        let table = Some(self.tables.view(table, viewer).await?);
        Ok(Response::new(GetTableResponse { table }))
    }

    async fn list_events(&self, request: Request<ListEventsRequest>) -> Answer<ListEventsResponse> {
        let request = request.into_inner();
        let (table, viewer) = (wire::table(&request.table_id)?, wire::viewer(&request.account_id)?);
        let events = self.tables.events(table, viewer, request.since_revision).await?;
        let resync = events.is_none();
        Ok(Response::new(ListEventsResponse { events: events.unwrap_or_default(), resync }))
    }

    async fn get_heads(&self, request: Request<GetHeadsRequest>) -> Answer<GetHeadsResponse> {
        let tables = wire::tables(&request.get_ref().table_ids)?;
        let revisions = self.tables.store.heads(&tables).await.map_err(|error| store_problem(&error))?;
        Ok(Response::new(GetHeadsResponse { revisions }))
    }

    async fn get_ends(&self, request: Request<GetEndsRequest>) -> Answer<GetEndsResponse> {
        let tables = wire::tables(&request.get_ref().table_ids)?;
        let ends = self.tables.store.ends(&tables).await.map_err(|error| store_problem(&error))?;
        let end = |EndRow { id, reason, at }| TableEnd {
            table_id: id.to_string(),
            reason: reason.as_str().to_owned(),
            at: Some(at.into()),
        };
        Ok(Response::new(GetEndsResponse { ends: ends.into_iter().map(end).collect() }))
    }

    async fn list_tables(&self, request: Request<ListTablesRequest>) -> Answer<ListTablesResponse> {
        let tables = self.tables.views_of(wire::tables_of(request.get_ref())?).await?;
        Ok(Response::new(ListTablesResponse { tables }))
    }

    type StreamJournalStream = Pieces<StreamJournalResponse>;

    async fn stream_journal(
        &self,
        request: Request<StreamJournalRequest>,
    ) -> Answer<Self::StreamJournalStream> {
        let table = wire::table(&request.get_ref().table_id)?;
        Ok(Response::new(self.tables.journal(table).await?))
    }

    type StreamStepsStream = Pieces<TimelinePart>;

    async fn stream_steps(&self, request: Request<StreamStepsRequest>) -> Answer<Self::StreamStepsStream> {
        let request = request.into_inner();
        let table = wire::table(&request.table_id)?;
        Ok(Response::new(self.tables.steps(table, request).await?))
    }

    async fn list_looks(&self, request: Request<ListLooksRequest>) -> Answer<ListLooksResponse> {
        let looks = self.tables.looks(wire::table(&request.get_ref().table_id)?).await?;
        let look = |look: store::review::Look| Look {
            looker: look.looker,
            at: Some(look.at.into()),
            revision: look.revision,
        };
        Ok(Response::new(ListLooksResponse { looks: looks.into_iter().map(look).collect() }))
    }

    async fn find_tables(&self, request: Request<FindTablesRequest>) -> Answer<FindTablesResponse> {
        let tables = self.tables.find(wire::wanted(request.into_inner())?).await?;
        Ok(Response::new(FindTablesResponse { tables }))
    }

    async fn list_live_tables(
        &self,
        request: Request<ListLiveTablesRequest>,
    ) -> Answer<ListLiveTablesResponse> {
        let tables = self.tables.live_views(wire::live_tables(request.into_inner())?).await?;
        Ok(Response::new(ListLiveTablesResponse { tables }))
    }

    async fn get_finished_log(
        &self,
        request: Request<GetFinishedLogRequest>,
    ) -> Answer<GetFinishedLogResponse> {
        let table = wire::table(&request.get_ref().table_id)?;
        let log = self.tables.finished_log(table).await?.into();
        Ok(Response::new(GetFinishedLogResponse { log }))
    }

    async fn list_games(&self, _request: Request<ListGamesRequest>) -> Answer<ListGamesResponse> {
        let games = self.tables.registry.catalogue().map(|game| wire::description(&**game)).collect();
        Ok(Response::new(ListGamesResponse { games }))
    }
}
