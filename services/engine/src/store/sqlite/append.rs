//! A batch of entries as one script, however many there are: each statement takes all its rows as
//! one JSON array.

use super::changes::{Changes, statements};
use crate::store::journal_row::NewRow;
use crate::store::{Append, Appended};
use astragal_runtime::database::SqliteDatabase;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;
use sqlx::{Arguments, SqliteConnection, query_scalar, query_with};
use std::collections::HashSet;
use std::sync::Arc;
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

/// Entries with all that changes with them.
const WHOLE: &str = concat!("BEGIN IMMEDIATE; ", insert!(), "; ", statements!(), " COMMIT");

/// Inserts what conflicts with nothing, and says of which tables something was inserted.
const SOME: &str = concat!(insert!(), " ON CONFLICT DO NOTHING RETURNING table_id");

/// What changes with some of the entries; the journal's placeholder stays unused.
const CHANGES: &str = statements!();

/// Appends all entries with all that changes with them; false if one conflicts, and then nothing
/// was written. An error leaves open whether it was.
pub(super) async fn append_all(database: &SqliteDatabase, batch: &[Arc<Append>]) -> sqlx::Result<bool> {
    let mut arguments = SqliteArguments::default();
    arguments.add(rows(batch)).map_err(sqlx::Error::Encode)?;
    let appended = if batch.iter().all(|append| append.is_plain()) {
        let mut writer = database.writer().await?;
        query_with(PLAIN, arguments).execute(&mut *writer).await.map(drop)
    } else {
        Changes::of(batch.iter().map(|append| &**append)).bind(&mut arguments)?;
        database.transact(WHOLE, arguments).await
    };
    match appended {
        Ok(()) => Ok(true),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends the entries that conflict with nothing. It costs more: each entry is answered for by a row.
pub(super) async fn append_some(
    connection: &mut SqliteConnection,
    batch: &[Arc<Append>],
) -> sqlx::Result<Vec<Appended>> {
    let inserted: Vec<Uuid> = query_scalar(SOME).bind(rows(batch)).fetch_all(&mut *connection).await?;
    let inserted: HashSet<Uuid> = inserted.into_iter().collect();
    let is_in = |append: &&Append| inserted.contains(&append.table.0);
    let mut arguments = SqliteArguments::default();
    arguments.add(None::<&str>).map_err(sqlx::Error::Encode)?;
    Changes::of(batch.iter().map(|append| &**append).filter(is_in)).bind(&mut arguments)?;
    query_with(CHANGES, arguments).execute(&mut *connection).await?;
    let answer = |append: &Arc<Append>| if is_in(&&**append) { Appended::Yes } else { Appended::Conflict };
    Ok(batch.iter().map(answer).collect())
}

fn rows(batch: &[Arc<Append>]) -> Json<Vec<NewRow<'_>>> {
    Json(batch.iter().map(|append| NewRow::of(append.table, &append.entry)).collect())
}
