//! Why the lobby refuses, and how that reads to a client.

use std::error::Error;

use astragal_runtime::database::refuses_writes;
use astragal_runtime::error::{Code, Problem};

/// The result of a change of the lobby.
pub type Result<T> = std::result::Result<T, LobbyError>;

/// Why a change of the lobby did not happen.
#[derive(Debug, thiserror::Error)]
pub enum LobbyError {
    /// A token outlives the account that it was signed for if the database is a new one.
    #[error("this account is not known here any more; sign up again")]
    UnknownAccount,
    /// No game has this id.
    #[error("there is no such game")]
    UnknownGame,
    /// The game was cancelled before it was full.
    #[error("the game was cancelled; look for another one")]
    Cancelled,
    /// Every seat is taken.
    #[error("somebody else took the last seat; look for another game")]
    SeatTaken,
    /// Nobody plays themselves.
    #[error("you sit in this game already; somebody else has to join")]
    AlreadySeated,
    /// The account waits in too many games.
    #[error("you wait for opponents in {0} games already; cancel one of them first")]
    AlreadySearching(u32),
    /// The account seats friends at too many tables.
    #[error("you have begun {0} games among friends of late; wait some minutes, or let them join by a link")]
    TooManyInvitations(u32),
    /// The same request id came with other content.
    #[error("the id of this request was used for another one; send a new id")]
    RequestReused,
    /// Only who sits in a game has anything to cancel.
    #[error("you have no seat in this game")]
    NotSeated,
    /// Others wait in the game too.
    #[error(
        "only who opened this game may cancel it while a seat is empty; wait until it is full, then resign or leave"
    )]
    NotOpener,
    /// A game that is full is played to its end.
    #[error("every seat is taken; resign or leave instead")]
    Full,
    /// Nobody plays against the clock with somebody who is offline.
    #[error("who opened this game is away; look for another one")]
    OpenerAway,
    /// Names of accounts differ.
    #[error("somebody has this name, or one that looks like it; choose another one")]
    NameTaken,
    /// A name is taken once.
    #[error("this account has a name of its own already")]
    AlreadyNamed,
    /// What a draw decided is played once.
    #[error("another game was created from this draw already; open a new draw")]
    DrawUsed,
    /// Somebody else was faster; it is decided anew.
    #[error("this draw has changed meanwhile; send the request again")]
    DrawChanged,
    /// The database failed.
    #[error("the database failed")]
    Store(#[source] Box<dyn Error + Send + Sync>),
}

impl From<sqlx::Error> for LobbyError {
    fn from(cause: sqlx::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl From<LobbyError> for Problem {
    fn from(error: LobbyError) -> Self {
        let code = match &error {
            LobbyError::UnknownAccount => Code::Unauthenticated,
            LobbyError::UnknownGame => Code::NotFound,
            LobbyError::SeatTaken => Code::SeatTaken,
            LobbyError::AlreadySearching(_) => Code::AlreadySearching,
            LobbyError::TooManyInvitations(_) => Code::RateLimited,
            LobbyError::RequestReused => Code::InvalidArgument,
            LobbyError::NotSeated | LobbyError::NotOpener => Code::PermissionDenied,
            LobbyError::NameTaken => Code::NameTaken,
            LobbyError::DrawChanged => Code::Unavailable,
            LobbyError::Cancelled
            | LobbyError::AlreadySeated
            | LobbyError::Full
            | LobbyError::OpenerAway
            | LobbyError::AlreadyNamed
            | LobbyError::DrawUsed => Code::FailedPrecondition,
            LobbyError::Store(cause) if cause.downcast_ref().is_some_and(refuses_writes) => {
                tracing::error!(%cause, "the database refuses to write");
                return Self::unavailable("the database refuses to write; try again later");
            }
            LobbyError::Store(cause) if is_away(&**cause) => {
                tracing::error!(%cause, "the database does not answer");
                return Self::unavailable("the database does not answer; try again");
            }
            LobbyError::Store(_) => return Self::internal(&error),
        };
        Self::new(code, error.to_string())
    }
}

/// Whether the database is what failed, and not what stands in it.
fn is_away(cause: &(dyn Error + Send + Sync + 'static)) -> bool {
    let sql = cause.downcast_ref();
    sql.is_some_and(|sql| !matches!(sql, sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. }))
}

#[cfg(test)]
mod tests {
    use astragal_support::postgres::Postgres;
    use sqlx::{Connection, PgConnection};

    use super::*;

    /// O1: a database that answers and can't be written is not called silent.
    #[tokio::test]
    async fn o1_a_database_that_refuses_to_write_is_called_that() {
        let mut database = PgConnection::connect(&Postgres::shared().database()).await.expect("a database");
        let read_only = "SET default_transaction_read_only = on";
        sqlx::query(read_only).execute(&mut database).await.expect("set");
        let refused =
            sqlx::query("CREATE TABLE t (i int)").execute(&mut database).await.expect_err("a refusal");
        let problem = Problem::from(LobbyError::from(refused));
        assert_eq!(problem, Problem::unavailable("the database refuses to write; try again later"));
        let away = Problem::from(LobbyError::from(sqlx::Error::PoolTimedOut));
        assert_eq!(away, Problem::unavailable("the database does not answer; try again"));
    }
}
