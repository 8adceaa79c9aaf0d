//! The connection from one role to another. Whether the other role lives in this process or in
//! others is decided once, where the channel is made; its callers hold the same client type.
//!
//! A remote channel spreads its calls over the processes behind it, prefers one of them where the
//! caller has a key, and asks a second one when the first is not there.

mod address;
mod call;
mod credentials;
mod member;
mod members;
mod names;

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use tokio::sync::watch;
use tonic::body::Body;
use tower::Service;
use tower::util::BoxCloneSyncService;

use self::address::Address;
pub use self::credentials::Credentials;
pub use self::member::Member;
use self::members::Members;
use self::names::{Names, SystemNames};
use crate::error::{Code, Problem, Result};
use crate::telemetry::calls;

type Cause = Box<dyn Error + Send + Sync>;
type Answer = Pin<Box<dyn Future<Output = std::result::Result<Response<Body>, Cause>> + Send>>;
type LocalService = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// A transport for the generated clients; cheap to clone.
#[derive(Clone)]
pub struct RoleChannel(Inner);

#[derive(Clone)]
enum Inner {
    Local(LocalService),
    /// One process, for calls that stream: they are sent as they come, once, and have no deadline.
    Member(Arc<Member>),
    /// All processes of a role, for calls of one message.
    Remote {
        members: Members,
        key: Option<[u8; 16]>,
    },
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

    /// Calls the processes that listen at `urls`; a name may stand for several of them, and is asked
    /// for again from time to time. Connects at the first call, and anew when a connection breaks.
    /// Must be called inside a runtime.
    pub fn remote(urls: &[String], credentials: Credentials) -> Result<Self> {
        Self::remote_by(SystemNames, urls, credentials)
    }

    fn remote_by(names: impl Names, urls: &[String], credentials: Credentials) -> Result<Self> {
        let addresses = urls.iter().map(|url| url.parse()).collect::<Result<Vec<Address>>>()?;
        if addresses.is_empty() {
            return Err(Problem::invalid_argument("no address is given; write http://HOST:PORT"));
        }
        addresses.iter().try_for_each(|address| credentials.check(address))?;
        Ok(Self(Inner::Remote { members: Members::of(addresses, credentials, names), key: None }))
    }

    /// The same channel for calls about one thing, which one process is preferred for: the same one by
    /// everybody who calls.
    #[must_use]
    pub fn about(mut self, thing: uuid::Uuid) -> Self {
        if let Inner::Remote { key, .. } = &mut self.0 {
            *key = Some(thing.into_bytes());
        }
        self
    }

    /// The single processes behind this channel, now and whenever they change. For calls that stream.
    pub fn members(&self) -> watch::Receiver<Arc<[Arc<Member>]>> {
        match &self.0 {
            Inner::Remote { members, .. } => members.watch(),
            Inner::Member(member) => watch::channel(Arc::from([member.clone()])).1,
            Inner::Local(service) => watch::channel(Arc::from([Arc::new(Member::local(service.clone()))])).1,
        }
    }
}

impl fmt::Debug for RoleChannel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.0 {
            Inner::Local(_) => "RoleChannel::Local",
            Inner::Member(_) => "RoleChannel::Member",
            Inner::Remote { .. } => "RoleChannel::Remote",
        })
    }
}

impl Service<Request<Body>> for RoleChannel {
    type Response = Response<Body>;
    type Error = Cause;
    type Future = Answer;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), Cause>> {
        match &mut self.0 {
            Inner::Local(service) => service.poll_ready(context).map_err(Cause::from),
            Inner::Member(_) | Inner::Remote { .. } => Poll::Ready(Ok(())),
        }
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let span = calls::ask(&mut request);
        let answer = self.0.call(request);
        match span {
            Some(span) => Box::pin(span.run(answer, failure)),
            None => answer,
        }
    }
}

/// Why a call failed, if it did.
fn failure(answer: &std::result::Result<Response<Body>, Cause>) -> Option<Code> {
    match answer {
        Ok(response) => calls::failure(response.headers()),
        Err(cause) => Some(cause.downcast_ref().map_or(Code::Unavailable, Code::of_status)),
    }
}

impl Inner {
    fn call(&mut self, request: Request<Body>) -> Answer {
        match self {
            Self::Local(service) => {
                let answer = service.call(request);
                Box::pin(async move { answer.await.map_err(Cause::from) })
            }
            Self::Member(member) => {
                let member = Arc::clone(member);
                Box::pin(async move { member.send(request).await })
            }
            Self::Remote { members, key } => Box::pin(call::unary(members.clone(), *key, request)),
        }
    }
}

#[cfg(test)]
mod tests;
