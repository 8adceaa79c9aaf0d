//! A batch as one transaction, however much there is in it: its entries are one statement, and each kind of
//! what changes with them is another one.

use super::changes::{Changes, statements};
use super::journal::{Conflict, ROWS_MAX, entries, insert, values};
use super::open::{self, OpenRow, open};
use crate::journal::Entry;
use crate::store::{Appended, Write};
use astragal_runtime::database::SqliteDatabase;
use astragal_runtime::database::script::Script;
use astragal_runtime::id::TableId;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;
use sqlx::{Arguments, SqliteConnection, query_scalar_with, query_with};
use std::collections::HashSet;
use uuid::Uuid;

const BEGIN: &str = concat!("BEGIN IMMEDIATE; ", open!("$1"));

/// What changes with the entries, once those are in.
const COMMIT: &str = concat!(statements!(), " COMMIT");

/// Opens tables that are not there yet, and says which.
const OPEN_SOME: &str = concat!(open!("$1"), " ON CONFLICT DO NOTHING RETURNING id");

const CHANGES: &str = statements!();

/// Writes a whole batch; false if a part of it conflicts, and then nothing was written. An error leaves
/// open whether it was.
pub(super) async fn write_all(database: &SqliteDatabase, batch: &[Write]) -> sqlx::Result<bool> {
    let rows: Vec<_> = entries(batch).collect();
    if rows.len() > ROWS_MAX {
        return Ok(false);
    }
    let append = journal(&rows, Conflict::RollBack)?;
    let written = if batch.iter().all(Write::is_plain) {
        // A single statement is a transaction of its own.
        database.transact(vec![append]).await
    } else {
        let begin = Script { text: BEGIN, arguments: openings(batch)? };
        let commit = Script { text: COMMIT, arguments: Changes::of(batch.iter()).arguments()? };
        database.transact(vec![begin, append, commit]).await
    };
    match written {
        Ok(()) => Ok(true),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes what conflicts with nothing. It costs more: each part is answered for by a row.
pub(super) async fn write_some(
    connection: &mut SqliteConnection,
    batch: &[Write],
) -> sqlx::Result<Vec<Appended>> {
    let opened = query_scalar_with(OPEN_SOME, openings(batch)?).fetch_all(&mut *connection);
    let opened: Vec<Uuid> = opened.await?;
    let mut written: HashSet<Uuid> = opened.into_iter().collect();
    let is_there = |write: &&Write| matches!(write, Write::Append(_)) || written.contains(&write.table().0);
    let tried: Vec<_> = entries(batch.iter().filter(is_there)).collect();
    for rows in tried.chunks(ROWS_MAX) {
        let Script { text, arguments } = journal(rows, Conflict::LeaveOut)?;
        let inserted: Vec<Uuid> = query_scalar_with(text, arguments).fetch_all(&mut *connection).await?;
        written.extend(inserted);
    }
    let is_in = |write: &&Write| written.contains(&write.table().0);
    let arguments = Changes::of(batch.iter().filter(is_in)).arguments()?;
    query_with(CHANGES, arguments).execute(&mut *connection).await?;
    Ok(batch.iter().map(|write| if is_in(&write) { Appended::Yes } else { Appended::Conflict }).collect())
}

fn journal(rows: &[(TableId, &Entry)], conflict: Conflict) -> sqlx::Result<Script> {
    let arguments = values(rows).map_err(sqlx::Error::Encode)?;
    Ok(Script { text: insert(rows.len(), conflict), arguments })
}

fn openings(batch: &[Write]) -> sqlx::Result<SqliteArguments> {
    let opened = batch.iter().filter_map(|write| match write {
        Write::Open(new) => Some(open::row(new)),
        Write::Append(_) => None,
    });
    let opened: Vec<OpenRow<'_>> = opened.collect();
    let mut arguments = SqliteArguments::default();
    arguments.add(Json(opened)).map_err(sqlx::Error::Encode)?;
    Ok(arguments)
}
