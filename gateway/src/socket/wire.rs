//! One WebSocket: frames in and out, the limits on both, and how it ends.

use std::num::NonZeroU32;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use astragal_proto::frame::Unreadable;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures::{SinkExt, StreamExt};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Error as WsError;

use super::format::{Format, Request};
use super::outbox::Outbox;
use super::round_trip::RoundTrip;
use crate::settings::GatewaySettings;

/// How long a client that has been hung up on may take to read so.
const LAST_WORD_MAX: Duration = Duration::from_secs(3);

/// Why a socket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The client has gone: there is nobody to say goodbye to.
    Gone,
    /// The client doesn't read as fast as it is written to. If it does read on, it is told so.
    Slow,
    /// We hang up, with a code of the WebSocket protocol and the reason.
    Close(u16, &'static str),
}

/// A frame of a client, or what can be said about one that can't be read.
pub(crate) type Incoming = Result<Request, Unreadable>;

/// One WebSocket with its format and its limits.
pub(crate) struct Wire {
    socket: WebSocket,
    pub(crate) format: Format,
    pub(crate) outbox: Outbox,
    pace: DefaultDirectRateLimiter,
    write_timeout: Duration,
    unflushed: bool,
    /// The client broke the protocol, so that nothing behind that can be read, not even its goodbye.
    unreadable: bool,
    round_trip: RoundTrip,
}

impl Wire {
    pub(crate) fn new(socket: WebSocket, format: Format, outbox: Outbox, settings: &GatewaySettings) -> Self {
        let per_second = NonZeroU32::new(settings.frames_per_second_max).unwrap_or(NonZeroU32::MIN);
        let burst = per_second.saturating_mul(NonZeroU32::MIN.saturating_add(1));
        Self {
            socket,
            format,
            outbox,
            pace: RateLimiter::direct(Quota::per_second(per_second).allow_burst(burst)),
            write_timeout: settings.write_timeout,
            unflushed: false,
            unreadable: false,
            round_trip: RoundTrip::default(),
        }
    }

    /// The next frame of the client; nothing for a mere sign of life. May be dropped while it waits, without losing a frame.
    pub(crate) async fn read(&mut self) -> Result<Option<Incoming>, Ending> {
        let message = match self.socket.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => {
                let ending = broken(error);
                self.unreadable = ending != Ending::Gone;
                return Err(ending);
            }
            None => return Err(Ending::Gone),
        };
        if self.pace.check().is_err() {
            return Err(Ending::Close(1008, "too many frames; stay below framesPerSecondMax"));
        }
        match message {
            Message::Ping(_) => Ok(None),
            Message::Pong(payload) => {
                self.round_trip.pong(&payload, Instant::now());
                Ok(None)
            }
            Message::Close(_) => Err(Ending::Gone),
            message => match self.format.read(&message) {
                Some(frame) => Ok(Some(frame)),
                None => Err(Ending::Close(1003, "this subprotocol has no frames of that kind")),
            },
        }
    }

    /// Asks for a sign of life, by which the way to the client and back is measured.
    pub(crate) async fn ping(&mut self) -> Result<(), Ending> {
        let ping = Message::Ping(self.round_trip.ping(Instant::now()));
        self.feed(ping).await
    }

    /// The way to the client and back in milliseconds; 0 while it was not measured.
    pub(crate) fn round_trip_ms(&self) -> u32 {
        self.round_trip.ms()
    }

    /// Writes a message into the buffer; [`Wire::flush`] sends it.
    pub(crate) async fn feed(&mut self, message: Message) -> Result<(), Ending> {
        self.unflushed = true;
        let fed = self.socket.feed(message);
        patiently(self.write_timeout, &self.outbox, fed).await
    }

    /// Sends whatever is in the buffer.
    pub(crate) async fn flush(&mut self) -> Result<(), Ending> {
        if !std::mem::take(&mut self.unflushed) {
            return Ok(());
        }
        let flushed = self.socket.flush();
        patiently(self.write_timeout, &self.outbox, flushed).await
    }

    /// Ends the socket.
    pub(crate) async fn end(mut self, ending: Ending) {
        let (code, reason) = match ending {
            Ending::Gone => return,
            Ending::Slow => (1008, "frames were not read in time; connect again and read faster"),
            Ending::Close(code, reason) => (code, reason),
        };
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let patience = if ending == Ending::Slow { LAST_WORD_MAX } else { self.write_timeout };
        if let Ok(Ok(())) = tokio::time::timeout(patience, self.socket.send(close)).await {
            self.await_goodbye().await;
        }
    }

    /// Reads on until the client has closed its side too: dropping a socket with unread data loses our close frame.
    async fn await_goodbye(&mut self) {
        let goodbye = async {
            while let Some(Ok(_)) = self.socket.next().await {}
            if self.unreadable {
                std::future::pending::<()>().await;
            }
        };
        // A client that goes on talking instead is cut off.
        let _cut_off = tokio::time::timeout(LAST_WORD_MAX, goodbye).await;
    }
}

/// Waits for a write, but not for a client that has stopped reading.
async fn patiently(
    timeout: Duration,
    outbox: &Outbox,
    write: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), Ending> {
    let mut write = pin!(write);
    // Almost every write is done at once, and then needs no timer.
    if let Poll::Ready(written) = futures::poll!(&mut write) {
        return written.map_err(|_| Ending::Gone);
    }
    tokio::select! {
        biased;
        written = tokio::time::timeout(timeout, write) => match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Ending::Gone),
        },
        () = outbox.overflowed() => Err(Ending::Slow),
    }
}

fn broken(error: axum::Error) -> Ending {
    match error.into_inner().downcast_ref::<WsError>() {
        Some(WsError::Capacity(_)) => Ending::Close(1009, "the frame is too large; stay below frameBytesMax"),
        Some(WsError::Utf8(_)) => Ending::Close(1007, "the text is not UTF-8"),
        Some(WsError::Protocol(_)) => Ending::Close(1002, "this is not the WebSocket protocol"),
        _ => Ending::Gone,
    }
}
