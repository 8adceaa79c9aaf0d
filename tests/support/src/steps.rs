//! What the embedded database does, counted in steps of its machine, and rows of others for which it is to do no more.
//!
//! Steps know no clock: a busy computer takes as many as an idle one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{AssertSqlSafe, SqliteConnection};

/// The steps of one connection. In memory there is no other one.
#[derive(Debug)]
pub struct Steps(Arc<AtomicU64>);

impl Steps {
    /// Begins to count.
    pub async fn of(connection: &mut SqliteConnection) -> Self {
        let steps = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&steps);
        let step = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            true
        };
        connection.lock_handle().await.expect("a connection").set_progress_handler(1, step);
        Self(steps)
    }

    /// How many there were since this was asked last.
    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// Copies rows of a table. There is a table `copies` whose column `original` says by `key` which rows, and whose other
/// columns may be part of the expressions for the columns that are set `anew`; all others stay as they are.
pub async fn copy_rows(connection: &mut SqliteConnection, table: &str, key: &str, anew: &[(&str, &str)]) {
    let columns = sqlx::query_scalar("SELECT name FROM pragma_table_info($1)").bind(table);
    let columns: Vec<String> = columns.fetch_all(&mut *connection).await.expect("the columns of a table");
    let value = |column| anew.iter().find(|(name, _)| *name == column).map_or(column, |(_, value)| *value);
    let values: Vec<&str> = columns.iter().map(|column| value(column)).collect();
    let values = values.join(", ");
    let copy = format!("INSERT INTO {table} SELECT {values} FROM copies JOIN {table} ON {key} = original");
    sqlx::query(AssertSqlSafe(copy)).execute(connection).await.expect("copies of rows");
}
