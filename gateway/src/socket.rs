//! The WebSocket side: one task a socket, from the upgrade to the goodbye.

pub(crate) mod format;
mod hello;
mod operations;
pub(crate) mod outbox;
mod round_trip;
mod seen;
mod session;
mod wire;

use std::sync::atomic::{AtomicU64, Ordering};

use astragal_runtime::error::Problem;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request, State};
use axum::response::{IntoResponse, Response};
use prometheus_client::metrics::gauge::Gauge;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::format::{Format, SUBPROTOCOLS};
use self::outbox::Outbox;
use self::session::Session;
use self::wire::{Ending, Wire};
use crate::gateway::Gateway;
use crate::http::caller::Caller;
use crate::http::refusal::Refusal;

/// A read buffer of axum's default size, 128 KB, would be most of what an idle socket costs. A larger frame grows it.
const READ_BUFFER_BYTES: usize = 2 * 1024;
const WRITE_BUFFER_BYTES: usize = 4 * 1024;

/// All sockets of this gateway.
#[derive(Debug, Default)]
pub(crate) struct Sockets {
    last: AtomicU64,
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl Sockets {
    /// Asks all sockets to say goodbye, and takes no more.
    pub(crate) fn stop(&self) {
        self.stopping.cancel();
        self.tasks.close();
    }

    /// Whether the gateway is about to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Returns once [`Sockets::stop`] was called and every socket has gone.
    pub(crate) async fn gone(&self) {
        self.tasks.wait().await;
    }
}

/// `GET /v1/ws`.
pub(crate) async fn upgrade(State(gateway): State<Gateway>, request: Request) -> Response {
    let sockets = gateway.sockets();
    if sockets.is_stopping() || sockets.tasks.len() >= gateway.settings().sockets_max {
        return Refusal(Problem::unavailable("this gateway takes no connections now; try again"))
            .into_response();
    }
    let (mut parts, _) = request.into_parts();
    let Ok(Caller(address)) = Caller::from_request_parts(&mut parts, &gateway).await;
    if let Err(problem) = gateway.limits().socket(address) {
        return Refusal(problem).into_response();
    }
    let Ok(upgrade) = WebSocketUpgrade::from_request_parts(&mut parts, &()).await else {
        return Refusal(Problem::invalid_argument("this address wants a WebSocket handshake"))
            .into_response();
    };
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(gateway.settings().frame_bytes_max)
        .max_frame_size(gateway.settings().frame_bytes_max)
        .protocols(SUBPROTOCOLS);
    let token = sockets.tasks.token();
    let open = Open::count(&gateway.metrics().sockets);
    upgrade.on_upgrade(async move |socket| {
        Box::pin(serve(gateway, socket)).await;
        drop((token, open));
    })
}

/// A connection that counts as open until this is dropped.
struct Open(Gauge);

impl Open {
    fn count(sockets: &Gauge) -> Self {
        sockets.inc();
        Self(sockets.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Serves one socket until it ends. What happens once is boxed: a socket would keep room for it all its life.
async fn serve(gateway: Gateway, socket: WebSocket) {
    if let Some((mut session, hello)) = Box::pin(begin(gateway, socket)).await {
        let ending = Box::pin(session.run(&hello)).await;
        Box::pin(session.into_wire().end(ending)).await;
    }
}

/// Waits until a client has said who it is; ends a socket that does not say it. With the session comes the id of its
/// `hello`, which waits for the answer.
async fn begin(gateway: Gateway, socket: WebSocket) -> Option<(Box<Session>, String)> {
    let format = Format::of(socket.protocol());
    let number = gateway.sockets().last.fetch_add(1, Ordering::Relaxed);
    let (outbox, inbox) = Outbox::new(number, gateway.settings().queue_frames_max);
    let mut wire = Wire::new(socket, format, outbox, gateway.settings());
    let stopping = gateway.sockets().stopping.clone();
    let signed_in = tokio::select! {
        signed_in = tokio::time::timeout(gateway.settings().hello_timeout, hello::sign_in(&gateway, &mut wire)) => {
            signed_in.unwrap_or(Err(Ending::Close(1008, "no hello came in time")))
        }
        () = stopping.cancelled() => Err(Ending::Close(1001, "this gateway stops; come back in a moment")),
    };
    match signed_in {
        Ok(signed_in) => Some((Box::new(Session::new(gateway, wire, inbox, &signed_in)), signed_in.hello)),
        Err(ending) => {
            wire.end(ending).await;
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an async function of two arguments keeps while it waits.
    fn waiting_bytes<A, B, F: Future>(_: impl FnOnce(A, B) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn g6_a_socket_that_waits_is_small() {
        let bytes = waiting_bytes(serve) + size_of::<Session>() + waiting_bytes(Session::run);
        assert!(bytes <= 5_000, "a socket keeps {bytes} bytes, box what seldom happens");
    }
}
