//! Replay as a gRPC service: reads requests, and lets the parts answer them.

use crate::Parts;
use astragal_proto::replay::v1::replay_service_server::ReplayService;
use astragal_proto::replay::v1::{
    CertificateRequest, FilePiece, FinishedLogRequest, GcgRequest, StepRequest, StepResponse, TimelinePart,
    TimelineRequest, VerifyRequest, VerifyResponse,
};
use astragal_runtime::error::Problem;
use astragal_runtime::id::TableId;
use bytes::Bytes;
use std::sync::Arc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// The bytes of one piece of a file.
const PIECE_BYTES: usize = 256 << 10;

/// The service; cheap to clone.
#[derive(Clone)]
pub struct ReplayEdge(pub(crate) Arc<Parts>);

#[tonic::async_trait]
impl ReplayService for ReplayEdge {
    type TimelineStream = ReceiverStream<Result<TimelinePart, Status>>;

    async fn timeline(&self, request: Request<TimelineRequest>) -> Answer<Self::TimelineStream> {
        let request = request.into_inner();
        let table = TableId::parse("table_id", &request.table_id)?;
        Ok(Response::new(ReceiverStream::new(self.0.timeline(table, request).await?)))
    }

    async fn step(&self, request: Request<StepRequest>) -> Answer<StepResponse> {
        let StepRequest { table_id, number, looker } = request.into_inner();
        let table = TableId::parse("table_id", &table_id)?;
        let (head, step) = self.0.step(table, number, looker).await?;
        Ok(Response::new(StepResponse { head: Some(head), step: Some(step) }))
    }

    type FinishedLogStream = Pieces;

    async fn finished_log(&self, request: Request<FinishedLogRequest>) -> Answer<Pieces> {
        let table = TableId::parse("table_id", &request.get_ref().table_id)?;
        let game = self.0.finished(table).await?;
        let write = tokio::task::spawn_blocking(move || game.log.to_json());
        let text = write.await.map_err(|error| Problem::internal(&error))?;
        let text = text.map_err(|error| Problem::internal(&error))?;
        Ok(Response::new(pieces(text)))
    }

    type CertificateStream = Pieces;

    async fn certificate(&self, request: Request<CertificateRequest>) -> Answer<Pieces> {
        let CertificateRequest { table_id, draw } = request.into_inner();
        let table = TableId::parse("table_id", &table_id)?;
        Ok(Response::new(pieces(self.0.certificate(table, draw).await?)))
    }

    type GcgStream = Pieces;

    async fn gcg(&self, request: Request<GcgRequest>) -> Answer<Pieces> {
        let GcgRequest { table_id, names } = request.into_inner();
        let table = TableId::parse("table_id", &table_id)?;
        Ok(Response::new(pieces(self.0.gcg(table, names).await?)))
    }

    async fn verify(&self, request: Request<VerifyRequest>) -> Answer<VerifyResponse> {
        let VerifyRequest { text, commitment } = request.into_inner();
        let text = String::from_utf8(text.into());
        let text = text.map_err(|_| Problem::invalid_argument("text must be JSON text"))?;
        Ok(Response::new(Arc::clone(&self.0).verify(text, commitment).await?))
    }
}

/// A file piece by piece.
pub(crate) type Pieces = tokio_stream::Iter<std::vec::IntoIter<Result<FilePiece, Status>>>;

fn pieces(text: String) -> Pieces {
    let text = Bytes::from(text);
    let piece = |start| text.slice(start..text.len().min(start + PIECE_BYTES));
    let pieces = (0..text.len()).step_by(PIECE_BYTES).map(|start| Ok(FilePiece { text: piece(start) }));
    tokio_stream::iter(pieces.collect::<Vec<_>>())
}
