//! A batch of entries as one statement, which is a transaction of its own: one way to the database and
//! one flush of its log, however many entries there are.
//!
//! Two engines whose batches share tables wait for each other at the first shared row only, because
//! both insert in the order of tables. Where the other one commits, the row conflicts and is left out;
//! the rest of the batch goes on. What changes with an entry joins the rows that were inserted, so an
//! entry that conflicts changes nothing.

use super::TablesQuery;
use super::changes::{Changes, WHOLE};
use super::journal_columns::{JournalColumns, insert};
use crate::store::{Append, Appended};
use astragal_runtime::id::TableId;
use sqlx::postgres::PgArguments;
use sqlx::query_as_with;
use std::collections::HashSet;
use std::sync::Arc;

/// Entries with which nothing else changes.
const PLAIN: &str = concat!(insert!(), " ON CONFLICT DO NOTHING RETURNING table_id");

/// The statement for a batch; it gives the tables whose entry was written.
pub(super) fn query(batch: &[Arc<Append>]) -> sqlx::Result<TablesQuery<'_>> {
    let mut columns = JournalColumns::default();
    for append in batch {
        columns.push(append.table, &append.entry);
    }
    let mut arguments = PgArguments::default();
    columns.bind(&mut arguments).map_err(sqlx::Error::Encode)?;
    if batch.iter().all(|append| append.is_plain()) {
        return Ok(query_as_with(PLAIN, arguments));
    }
    Changes::of(batch).bind(&mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(query_as_with(WHOLE, arguments))
}

/// What became of each entry.
pub(super) fn answers(batch: &[Arc<Append>], written: &[TableId]) -> Vec<Appended> {
    if written.len() == batch.len() {
        return vec![Appended::Yes; batch.len()];
    }
    let written: HashSet<&TableId> = written.iter().collect();
    let answer = |append: &Arc<Append>| {
        if written.contains(&append.table) { Appended::Yes } else { Appended::Conflict }
    };
    batch.iter().map(answer).collect()
}
