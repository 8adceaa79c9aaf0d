//! The script and the style of the pages, as files of this program.

use astragal_runtime::error::Problem;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};

use crate::http::refusal::Refusal;

/// `GET /_gm/files/{name}`: there is nothing secret in them.
pub(super) async fn file(Path(name): Path<String>) -> Result<Response, Refusal> {
    let (kind, text) = match name.as_str() {
        "game.js" => ("text/javascript; charset=utf-8", include_str!("../../templates/gm/game.js")),
        "gm.css" => ("text/css; charset=utf-8", include_str!("../../templates/gm/gm.css")),
        _ => return Err(Problem::not_found("there is no such file").into()),
    };
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    Ok((headers, text).into_response())
}
