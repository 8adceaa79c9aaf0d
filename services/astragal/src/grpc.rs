//! The port at which other roles call: the services of a role behind the gate, with health, reflection
//! and bounds. It knows no service by name.

use crate::listen;
use anyhow::{Context, Result};
use astragal_proto::DESCRIPTORS;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::telemetry::calls::Calls;
use astragal_runtime::tls::ServerTls;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::pb::FILE_DESCRIPTOR_SET as HEALTH_DESCRIPTORS;
use tonic_reflection::server::Builder;

const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Calls of one connection that are under way; one more waits at the caller's side.
const STREAMS_MAX: u32 = 1_024;
/// No call of one answer takes longer; a caller may set a shorter time.
const CALL_MAX: Duration = Duration::from_secs(30);
const HEADER_BYTES_MAX: u32 = 16 * 1024;

/// Serves until it is told to stop, and until what runs by then is answered.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<ServerTls>,
    services: Routes,
    gate: Gate,
    calls: Calls,
    stop: CancellationToken,
) -> Result<()> {
    let described = || {
        Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTORS)
            .register_encoded_file_descriptor_set(HEALTH_DESCRIPTORS)
    };
    let why = "the description of the services can't be read";
    let services = services
        .add_service(described().build_v1().context(why)?)
        .add_service(described().build_v1alpha().context(why)?);
    let mut port = Server::builder();
    if let Some(tls) = tls {
        port = port.tls_config(tls.config()).context("the certificate or its key can't be used")?;
    }
    let served = port
        .http2_keepalive_interval(Some(KEEP_ALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEP_ALIVE_TIMEOUT))
        .http2_max_header_list_size(HEADER_BYTES_MAX)
        .max_concurrent_streams(STREAMS_MAX)
        .timeout(CALL_MAX)
        .layer(gate)
        .layer(calls)
        .add_routes(services)
        .serve_with_incoming_shutdown(listen::talkative(listener, stop.clone()), stop.cancelled_owned());
    served.await.context("the port of the role broke")
}

#[cfg(test)]
mod tests;
