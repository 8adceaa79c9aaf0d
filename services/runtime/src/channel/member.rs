//! One process of a role: its address, and the connection to it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use http::{Request, Response};
use sha2::{Digest, Sha256};
use tokio::time::Instant;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tower::ServiceExt;

use super::address::Address;
use super::credentials::Credentials;
use super::{Cause, Inner, LocalService, RoleChannel};
use crate::auth::bearer::Bearer;
use crate::error::{Chain, Problem};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How often a connection is asked whether it lives, and how long it may take to say so.
pub(super) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);
pub(super) const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a process that was not there is asked after all others.
const REST: Duration = Duration::from_secs(1);
/// The same for one that is there and does not answer; asking it costs more.
const SILENT_REST: Duration = Duration::from_secs(5);

/// One process of a role.
pub struct Member {
    name: String,
    transport: Transport,
    born: Instant,
    /// Until when it is asked last, in milliseconds since it was born.
    rests_until_ms: AtomicU64,
    /// Whether the log knows that it can't be called.
    is_missed: AtomicBool,
}

enum Transport {
    Local(LocalService),
    Remote { channel: Channel, bearer: Option<Bearer> },
}

impl Member {
    pub(super) fn local(service: LocalService) -> Self {
        Self::new("this process".to_owned(), Transport::Local(service))
    }

    pub(super) fn remote(
        socket: SocketAddr,
        address: &Address,
        credentials: &Credentials,
    ) -> Result<Self, tonic::transport::Error> {
        let tls = credentials.tls.as_ref().filter(|_| address.encrypted);
        let scheme = if tls.is_some() { "https" } else { "http" };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{socket}"))?
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
            .keep_alive_timeout(KEEP_ALIVE_TIMEOUT)
            .keep_alive_while_idle(true)
            .tcp_nodelay(true);
        if let Some(tls) = tls {
            endpoint = endpoint.tls_config(tls.config(&address.host))?;
        }
        let (channel, bearer) = (endpoint.connect_lazy(), credentials.bearer.clone());
        Ok(Self::new(socket.to_string(), Transport::Remote { channel, bearer }))
    }

    fn new(name: String, transport: Transport) -> Self {
        Self {
            name,
            transport,
            born: Instant::now(),
            rests_until_ms: AtomicU64::new(0),
            is_missed: AtomicBool::new(false),
        }
    }

    /// Its address.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A channel to this process alone, for calls that stream.
    pub fn channel(self: &std::sync::Arc<Self>) -> RoleChannel {
        RoleChannel(match &self.transport {
            Transport::Local(service) => Inner::Local(service.clone()),
            Transport::Remote { .. } => Inner::Member(self.clone()),
        })
    }

    /// How much this process is preferred for what has the key: the highest weight of all members wins,
    /// so that a member that comes or goes moves only its own share.
    pub fn weight(&self, key: &[u8; 16]) -> u64 {
        let digest = Sha256::new().chain_update(key).chain_update(&self.name).finalize();
        digest.iter().take(8).fold(0, |weight, byte| weight << 8 | u64::from(*byte))
    }

    pub(super) fn rests(&self) -> bool {
        self.age_ms() < self.rests_until_ms.load(Ordering::Relaxed)
    }

    /// Says that it was not there, so that others are asked first for a moment.
    pub(super) fn is_away(&self) {
        self.rest(REST);
    }

    /// Says that it kept silent, so that others are asked first for a while.
    pub(super) fn is_silent(&self) {
        self.rest(SILENT_REST);
    }

    fn rest(&self, span: Duration) {
        self.rests_until_ms.store(self.age_ms() + span.as_millis() as u64, Ordering::Relaxed);
    }

    fn age_ms(&self) -> u64 {
        self.born.elapsed().as_millis() as u64
    }

    pub(super) async fn send(&self, mut request: Request<Body>) -> Result<Response<Body>, Cause> {
        match &self.transport {
            Transport::Local(service) => Ok(service.clone().oneshot(request).await?),
            Transport::Remote { channel, bearer } => {
                if let Some(bearer) = bearer {
                    request.headers_mut().insert(http::header::AUTHORIZATION, bearer.header()?);
                }
                let answer = channel.clone().oneshot(request).await;
                self.note(answer.as_ref().err());
                // Whatever it is that fails on the way, the log has it; for the caller nobody is there.
                let away = || Problem::unavailable("a part of the system can't be reached; try again");
                answer.map_err(|_| Status::from(away()).into())
            }
        }
    }

    /// Logs that it can't be called, once until it can.
    fn note(&self, failure: Option<&tonic::transport::Error>) {
        let was_missed = self.is_missed.swap(failure.is_some(), Ordering::Relaxed);
        if let Some(failure) = failure
            && !was_missed
        {
            tracing::warn!(
                member = self.name(),
                error = %Chain(failure),
                "a process can't be called; if it runs, compare http:// or https:// and the certificates on both sides"
            );
        }
    }
}
