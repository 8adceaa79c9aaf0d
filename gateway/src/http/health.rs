//! Whether this process lives, and whether it takes clients.

use axum::extract::State;
use http::StatusCode;

use crate::gateway::Gateway;

/// `GET /healthz`.
pub(super) async fn alive() -> &'static str {
    "alive\n"
}

/// `GET /readyz`.
pub(super) async fn ready(State(gateway): State<Gateway>) -> (StatusCode, &'static str) {
    if gateway.sockets().is_stopping() {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
    } else if !gateway.play().is_connected() {
        (StatusCode::SERVICE_UNAVAILABLE, "no way to the engine\n")
    } else if gateway.roles().is_shut_out().await {
        (StatusCode::SERVICE_UNAVAILABLE, "the token of this process does not count\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}
