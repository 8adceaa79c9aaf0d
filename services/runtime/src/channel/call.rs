//! A call of one message and one answer: within a deadline that travels with it, and asked of a
//! second process when the first is not there, or beside it when the first keeps silent. All calls between roles
//! may be sent twice: those that change something carry an id by which a repetition is known. The one exception is
//! a new guest, who may be made twice; nobody has the token of the first.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::{Code, Status};

use super::Cause;
use super::member::Member;
use super::members::Members;

/// How long a call may take altogether, unless its caller says otherwise.
const DEADLINE: Duration = Duration::from_secs(10);
/// How long a process may keep silent until a second one is asked beside it. A process that hangs, or a machine that
/// was cut off, is known by nothing else until keep-alive gives its connection up.
const SILENT_AFTER: Duration = Duration::from_secs(2);
const TIMEOUT_HEADER: &str = "grpc-timeout";
const STATUS_HEADER: &str = "grpc-status";

type Answer = Result<Response<Body>, Cause>;

/// Sends `request` to whoever is preferred for `key`, or to anybody.
pub(super) async fn unary(members: Members, key: Option<[u8; 16]>, request: Request<Body>) -> Answer {
    let deadline = Instant::now() + DEADLINE;
    match tokio::time::timeout_at(deadline, send(members, key, request, deadline)).await {
        Ok(answer) => answer,
        Err(_) => Err(Status::deadline_exceeded("a part of the system does not answer in time").into()),
    }
}

async fn send(members: Members, key: Option<[u8; 16]>, request: Request<Body>, deadline: Instant) -> Answer {
    let (parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let call = Call { has_own_timeout: parts.headers.contains_key(TIMEOUT_HEADER), parts, body, deadline };
    let ranked = members.ranked(key.as_ref()).await?;
    let Some(first) = ranked.first() else {
        let nobody = "nothing is found under the name of this part of the system";
        return Err(Status::unavailable(nobody).into());
    };
    let Some(second) = ranked.get(1) else {
        // A process that is alone is asked again itself: the connection may have been about to close.
        return match call.ask(first).await {
            answer if is_unavailable(&answer) => call.ask(first).await,
            answer => answer,
        };
    };
    let mut asked = pin!(call.ask(first));
    tokio::select! {
        answer = &mut asked => {
            if !is_unavailable(&answer) {
                return answer;
            }
            tracing::debug!(member = first.name(), "a process is not there; the next one is asked");
            return call.ask(second).await;
        }
        () = tokio::time::sleep(SILENT_AFTER) => {}
    }
    tracing::debug!(member = first.name(), "a process keeps silent; the next one is asked beside it");
    let mut asked_beside = pin!(call.ask(second));
    tokio::select! {
        answer = &mut asked => if is_unavailable(&answer) { asked_beside.await } else { answer },
        answer = &mut asked_beside => {
            if is_unavailable(&answer) {
                return asked.await;
            }
            first.is_silent();
            answer
        }
    }
}

/// What is asked, as often as it has to be.
struct Call {
    parts: Parts,
    body: Bytes,
    has_own_timeout: bool,
    deadline: Instant,
}

impl Call {
    /// Asks one process. One that is not there is asked last for a moment.
    async fn ask(&self, member: &Member) -> Answer {
        let mut request = Request::from_parts(self.parts.clone(), Body::new(Full::new(self.body.clone())));
        if !self.has_own_timeout {
            request.headers_mut().insert(TIMEOUT_HEADER, time_left(self.deadline));
        }
        let answer = member.send(request).await;
        if is_unavailable(&answer) {
            member.is_away();
        }
        answer
    }
}

fn time_left(deadline: Instant) -> HeaderValue {
    let left = deadline.saturating_duration_since(Instant::now()).as_millis().max(1);
    HeaderValue::from_str(&format!("{left}m")).unwrap_or_else(|_| HeaderValue::from_static("1m"))
}

/// Whether the transport failed, or whoever was asked says that it can't serve.
fn is_unavailable(answer: &Answer) -> bool {
    match answer {
        Ok(response) => response
            .headers()
            .get(STATUS_HEADER)
            .is_some_and(|status| Code::from_bytes(status.as_bytes()) == Code::Unavailable),
        Err(cause) => cause.downcast_ref::<Status>().is_none_or(|status| status.code() == Code::Unavailable),
    }
}
