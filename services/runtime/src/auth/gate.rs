//! The gate of a role's port: whoever calls shows a token of a role that may. Health alone is
//! answered to anybody. Parts of the system may call everything, a tournament system what is listed.
//! A refusal is about the caller, not about whoever the caller asks for, and says so.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use super::refusal::refusal;
use super::{Role, TokenVerifier};
use crate::clock::{Clock, Timestamp};

const HEALTH: &str = "/grpc.health.v1.Health/";
/// Tokens whose signature need not be checked again; when there are more, all are forgotten.
const KNOWN_MAX: usize = 256;

/// The layer; cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Inner>);

struct Inner {
    verifier: TokenVerifier,
    clock: Arc<dyn Clock>,
    /// What a tournament system may call: paths, or the beginnings of paths that end with a slash.
    tournaments: &'static [&'static str],
    /// Tokens of those who may, what their bearers are, and when they expire.
    known: Mutex<HashMap<String, (Role, Timestamp)>>,
}

impl Gate {
    /// Lets in whom `verifier` knows as a part of the system.
    pub fn new(verifier: TokenVerifier, clock: Arc<dyn Clock>) -> Self {
        Self::with_tournaments(verifier, clock, &[])
    }

    /// As [`Self::new`], and lets tournament systems call `paths`, each `/package.Service/Method`, or
    /// `/package.Service/` for all of a service.
    pub fn with_tournaments(
        verifier: TokenVerifier,
        clock: Arc<dyn Clock>,
        paths: &'static [&'static str],
    ) -> Self {
        Self(Arc::new(Inner { verifier, clock, tournaments: paths, known: Mutex::default() }))
    }

    /// What the caller is, if a token had to say so and it may call this.
    fn check(&self, path: &str, headers: &HeaderMap) -> Result<Option<Role>, Status> {
        if path.starts_with(HEALTH) {
            return Ok(None);
        }
        let unknown = |why: String| refusal(Code::Unauthenticated, &why);
        let token = token(headers).ok_or_else(|| {
            unknown(format!("`authorization: Bearer TOKEN` must come with the call; {}", self.admitted(path)))
        })?;
        let now = self.0.clock.now();
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((role, expires_at)) = known.get(token)
            && now < *expires_at
        {
            return self.admit(*role, path).map(Some);
        }
        let claims = self.0.verifier.read(token, now).map_err(|fault| unknown(fault.to_string()))?;
        let role = self.admit(claims.role, path)?;
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(token.to_owned(), (role, claims.expires_at));
        Ok(Some(role))
    }

    fn admit(&self, role: Role, path: &str) -> Result<Role, Status> {
        match role {
            Role::Service => Ok(role),
            Role::Tournament if self.is_for_tournaments(path) => Ok(role),
            _ => {
                let why = format!("a token of the role {role} does not do; {}", self.admitted(path));
                Err(refusal(Code::PermissionDenied, &why))
            }
        }
    }

    fn is_for_tournaments(&self, path: &str) -> bool {
        let listed =
            |allowed: &&str| path == *allowed || (allowed.ends_with('/') && path.starts_with(*allowed));
        self.0.tournaments.iter().any(listed)
    }

    /// Whose tokens do at `path`.
    fn admitted(&self, path: &str) -> &'static str {
        if self.is_for_tournaments(path) {
            "this is for tokens of the roles tournament and service, of `astragal token`"
        } else {
            "this is for tokens of the role service, of `astragal token`"
        }
    }
}

/// The token that came with a call. The name of its scheme may be written in any case.
fn token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(http::header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
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

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        match self.gate.check(request.uri().path(), request.headers()) {
            Ok(role) => {
                // A service that asks who calls finds it there. A call within one process has none.
                role.map(|role| request.extensions_mut().insert(role));
                Box::pin(self.service.call(request))
            }
            Err(refused) => {
                let answer = refused.into_http();
                Box::pin(async move { Ok(answer) })
            }
        }
    }
}

#[cfg(test)]
mod tests;
