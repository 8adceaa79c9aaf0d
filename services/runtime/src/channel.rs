//! The connection from one role to another. Whether the other role lives in this process or in
//! another is decided once, where the channel is made; its callers hold the same client type.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tower::Service;
use tower::util::BoxCloneSyncService;

use crate::error::{Problem, Result};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);

type Cause = Box<dyn Error + Send + Sync>;

/// A transport for the generated clients; cheap to clone.
#[derive(Clone)]
pub struct RoleChannel(Inner);

#[derive(Clone)]
enum Inner {
    Local(BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>),
    Remote(Channel),
}

impl RoleChannel {
    /// Calls a service of this process, without a socket: a generated server, or the `Routes` of several.
    pub fn local<S>(server: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
        S: Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        Self(Inner::Local(BoxCloneSyncService::new(server)))
    }

    /// Calls the role that listens at `url`; connects at the first call, and anew when the connection breaks.
    pub fn remote(url: &str) -> Result<Self> {
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|_| {
            Problem::invalid_argument(format!("{url:?} is not an address; write http://HOST:PORT"))
        })?;
        let endpoint = endpoint
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
            .tcp_nodelay(true);
        Ok(Self(Inner::Remote(endpoint.connect_lazy())))
    }
}

impl fmt::Debug for RoleChannel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.0 {
            Inner::Local(_) => "RoleChannel::Local",
            Inner::Remote(_) => "RoleChannel::Remote",
        })
    }
}

impl Service<Request<Body>> for RoleChannel {
    type Response = Response<Body>;
    type Error = Cause;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Response<Body>, Cause>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), Cause>> {
        match &mut self.0 {
            Inner::Local(service) => service.poll_ready(context).map_err(Cause::from),
            Inner::Remote(channel) => Service::poll_ready(channel, context).map_err(Cause::from),
        }
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match &mut self.0 {
            Inner::Local(service) => {
                let answer = service.call(request);
                Box::pin(async move { answer.await.map_err(Cause::from) })
            }
            Inner::Remote(channel) => {
                let answer = Service::call(channel, request);
                Box::pin(async move { answer.await.map_err(Cause::from) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;

    #[tokio::test]
    async fn a_local_channel_answers_without_a_socket() {
        let (reporter, server) = tonic_health::server::health_reporter();
        reporter.set_service_status("tables", tonic_health::ServingStatus::Serving).await;
        let mut client = HealthClient::new(RoleChannel::local(server));

        let known = client.check(HealthCheckRequest { service: "tables".into() }).await;
        assert_eq!(known.map(|answer| answer.into_inner().status).ok(), Some(1));
        let unknown = client.check(HealthCheckRequest { service: "chairs".into() }).await;
        assert_eq!(unknown.map_err(|status| status.code()).err(), Some(tonic::Code::NotFound));
    }

    #[tokio::test]
    async fn a_remote_that_is_not_there_is_unavailable() {
        let channel = RoleChannel::remote("http://127.0.0.1:1").expect("an address");
        let answer = HealthClient::new(channel).check(HealthCheckRequest::default()).await;
        assert_eq!(answer.map_err(|status| Problem::from(status).code).err(), Some(Code::Unavailable));
    }

    #[tokio::test]
    async fn an_address_that_is_none_is_refused_with_what_to_write() {
        let problem = RoleChannel::remote("not an address").expect_err("no address");
        assert!(problem.message.contains("http://HOST:PORT"));
    }
}
