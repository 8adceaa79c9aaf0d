//! Databases that answer and refuse to write: full, or for reading only.

use sqlx::sqlite::SqliteError;

use super::error::{READ_ONLY, result_code};

/// SQLite's code for a disk without room.
const FULL: i32 = 13;

/// Whether a database has said that it can't be written now. Nothing of the transaction was written.
pub fn refuses_writes(error: &sqlx::Error) -> bool {
    let Some(answer) = error.as_database_error() else { return false };
    if answer.try_downcast_ref::<SqliteError>().is_some() {
        return matches!(result_code(error), Some(READ_ONLY | FULL));
    }
    // PostgreSQL: read_only_sql_transaction, disk_full.
    matches!(answer.code().as_deref(), Some("25006" | "53100"))
}
