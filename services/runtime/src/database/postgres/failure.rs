//! What an error of PostgreSQL says about what was written.

/// Codes by which PostgreSQL breaks off one transaction for the sake of another: nothing of it was
/// written, and trying again is right.
const BROKEN_OFF: [&str; 2] = ["40001", "40P01"];

/// Codes, or their beginnings, with which a connection ends in the middle of something: connection
/// lost, completion unknown, the server shuts down or has crashed.
const CUT_OFF: [&str; 3] = ["08", "40003", "57P"];

/// An error that may come from the database.
pub trait Failure: From<sqlx::Error> {
    /// What the database said, if it comes from there.
    fn sql(&self) -> Option<&sqlx::Error>;
}

impl Failure for sqlx::Error {
    fn sql(&self) -> Option<&sqlx::Error> {
        Some(self)
    }
}

/// True if the database itself refused a statement: then nothing of its transaction was written. False
/// if nobody knows, since the connection broke.
pub fn is_answer(error: &sqlx::Error) -> bool {
    match error.as_database_error() {
        Some(refused) => {
            refused.code().is_some_and(|code| !CUT_OFF.iter().any(|cut_off| code.starts_with(cut_off)))
        }
        None => false,
    }
}

pub(super) fn is_broken_off(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| BROKEN_OFF.contains(&&*code))
}
