//! Databases that answer and refuse to write: full, or for reading only.

use sqlx::error::DatabaseError;

/// Whether a database has said that it can't be written now. Nothing of the transaction was written.
pub fn refuses_writes(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    match code.as_deref() {
        // PostgreSQL: read_only_sql_transaction, disk_full.
        Some("25006" | "53100") => true,
        // SQLite: READONLY, FULL, each with what it says more in its upper bytes.
        Some(code) => code.parse().is_ok_and(|code: u32| matches!(code & 0xff, 8 | 13)),
        None => false,
    }
}
