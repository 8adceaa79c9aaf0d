//! The one table of errors: what may go wrong for a client, as gRPC and HTTP see it.
//!
//! Every role answers with a [`Problem`]; nothing else crosses a process. Causes that are no
//! business of a client are logged here and replaced by a plain sentence.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use tokio::task::JoinError;
use tonic_types::{ErrorDetails, StatusExt};

use crate::auth::refusal;

/// Whose reasons the `ErrorInfo` of a status names.
pub(crate) const DOMAIN: &str = "astragal";

const SILENT: &str = "a part of the system does not answer; try again";

/// The result of anything that a client may be told to have failed.
pub type Result<T> = std::result::Result<T, Problem>;

/// A reason of the closed set of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The request is malformed, whatever the state of the system.
    InvalidArgument,
    /// No valid token came with the request.
    Unauthenticated,
    /// The account may not do this.
    PermissionDenied,
    /// There is no such thing.
    NotFound,
    /// The rules forbid the move.
    IllegalMove,
    /// Another seat is to move.
    NotYourTurn,
    /// The table went on since the revision that the client knew.
    ConcurrentMove,
    /// The game has ended.
    GameOver,
    /// The game has not ended yet.
    GameInProgress,
    /// The move can't be taken back.
    UndoRefused,
    /// A log or a state that can't be read or replayed.
    InvalidGame,
    /// Somebody else sits there.
    SeatTaken,
    /// Somebody else has this name.
    NameTaken,
    /// The account waits for opponents in too many games.
    AlreadySearching,
    /// Not in this state.
    FailedPrecondition,
    /// Too many requests.
    RateLimited,
    /// The request is larger than allowed.
    TooLarge,
    /// A part of the system doesn't answer, or isn't built yet.
    Unavailable,
    /// A fault of ours.
    Internal,
}

impl Code {
    /// Every code, in the order of the protocol.
    pub const ALL: [Self; 19] = [
        Self::InvalidArgument,
        Self::Unauthenticated,
        Self::PermissionDenied,
        Self::NotFound,
        Self::IllegalMove,
        Self::NotYourTurn,
        Self::ConcurrentMove,
        Self::GameOver,
        Self::GameInProgress,
        Self::UndoRefused,
        Self::InvalidGame,
        Self::SeatTaken,
        Self::NameTaken,
        Self::AlreadySearching,
        Self::FailedPrecondition,
        Self::RateLimited,
        Self::TooLarge,
        Self::Unavailable,
        Self::Internal,
    ];

    /// The code's line in the table: its name, its gRPC code, its HTTP status.
    const fn line(self) -> (&'static str, tonic::Code, u16) {
        use tonic::Code as Grpc;
        match self {
            Self::InvalidArgument => ("INVALID_ARGUMENT", Grpc::InvalidArgument, 400),
            Self::Unauthenticated => ("UNAUTHENTICATED", Grpc::Unauthenticated, 401),
            Self::PermissionDenied => ("PERMISSION_DENIED", Grpc::PermissionDenied, 403),
            Self::NotFound => ("NOT_FOUND", Grpc::NotFound, 404),
            Self::IllegalMove => ("ILLEGAL_MOVE", Grpc::FailedPrecondition, 422),
            Self::NotYourTurn => ("NOT_YOUR_TURN", Grpc::FailedPrecondition, 409),
            Self::ConcurrentMove => ("CONCURRENT_MOVE", Grpc::Aborted, 409),
            Self::GameOver => ("GAME_OVER", Grpc::FailedPrecondition, 409),
            Self::GameInProgress => ("GAME_IN_PROGRESS", Grpc::FailedPrecondition, 409),
            Self::UndoRefused => ("UNDO_REFUSED", Grpc::FailedPrecondition, 409),
            Self::InvalidGame => ("INVALID_GAME", Grpc::InvalidArgument, 422),
            Self::SeatTaken => ("SEAT_TAKEN", Grpc::AlreadyExists, 409),
            Self::NameTaken => ("NAME_TAKEN", Grpc::AlreadyExists, 409),
            Self::AlreadySearching => ("ALREADY_SEARCHING", Grpc::FailedPrecondition, 409),
            Self::FailedPrecondition => ("FAILED_PRECONDITION", Grpc::FailedPrecondition, 409),
            Self::RateLimited => ("RATE_LIMITED", Grpc::ResourceExhausted, 429),
            Self::TooLarge => ("TOO_LARGE", Grpc::ResourceExhausted, 413),
            Self::Unavailable => ("UNAVAILABLE", Grpc::Unavailable, 503),
            Self::Internal => ("INTERNAL", Grpc::Internal, 500),
        }
    }

