//! Plain HTTP: signing up, what can be asked about games and tables, and the way to the WebSocket.

mod accounts;
mod bearer;
pub(crate) mod caller;
mod games;
mod guests;
mod health;
mod page;
pub(crate) mod refusal;
pub(crate) mod replay;
mod series;
mod sessions;
mod signed_in;
mod tables;
mod watch;
mod web;

use std::time::Duration;

use astragal_runtime::error::{Code, Problem};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, delete, get, post};
use http::StatusCode;
use tower_http::timeout::TimeoutLayer;

use self::refusal::Refusal;
use crate::gateway::Gateway;
use crate::socket;

const BODY_BYTES_MAX: usize = 64 * 1024;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

impl Gateway {
    /// Everything that clients reach.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/", get(web::client))
            .route("/game/{id}", get(web::client))
            .route("/assets/{file}", get(web::asset))
            .route("/icon.svg", get(web::icon))
            .route("/protocol/{file}", get(page::protocol))
            .route("/v1/guests", post(guests::create))
            .route("/v1/games", get(games::list))
            .route("/v1/tables/{id}", get(tables::table))
            .route("/v1/tables/{id}/log", get(tables::log))
            .route("/v1/tables/{id}/draw", get(tables::draw))
            .route("/v1/me/tables", get(tables::mine))
            .route("/v1/accounts", post(accounts::create))
            .route("/v1/sessions", post(sessions::create).delete(sessions::end_all))
            .route("/v1/sessions/refresh", post(sessions::refresh))
            .route("/v1/me", delete(accounts::delete))
            .route("/v1/me/password", post(accounts::change_password))
            .route("/v1/tables", get(tables::live))
            .route("/v1/tables/{id}/certificate", get(replay::certificate))
            .route("/v1/tables/{id}/gcg", get(replay::gcg))
            .route("/v1/tables/{id}/timeline", get(replay::timeline))
            .route("/v1/tables/{id}/looks", get(replay::looks))
            .route("/v1/series/{id}", get(series::series))
            .merge(crate::gm::router())
            .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIMEOUT))
            .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
            .layer(from_fn_with_state(self.clone(), watch::watch))
            .route("/v1/ws", any(socket::upgrade))
            .fallback(unknown)
            .method_not_allowed_fallback(wrong_method)
            .with_state(self.clone())
    }

    /// What operators and orchestrators reach, on a port of its own.
    pub fn operators_router(&self) -> Router {
        Router::new()
            .route("/healthz", get(health::alive))
            .route("/readyz", get(health::ready))
            .with_state(self.clone())
    }
}

async fn unknown() -> Refusal {
    Refusal(Problem::not_found("there is nothing here; / says where the protocol is"))
}

async fn wrong_method() -> Response {
    let refusal = Refusal(Problem::new(Code::InvalidArgument, "this address does not take that method"));
    let mut response = refusal.into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}
