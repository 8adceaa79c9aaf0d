//! The page that stands in for the web client where that was not built, and the protocol's own files.

use astragal_proto::CLIENT_PROTOCOL;
use astragal_runtime::error::Problem;
use axum::extract::Path;
use axum::response::{Html, IntoResponse, Response};
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};

use super::refusal::Refusal;

const INDEX: &str = include_str!("page/index.html");

/// Says what runs here, and how to build the client.
pub(super) fn index() -> Response {
    let headers = [
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, Html(INDEX)).into_response()
}

/// `GET /protocol/{file}`.
pub(super) async fn protocol(Path(file): Path<String>) -> Result<Response, Refusal> {
    match CLIENT_PROTOCOL.iter().find(|(name, _)| *name == file) {
        Some((_, text)) => Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], *text).into_response()),
        None => Err(Problem::not_found("the protocol has no such file").into()),
    }
}
