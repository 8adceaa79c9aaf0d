//! Serving a gateway on a TCP port.

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::gateway::Gateway;

impl Gateway {
    /// Serves clients on `listener` until `stop`; [`Gateway::run`] sees to those who are connected by then.
    pub async fn serve(&self, listener: TcpListener, stop: CancellationToken) -> std::io::Result<()> {
        let listener = listener.tap_io(|stream| {
            // A frame is small and awaited by somebody: it must not wait for the next one to fill a packet.
            if let Err(cause) = stream.set_nodelay(true) {
                tracing::debug!(%cause, "a client has gone before it was served");
            }
        });
        axum::serve(listener, self.router()).with_graceful_shutdown(stop.cancelled_owned()).await
    }
}
