//! Sockets that this process listens on. It knows nothing of what is served there.

use anyhow::{Context, Result};
use axum::Router;
use axum::serve::ListenerExt;
use std::io::Write;
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Takes the address, or says what to do.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.with_context(|| format!("can't listen on {address}; free it, or choose another with --listen"))
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
    let listener = listener.tap_io(|stream| {
        // Without it a move waits for the acknowledgement of the one before.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "can't switch delays off");
        }
    });
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let served = axum::serve(listener, service).with_graceful_shutdown(stop.cancelled_owned()).await;
    if let Err(error) = served {
        tracing::error!(%error, "serving ended");
    }
}
