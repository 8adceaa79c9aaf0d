//! A call of one message and one answer: within a deadline that travels with it, and asked of a
//! second process when the first is not there. All calls between roles may be sent twice: those that
//! change something carry an id by which a repetition is known. The one exception is a new guest, who
//! may be made twice; nobody has the token of the first.

use std::time::Duration;

use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::{Code, Status};

use super::Cause;
use super::members::Members;

/// How long a call may take altogether, unless its caller says otherwise.
const DEADLINE: Duration = Duration::from_secs(10);
const SENDS_MAX: usize = 2;
const TIMEOUT_HEADER: &str = "grpc-timeout";
const STATUS_HEADER: &str = "grpc-status";

/// Sends `request` to whoever is preferred for `key`, or to anybody.
pub(super) async fn unary(
    members: Members,
    key: Option<[u8; 16]>,
    request: Request<Body>,
) -> Result<Response<Body>, Cause> {
    let deadline = Instant::now() + DEADLINE;
    match tokio::time::timeout_at(deadline, send(members, key, request, deadline)).await {
        Ok(answer) => answer,
        Err(_) => Err(Status::deadline_exceeded("a part of the system does not answer in time").into()),
    }
}

async fn send(
    members: Members,
    key: Option<[u8; 16]>,
    request: Request<Body>,
    deadline: Instant,
) -> Result<Response<Body>, Cause> {
    let (mut parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let own_timeout = parts.headers.contains_key(TIMEOUT_HEADER);
    let ranked = members.ranked(key.as_ref()).await?;
    // A process that is alone is asked again itself: the connection may have been about to close.
    let mut asked = ranked.iter().cycle().take(SENDS_MAX).peekable();
    while let Some(member) = asked.next() {
        if !own_timeout {
            parts.headers.insert(TIMEOUT_HEADER, time_left(deadline));
        }
        let copy = Request::from_parts(parts.clone(), Body::new(Full::new(body.clone())));
        let answer = member.send(copy).await;
        if !is_unavailable(&answer) {
            return answer;
        }
        member.rest();
        if asked.peek().is_none() {
            return answer;
        }
        tracing::debug!(member = member.name(), "a process is not there; the next one is asked");
    }
    Err(Status::unavailable("nothing is found under the name of this part of the system").into())
}

fn time_left(deadline: Instant) -> HeaderValue {
    let left = deadline.saturating_duration_since(Instant::now()).as_millis().max(1);
    HeaderValue::from_str(&format!("{left}m")).unwrap_or_else(|_| HeaderValue::from_static("1m"))
}

/// Whether the transport failed, or whoever was asked says that it can't serve.
fn is_unavailable(answer: &Result<Response<Body>, Cause>) -> bool {
    match answer {
        Ok(response) => response
            .headers()
            .get(STATUS_HEADER)
            .is_some_and(|status| Code::from_bytes(status.as_bytes()) == Code::Unavailable),
        Err(cause) => cause.downcast_ref::<Status>().is_none_or(|status| status.code() == Code::Unavailable),
    }
}