    /// The name in frames and answers.
    pub const fn as_str(self) -> &'static str {
        self.line().0
    }

    /// The status of an HTTP answer.
    pub const fn http_status(self) -> u16 {
        self.line().2
    }

    /// The code of a gRPC answer.
    pub const fn grpc(self) -> tonic::Code {
        self.line().1
    }

    /// The code that a status names, or the nearest one if it is not one of ours.
    pub fn of_status(status: &tonic::Status) -> Self {
        Self::named_by(status).unwrap_or(Self::nearest(status.code()))
    }

    fn named_by(status: &tonic::Status) -> Option<Self> {
        let reason = reason(status)?;
        if refusal::is_refusal(&reason) { Some(Self::Unavailable) } else { reason.parse().ok() }
    }

    /// The nearest code for a status that names no reason of ours, such as one of the transport.
    const fn nearest(grpc: tonic::Code) -> Self {
        use tonic::Code as Grpc;
        match grpc {
            Grpc::InvalidArgument | Grpc::OutOfRange => Self::InvalidArgument,
            Grpc::Unauthenticated => Self::Unauthenticated,
            Grpc::PermissionDenied => Self::PermissionDenied,
            Grpc::NotFound => Self::NotFound,
            Grpc::AlreadyExists | Grpc::FailedPrecondition => Self::FailedPrecondition,
            Grpc::ResourceExhausted => Self::RateLimited,
            Grpc::Aborted
            | Grpc::Cancelled
            | Grpc::DeadlineExceeded
            | Grpc::Unavailable
            | Grpc::Unimplemented => Self::Unavailable,
            Grpc::Ok | Grpc::Unknown | Grpc::Internal | Grpc::DataLoss => Self::Internal,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownCode> {
        Self::ALL.into_iter().find(|code| code.as_str() == name).ok_or(UnknownCode)
    }
}

/// The name of no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a code of the protocol")]
pub struct UnknownCode;

/// Why a request failed, in words that may be shown to whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The reason, for programs.
    pub code: Code,
    /// The reason, for people: lower case, and what to do.
    pub message: String,
}

impl Problem {
    /// A problem of any code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The request is malformed.
    pub fn invalid_argument(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    /// No valid token came with the request.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(Code::Unauthenticated, message)
    }

    /// The account may not do this.
    pub fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(Code::PermissionDenied, message)
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NotFound, message)
    }

    /// Not in this state.
    pub fn failed_precondition(message: impl Into<String>) -> Self {
        Self::new(Code::FailedPrecondition, message)
    }

    /// A part of the system doesn't answer, or isn't built yet.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, message)
    }

    /// A fault of ours: the cause goes to the log, a plain sentence to the client.
    pub fn internal(cause: &(dyn Error + 'static)) -> Self {
        match cause.downcast_ref::<JoinError>() {
            // Its words are those of the panic, and may show a table's hidden state.
            Some(panic) if panic.is_panic() => tracing::error!("a task panicked"),
            _ => tracing::error!(cause = %Chain(cause), "internal fault"),
        }
        Self::new(Code::Internal, "something went wrong on our side; try again")
    }

    /// Whether asking again would be answered the same for ever.
    pub const fn is_final(&self) -> bool {
        !matches!(
            self.code,
            Code::Unavailable
                | Code::Internal
                | Code::RateLimited
                | Code::ConcurrentMove
                | Code::Unauthenticated
        )
    }
}

