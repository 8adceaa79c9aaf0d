//! The series of tables as a gRPC service: how one ended, and which games belong together.

use crate::service::TableService;
use crate::wire;
use astragal_proto::engine::v1::series_service_server::SeriesService;
use astragal_proto::engine::v1::{GetEndingRequest, GetEndingResponse, GetSeriesRequest, GetSeriesResponse};
use astragal_runtime::id::SeriesId;
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

    async fn get_series(&self, request: Request<GetSeriesRequest>) -> Answer<GetSeriesResponse> {
        let series = SeriesId::parse("series_id", &request.get_ref().series_id)?;
        let series = self.tables.series(series).await?.to_bytes();
        Ok(Response::new(GetSeriesResponse { series }))
    }
}
