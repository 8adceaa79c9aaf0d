//! A batch as one statement, which is a transaction of its own: one way to the database and one flush of
//! its log, however much there is in it.
//!
//! Two engines whose batches share tables wait for each other at the first shared row only, because
//! both insert in the order of tables. Where the other one commits, the row conflicts and is left out;
//! the rest of the batch goes on. What changes with an entry joins the rows that were inserted, so an
//! entry that conflicts changes nothing.

use super::TablesQuery;
use super::changes::{Changes, WHOLE};
use super::journal_columns::{JournalColumns, insert};
use crate::store::{Appended, Write};
use astragal_runtime::id::TableId;
use sqlx::postgres::PgArguments;
use sqlx::query_as_with;
use std::collections::HashSet;

/// Entries with which nothing else changes.
const PLAIN: &str = concat!(insert!(), " ON CONFLICT DO NOTHING RETURNING table_id");

/// The statement for a batch; it gives the tables of which something was written.
pub(super) fn query(batch: &[Write]) -> sqlx::Result<TablesQuery<'_>> {
    let mut columns = JournalColumns::default();
    for write in batch {
        for entry in write.entries() {
            columns.push(write.table(), entry);
        }
    }
    let mut arguments = PgArguments::default();
    columns.bind(&mut arguments).map_err(sqlx::Error::Encode)?;
    if batch.iter().all(Write::is_plain) {
        return Ok(query_as_with(PLAIN, arguments));
    }
    Changes::of(batch).bind(&mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(query_as_with(WHOLE, arguments))
}

/// What became of each part.
pub(super) fn answers(batch: &[Write], written: &[TableId]) -> Vec<Appended> {
    if written.len() == batch.len() {
        return vec![Appended::Yes; batch.len()];
    }
    let written: HashSet<&TableId> = written.iter().collect();
    let answer = |write: &Write| {
        if written.contains(&write.table()) { Appended::Yes } else { Appended::Conflict }
    };
    batch.iter().map(answer).collect()
}