impl From<Problem> for tonic::Status {
    fn from(problem: Problem) -> Self {
        let details = ErrorDetails::with_error_info(problem.code.as_str(), DOMAIN, []);
        Self::with_error_details(problem.code.grpc(), problem.message, details)
    }
}

/// The reason that a status names, if it is one of this system.
fn reason(status: &tonic::Status) -> Option<String> {
    status.get_details_error_info().filter(|info| info.domain == DOMAIN).map(|info| info.reason)
}

/// Whether a status says that this process itself is not let in, whoever it calls for.
pub fn is_shut_out(status: &tonic::Status) -> bool {
    reason(status).as_deref().is_some_and(refusal::is_refusal)
}

impl From<tonic::Status> for Problem {
    fn from(status: tonic::Status) -> Self {
        let reason = reason(&status);
        if reason.as_deref().is_some_and(refusal::is_refusal) {
            // That it is this process that isn't let in is nothing that a client could mend.
            refusal::log(&status);
            return Self::unavailable(SILENT);
        }
        if let Some(code) = reason.and_then(|reason| reason.parse().ok()) {
            return Self::new(code, status.message());
        }
        // The message is not ours, so it may tell of addresses and sockets: only the log sees it.
        tracing::warn!(code = ?status.code(), message = status.message(), "status without a reason of ours");
        match Code::nearest(status.code()) {
            Code::Unavailable => Self::unavailable(SILENT),
            Code::Internal => Self::new(Code::Internal, "something went wrong on our side; try again"),
            code => Self::new(code, status.message()),
        }
    }
}

/// An error with everything that led to it.
pub(crate) struct Chain<'a>(pub(crate) &'a dyn Error);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)?;
        let mut next = self.0.source();
        while let Some(cause) = next {
            write!(formatter, ": {cause}")?;
            next = cause.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_that_reads_back() {
        for code in Code::ALL {
            assert_eq!(code.as_str().parse(), Ok(code));
            assert_eq!(Code::ALL.iter().filter(|other| other.as_str() == code.as_str()).count(), 1);
        }
        assert_eq!("NO_SUCH_CODE".parse::<Code>(), Err(UnknownCode));
    }

    #[test]
    fn every_code_has_an_http_status_of_an_error() {
        assert!(Code::ALL.iter().all(|code| (400..600).contains(&code.http_status())));
        assert_eq!(Code::GameInProgress.http_status(), 409);
    }

    #[test]
    fn a_problem_survives_the_way_through_a_status() {
        for code in Code::ALL {
            let problem = Problem::new(code, format!("because of {code}"));
            let status = tonic::Status::from(problem.clone());
            assert_eq!(status.code(), code.grpc());
            assert_eq!(Problem::from(status), problem);
        }
    }

    #[test]
    fn a_foreign_status_keeps_its_sense_and_hides_its_words() {
        let problem = Problem::from(tonic::Status::unavailable("tcp 10.0.0.7:50051 refused"));
        assert_eq!(problem.code, Code::Unavailable);
        assert!(!problem.message.contains("10.0.0.7"));
        assert_eq!(Problem::from(tonic::Status::unimplemented("")).code, Code::Unavailable);
        assert_eq!(Problem::from(tonic::Status::unknown("")).code, Code::Internal);
        assert_eq!(Problem::from(tonic::Status::not_found("no table")).message, "no table");
    }

    #[test]
    fn what_may_be_otherwise_later_is_not_final() {
        let passing = Code::ALL.into_iter().filter(|code| !Problem::new(*code, "").is_final());
        let expected = [
            Code::Unauthenticated,
            Code::ConcurrentMove,
            Code::RateLimited,
            Code::Unavailable,
            Code::Internal,
        ];
        assert_eq!(passing.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_internal_problem_says_nothing_of_its_cause() {
        let cause = std::io::Error::other("disk /dev/sda1 is full");
        assert!(!Problem::internal(&cause).message.contains("sda1"));
    }
}
