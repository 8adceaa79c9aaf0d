//! `GET /metrics` on the operators' port: what this process has counted, for Prometheus to read.

use astragal_runtime::error::Problem;
use astragal_runtime::telemetry::metrics::{CONTENT_TYPE, Metrics};
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// The page, to be merged with the others of the port.
pub(crate) fn router(metrics: &Arc<Metrics>) -> Router {
    Router::new().route("/metrics", get(page)).with_state(metrics.clone())
}

async fn page(State(metrics): State<Arc<Metrics>>) -> Response {
    match metrics.page() {
        Ok(page) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], page).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, Problem::internal(&error).message).into_response(),
    }
}
