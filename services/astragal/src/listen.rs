//! Sockets that this process listens on. It knows nothing of what is served there.

mod connection;

use anyhow::{Context, Result};
use axum::Router;
use std::io::{self, ErrorKind, Write};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How soon a connection asks for something, or it is closed.
pub(crate) const FIRST_REQUEST_MAX: Duration = Duration::from_secs(10);
/// HTTP/2 begins with so many bytes, and TLS with more.
const BEGINNING_BYTES: usize = 24;
const BEGINNING_PAUSE: Duration = Duration::from_millis(50);
/// Connections that a server has not taken over yet.
const TAKEN_MAX: usize = 16;
/// How long to wait when no connection can be taken. Those who call wait in the queue of the system meanwhile.
const REFUSAL_PAUSE: Duration = Duration::from_millis(200);
const REFUSAL_LOGGED_EVERY: Duration = Duration::from_secs(10);

/// Takes the address that was given with `flag`, or says what to do.
pub(crate) async fn bind(address: SocketAddr, flag: &str) -> Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.with_context(|| format!("can't listen on {address}; free it, or choose another with {flag}"))
}

/// Prints the address that clients use; whoever starts this process may wait for the line.
pub(crate) fn announce(listener: &TcpListener, encrypted: bool) -> Result<()> {
    let scheme = if encrypted { "https" } else { "http" };
    let address = listener.local_addr().context("can't tell the own address")?;
    let mut output = std::io::stdout().lock();
    // A closed standard output is no reason not to serve.
    let _ = writeln!(output, "astragal listens on {scheme}://{address}").and_then(|()| output.flush());
    Ok(())
}

/// Serves until it is told to stop, and until what runs by then is answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let connections = TaskTracker::new();
    let take = |stream, caller| {
        connections.spawn(connection::serve(stream, caller, router.clone(), stop.clone()));
    };
    accept(listener, &stop, take).await;
    connections.close();
    connections.wait().await;
}

/// Connections for a server that begins with what they say; one that says nothing never comes to it.
pub(crate) fn talkative(
    listener: TcpListener,
    stop: CancellationToken,
) -> ReceiverStream<io::Result<TcpStream>> {
    let (taken, incoming) = mpsc::channel(TAKEN_MAX);
    tokio::spawn(async move {
        let take = |stream: TcpStream, _| {
            let taken = taken.clone();
            tokio::spawn(async move {
                if let Ok(Ok(())) = tokio::time::timeout(FIRST_REQUEST_MAX, beginning(&stream)).await {
                    // Nobody listens any more when the process stops.
                    let _ = taken.send(Ok(stream)).await;
                }
            });
        };
        accept(listener, &stop, take).await;
    });
    ReceiverStream::new(incoming)
}

/// Returns once a connection has said as much as any does that means to go on.
async fn beginning(stream: &TcpStream) -> io::Result<()> {
    let mut bytes = [0; BEGINNING_BYTES];
    loop {
        match stream.peek(&mut bytes).await? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            BEGINNING_BYTES => return Ok(()),
            // Where some bytes are there, nothing tells of further ones.
            _ => tokio::time::sleep(BEGINNING_PAUSE).await,
        }
    }
}

/// Takes connections until it is told to stop. Whoever comes later is refused, and finds another process.
async fn accept(listener: TcpListener, stop: &CancellationToken, take: impl Fn(TcpStream, SocketAddr)) {
    let mut refusals = Refusals::default();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((stream, caller)) => {
                if let Err(error) = stream.set_nodelay(true) {
                    // Without it a move waits for the acknowledgement of the one before.
                    tracing::debug!(%error, "can't switch delays off");
                }
                take(stream, caller);
            }
            Err(error) => {
                stop.run_until_cancelled(refusals.wait(&error)).await;
            }
        }
    }
}

/// Connections that can't be taken, such as when this process has as many files open as it may.
#[derive(Default)]
struct Refusals {
    logged_at: Option<Instant>,
}

impl Refusals {
    /// Says so, but not for each, and waits until trying again makes sense.
    async fn wait(&mut self, error: &io::Error) {
        if matches!(
            error.kind(),
            ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
        ) {
            // The caller was gone before its turn came.
            return;
        }
        if self.logged_at.is_none_or(|at| at.elapsed() >= REFUSAL_LOGGED_EVERY) {
            self.logged_at = Some(Instant::now());
            tracing::error!(%error, "no connection can be taken; allow this process more open files, or start more of it");
        }
        tokio::time::sleep(REFUSAL_PAUSE).await;
    }
}

#[cfg(test)]
mod tests;
