//! A batch as one script, however much there is in it: each statement takes all its rows as one JSON
//! array.

use super::changes::{Changes, statements};
use super::open::{self, OpenRow, open};
use crate::store::journal_row::NewRow;
use crate::store::{Appended, Write};
use astragal_runtime::database::SqliteDatabase;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;
use sqlx::{Arguments, SqliteConnection, query_scalar, query_with};
use std::collections::HashSet;
use uuid::Uuid;

/// Inserts everything, or fails as a whole if something conflicts.
macro_rules! insert {
    () => {
        "INSERT INTO journal (table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, \
         request_hash, at, state_hash, spent, credit, runs) \
         SELECT unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, \
         value ->> 6, value ->> 7, unhex(value ->> 8), unhex(value ->> 9), value ->> 10, unhex(value ->> 11), \
         value ->> 12, value ->> 13, value ->> 14 \
         FROM json_each($1) WHERE true"
    };
}

/// Entries with which nothing else changes: one statement, which is a transaction of its own.
const PLAIN: &str = insert!();

/// Entries with all that changes with them, and tables that are opened.
const WHOLE: &str =
    concat!("BEGIN IMMEDIATE; ", open!("$7"), "; ", insert!(), "; ", statements!(), " COMMIT");

/// Opens tables that are not there yet, and says which.
const OPEN_SOME: &str = concat!(open!("$1"), " ON CONFLICT DO NOTHING RETURNING id");

/// Inserts what conflicts with nothing, and says of which tables something was inserted.
const SOME: &str = concat!(insert!(), " ON CONFLICT DO NOTHING RETURNING table_id");

/// What changes with some of the entries; the journal's placeholder stays unused.
const CHANGES: &str = statements!();

/// Writes a whole batch; false if a part of it conflicts, and then nothing was written. An error leaves
/// open whether it was.
pub(super) async fn write_all(database: &SqliteDatabase, batch: &[Write]) -> sqlx::Result<bool> {
    let mut arguments = SqliteArguments::default();
    arguments.add(rows(batch.iter())).map_err(sqlx::Error::Encode)?;
    let written = if batch.iter().all(Write::is_plain) {
        let mut writer = database.writer().await?;
        query_with(PLAIN, arguments).execute(&mut *writer).await.map(drop)
    } else {
        Changes::of(batch.iter()).bind(&mut arguments)?;
        arguments.add(openings(batch)).map_err(sqlx::Error::Encode)?;
        database.transact(WHOLE, arguments).await
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
    let opened: Vec<Uuid> = query_scalar(OPEN_SOME).bind(openings(batch)).fetch_all(&mut *connection).await?;
    let mut written: HashSet<Uuid> = opened.into_iter().collect();
    let is_there = |write: &&Write| matches!(write, Write::Append(_)) || written.contains(&write.table().0);
    let tried = rows(batch.iter().filter(is_there));
    let inserted: Vec<Uuid> = query_scalar(SOME).bind(tried).fetch_all(&mut *connection).await?;
    written.extend(inserted);
    let is_in = |write: &&Write| written.contains(&write.table().0);
    let mut arguments = SqliteArguments::default();
    arguments.add(None::<&str>).map_err(sqlx::Error::Encode)?;
    Changes::of(batch.iter().filter(is_in)).bind(&mut arguments)?;
    query_with(CHANGES, arguments).execute(&mut *connection).await?;
    Ok(batch.iter().map(|write| if is_in(&write) { Appended::Yes } else { Appended::Conflict }).collect())
}

fn rows<'b>(batch: impl Iterator<Item = &'b Write>) -> Json<Vec<NewRow<'b>>> {
    let rows = |write: &'b Write| write.entries().iter().map(|entry| NewRow::of(write.table(), entry));
    Json(batch.flat_map(rows).collect())
}

fn openings(batch: &[Write]) -> Json<Vec<OpenRow<'_>>> {
    let opened = batch.iter().filter_map(|write| match write {
        Write::Open(new) => Some(open::row(new)),
        Write::Append(_) => None,
    });
    Json(opened.collect())
}
