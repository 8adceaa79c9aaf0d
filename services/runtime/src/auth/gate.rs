//! The gate of a role's port: whoever calls shows a token of a role that may. Health alone is
//! answered to anybody.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::{Role, TokenVerifier};
use crate::clock::{Clock, Timestamp};
use crate::error::{Problem, Result};

const HEALTH: &str = "/grpc.health.v1.Health/";
/// Tokens whose signature need not be checked again; when there are more, all are forgotten.
const KNOWN_MAX: usize = 256;

/// The layer; cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Inner>);

struct Inner {
    verifier: TokenVerifier,
    clock: Arc<dyn Clock>,
    /// Tokens of those who may, and when they expire.
    known: Mutex<HashMap<String, Timestamp>>,
}

impl Gate {
    /// Lets in whom `verifier` knows as a part of the system.
    pub fn new(verifier: TokenVerifier, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner { verifier, clock, known: Mutex::default() }))
    }

    fn check(&self, path: &str, headers: &HeaderMap) -> Result<()> {
        if path.starts_with(HEALTH) {
            return Ok(());
        }
        let token = headers
            .get(http::header::AUTHORIZATION)
            .and_then(|header| header.to_str().ok()?.strip_prefix("Bearer "))
            .ok_or_else(|| Problem::unauthenticated("a token of the role service must come with the call"))?;
        let now = self.0.clock.now();
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.get(token).is_some_and(|expires_at| now < *expires_at) {
            return Ok(());
        }
        let claims = self.0.verifier.verify(token, now)?;
        if claims.role != Role::Service {
            return Err(Problem::permission_denied("only parts of the system may call this"));
        }
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(token.to_owned(), claims.expires_at);
        Ok(())
    }
}

impl<S> Layer<S> for Gate {
    type Service = Gated<S>;

    fn layer(&self, service: S) -> Gated<S> {
        Gated { service, gate: self.clone() }
    }
}

/// A service behind the gate.
#[derive(Clone)]
pub struct Gated<S> {
    service: S,
    gate: Gate,
}

impl<S, B> Service<Request<B>> for Gated<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match self.gate.check(request.uri().path(), request.headers()) {
            Ok(()) => Box::pin(self.service.call(request)),
            Err(problem) => {
                let refusal = Status::from(problem).into_http();
                Box::pin(async move { Ok(refusal) })
            }
        }
    }
}
