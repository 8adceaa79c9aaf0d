//! Sockets that this process listens on. It knows nothing of what is served there.

mod connection;

use anyhow::{Context, Result};
use axum::Router;
use std::io::{self, ErrorKind, Write};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

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
    let mut refusals = Refusals::default();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((stream, caller)) => {
                connections.spawn(connection::serve(stream, caller, router.clone(), stop.clone()));
            }
            Err(error) => {
                stop.run_until_cancelled(refusals.wait(&error)).await;
            }
        }
    }
    // Who comes from now on is refused, and finds another process.
    drop(listener);
    connections.close();
    connections.wait().await;
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
