//! What the gate of a port says to a process that it doesn't let in. It is about the process that calls, so whoever
//! that one asks for must not be told that their own session was refused.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::error::DOMAIN;

const REASON: &str = "CALLER_REFUSED";
/// How often the log says so, however many calls are refused.
const LOGGED_EVERY: Duration = Duration::from_mins(1);

/// The refusal, in words for whoever runs the caller.
pub(super) fn refusal(code: Code, why: &str) -> Status {
    Status::with_error_details(code, why, ErrorDetails::with_error_info(REASON, DOMAIN, []))
}

/// Whether the reason of a status says that it is one.
pub(crate) fn is_refusal(reason: &str) -> bool {
    reason == REASON
}

/// Says so in the log of the process that was refused.
pub(crate) fn log(status: &Status) {
    static LOGGED_AT: Mutex<Option<Instant>> = Mutex::new(None);
    let mut logged_at = LOGGED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    if logged_at.is_none_or(|at| now.saturating_duration_since(at) >= LOGGED_EVERY) {
        *logged_at = Some(now);
        tracing::error!("the service token is refused: {}", status.message());
    }
}
