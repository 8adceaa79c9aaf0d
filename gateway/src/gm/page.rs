//! A page as an answer: what browsers may do with it, and what is said instead of one.

use askama::Template;
use astragal_runtime::error::{Code, Problem};
use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};

/// Scripts and styles are files of these pages' own, nothing is written into them, and nobody may frame them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// An answer of these pages.
pub(super) type Answer = Result<Response, Failure>;

/// A page, made.
pub(super) fn page(template: &impl Template) -> Answer {
    let text = template.render().map_err(|error| Problem::internal(&error))?;
    Ok(guarded(Html(text).into_response()))
}

/// Adds what holds for every page. Without a referrer to one's own site browsers would not say from where a
/// form comes.
fn guarded(mut response: Response) -> Response {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A page that says why there is none.
pub(super) struct Failure(Problem);

#[derive(Template)]
#[template(path = "gm/failure.html")]
struct FailurePage<'p> {
    code: &'p str,
    message: &'p str,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Problem { code, message } = &self.0;
        let status = StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let text = FailurePage { code: code.as_str(), message }.render().unwrap_or_default();
        guarded((status, Html(text)).into_response())
    }
}

/// There is no such thing.
pub(super) fn nothing(what: &str) -> Failure {
    Failure(Problem::new(Code::NotFound, format!("there is no such {what}")))
}
