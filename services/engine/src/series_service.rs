//! The series of tables as a gRPC service: how one ended, who plays elsewhere, and which games belong together.

use crate::service::TableService;
use crate::store::PlayedRow;
use crate::tables::store_problem;
use crate::wire;
use astragal_proto::engine::v1::series_service_server::SeriesService;
use astragal_proto::engine::v1::{
    GetEndingRequest, GetEndingResponse, GetPlayingRequest, GetPlayingResponse, GetSeriesRequest,
    GetSeriesResponse, PlayedTable,
};
use astragal_runtime::id::SeriesId;
use astragal_runtime::time_control::TimeControl;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl SeriesService for TableService {
    async fn get_ending(&self, request: Request<GetEndingRequest>) -> Answer<GetEndingResponse> {
        let request = request.into_inner();
        let (table, account) = (wire::table(&request.table_id)?, wire::viewer(&request.account_id)?);
        let ending = Some(self.tables.ending(table, account).await?);
        Ok(Response::new(GetEndingResponse { ending }))
    }

    async fn get_playing(&self, request: Request<GetPlayingRequest>) -> Answer<GetPlayingResponse> {
        let people = wire::people(&request.get_ref().account_ids)?;
        let played = self.tables.store.playing(&people).await.map_err(|error| store_problem(&error))?;
        let table = |PlayedRow { id, time_control }| PlayedTable {
            table_id: id.to_string(),
            time_control: time_control.map(TimeControl::to_wire),
        };
        Ok(Response::new(GetPlayingResponse { tables: played.into_iter().map(table).collect() }))
    }

    async fn get_series(&self, request: Request<GetSeriesRequest>) -> Answer<GetSeriesResponse> {
        let series = SeriesId::parse("series_id", &request.get_ref().series_id)?;
        let series = self.tables.series(series).await?.to_bytes();
        Ok(Response::new(GetSeriesResponse { series }))
    }
}
