//! A problem as an HTTP answer.

use astragal_runtime::error::Problem;
use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;

/// A refusal with the status that fits and `{"code","message"}`.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) Problem);

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::json!({ "code": self.0.code.as_str(), "message": self.0.message });
        let mut response = (status, Json(body)).into_response();
        // For whoever counts and traces the answers.
        response.extensions_mut().insert(self.0.code);
        response
    }
}
