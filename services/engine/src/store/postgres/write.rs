//! A batch as one statement, which is a transaction of its own: one way to the database and one flush of
//! its log, however much there is in it.
//!
//! Entries conflict only where two engines play the same table. So a batch is first written as a whole or not at
//! all: to be able to leave out a row, PostgreSQL looks for it before and inserts it in two steps, which costs as much
//! again. Where something conflicts, the batch is written without that: what changes with an entry joins the rows that
//! were inserted, so an entry that conflicts changes nothing.
//!
//! Two engines whose batches share tables wait for each other at the first shared row only, because
//! both insert in the order of tables.

use super::TablesQuery;
use super::changes::{ALL, Changes, SOME};
use super::journal_columns::{JournalColumns, insert};
use crate::store::{Appended, Write};
use astragal_runtime::id::TableId;
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{query_as_with, query_with};
use std::collections::HashSet;

/// Entries with which nothing else changes.
const ALL_PLAIN: &str = insert!();

/// The same without those that conflict. Gives the tables of which something was written.
const SOME_PLAIN: &str = concat!(insert!(), " ON CONFLICT DO NOTHING RETURNING table_id");

/// The statement that writes a whole batch, or breaks the key of a table or of the journal.
pub(super) fn all(batch: &[Write]) -> sqlx::Result<Query<'static, Postgres, PgArguments>> {
    Ok(query_with(if is_plain(batch) { ALL_PLAIN } else { ALL }, arguments(batch)?))
}

/// The statement that writes what conflicts with nothing; it gives the tables of which something was written.
pub(super) fn some(batch: &[Write]) -> sqlx::Result<TablesQuery<'static>> {
    Ok(query_as_with(if is_plain(batch) { SOME_PLAIN } else { SOME }, arguments(batch)?))
}

fn is_plain(batch: &[Write]) -> bool {
    batch.iter().all(Write::is_plain)
}

fn arguments(batch: &[Write]) -> sqlx::Result<PgArguments> {
    let mut columns = JournalColumns::default();
    for write in batch {
        for entry in write.entries() {
            columns.push(write.table(), entry);
        }
    }
    let mut arguments = PgArguments::default();
    let mut bound = columns.bind(&mut arguments);
    if !is_plain(batch) {
        bound = bound.and_then(|()| Changes::of(batch).bind(&mut arguments));
    }
    bound.map_err(sqlx::Error::Encode)?;
    Ok(arguments)
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
