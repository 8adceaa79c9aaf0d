//! Plain HTTP as operators see it: each request is the beginning of a trace, and is counted by the pattern of
//! its address, which holds nobody's id.

use astragal_runtime::error::Code;
use astragal_runtime::telemetry::span::Note;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;

use crate::gateway::Gateway;

/// Around every answer.
pub(super) async fn watch(
    State(gateway): State<Gateway>,
    route: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let mut span = gateway.tracer().serve(format!("{} {}", request.method(), route.as_str()), None);
    span.note("http.route", || Note::Word(route.as_str().to_owned().into()));
    let response = span.run(next.run(request), failure).await;
    let status = response.status().as_u16();
    gateway.metrics().answered(route.as_str(), status, failure(&response), began.elapsed());
    response
}

/// The code that a refusal leaves with its answer.
fn failure(response: &Response) -> Option<Code> {
    response.extensions().get().copied()
}
