//! A caller that is cut off without a word, on a clock that goes as fast as the test.

use super::{KEEP_ALIVE_INTERVAL, KEEP_ALIVE_TIMEOUT, serve};
use anyhow::{Context, Result, ensure};
use astragal_runtime::auth::TokenKey;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::telemetry::Telemetry;
use astragal_runtime::telemetry::calls::Calls;
use astragal_support::proxy::Proxy;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Sender, UnboundedSender, channel, unbounded_channel};
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Endpoint;
use tonic::{Request, Response, Status};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

type Said = Result<HealthCheckResponse, Status>;

/// Hands out its end of each stream, which shows when the other end is gone.
struct Watched(UnboundedSender<Sender<Said>>);

#[tonic::async_trait]
impl Health for Watched {
    type WatchStream = ReceiverStream<Said>;

    async fn check(&self, _: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        Ok(Response::new(HealthCheckResponse::default()))
    }

    async fn watch(&self, _: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let (end, stream) = channel(1);
        let _the_test_has_ended = self.0.send(end);
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}

/// O1: what a port holds for a caller that vanished is let go within the time of keep-alive.
#[tokio::test]
async fn o1_a_caller_that_was_cut_off_is_given_up_by_keep_alive() -> Result<()> {
    let (ends, mut streams) = unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let proxy = Proxy::to(listener.local_addr()?);
    let gate = Gate::new(TokenKey::generate(&OsEntropy)?.verifier(), Arc::new(SystemClock));
    let calls = Calls::of("engine", &Telemetry::default());
    let services = Routes::new(HealthServer::new(Watched(ends)));
    tokio::spawn(serve(listener, None, services, gate, calls, CancellationToken::new()));
    // The caller asks for no sign of life itself, so that it is the port that notices.
    let caller = Endpoint::from_shared(format!("http://{}", proxy.address()))?.connect().await?;
    let _stream = HealthClient::new(caller).watch(HealthCheckRequest::default()).await?;
    let end = streams.recv().await.context("nobody called")?;

    proxy.swallow();
    tokio::time::pause();
    let began = Instant::now();
    let noticed_max = KEEP_ALIVE_INTERVAL + KEEP_ALIVE_TIMEOUT + Duration::from_secs(1);
    tokio::time::timeout(10 * noticed_max, end.closed()).await.context("nobody noticed")?;
    ensure!(began.elapsed() <= noticed_max, "it took {:?}", began.elapsed());
    Ok(())
}
