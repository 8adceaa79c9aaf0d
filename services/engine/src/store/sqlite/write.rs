//! A batch as one script, however much there is in it: its entries are one statement, and each kind of what
//! changes with them is another one.

use super::changes::{Changes, statements};
use super::journal::{self, NewRow, ROWS_MAX, insert, places};
use super::open::{self, OpenRow, open};
use crate::store::{Appended, Write};
use astragal_runtime::database::SqliteDatabase;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;
use sqlx::{Arguments, SqliteConnection, query_scalar, query_scalar_with, query_with};
use std::collections::HashSet;
use std::sync::OnceLock;
use uuid::Uuid;

/// The texts for a number of entries.
struct Texts {
    /// Entries with which nothing else changes: one statement, which is a transaction of its own.
    plain: String,
    /// Entries with all that changes with them, and tables that are opened.
    whole: String,
    /// Inserts what conflicts with nothing, and says of which tables something was inserted.
    some: String,
}

/// Opens tables that are not there yet, and says which.
const OPEN_SOME: &str = concat!(open!("?"), " ON CONFLICT DO NOTHING RETURNING id");

/// What changes with some of the entries.
const CHANGES: &str = statements!();

impl Texts {
    /// Those for so many rows, made when they are needed first.
    fn of(rows: usize) -> &'static Self {
        const SIZES: usize = ROWS_MAX.ilog2() as usize + 1;
        static TEXTS: [OnceLock<Texts>; SIZES] = [const { OnceLock::new() }; SIZES];
        let places = places(rows);
        TEXTS[places.ilog2() as usize].get_or_init(|| Self::with(places))
    }

    /// A conflict takes the whole transaction back: to take back a statement alone, SQLite would have to
    /// keep a copy of each page that it changes.
    fn with(places: usize) -> Self {
        let plain = insert("INSERT OR ROLLBACK", places, "");
        let whole = format!("BEGIN IMMEDIATE; {}; {plain}; {CHANGES} COMMIT", open!("?"));
        let some = insert("INSERT", places, " ON CONFLICT DO NOTHING RETURNING table_id");
        Self { plain, whole, some }
    }
}

/// Writes a whole batch; false if a part of it conflicts, and then nothing was written. An error leaves
/// open whether it was.
pub(super) async fn write_all(database: &SqliteDatabase, batch: &[Write]) -> sqlx::Result<bool> {
    let rows = journal::rows(batch);
    if rows.len() > ROWS_MAX {
        return Ok(false);
    }
    let (texts, mut arguments) = (Texts::of(rows.len()), SqliteArguments::default());
    let written = if batch.iter().all(Write::is_plain) {
        journal::bind(&rows, &mut arguments)?;
        database.transact(&texts.plain, arguments).await
    } else {
        arguments.add(openings(batch)).map_err(sqlx::Error::Encode)?;
        journal::bind(&rows, &mut arguments)?;
        Changes::of(batch.iter()).bind(&mut arguments)?;
        database.transact(&texts.whole, arguments).await
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
    let tried: Vec<NewRow<'_>> = journal::rows(batch.iter().filter(is_there));
    for rows in tried.chunks(ROWS_MAX) {
        let mut arguments = SqliteArguments::default();
        journal::bind(rows, &mut arguments)?;
        let inserted = query_scalar_with(&*Texts::of(rows.len()).some, arguments);
        let inserted: Vec<Uuid> = inserted.fetch_all(&mut *connection).await?;
        written.extend(inserted);
    }
    let is_in = |write: &&Write| written.contains(&write.table().0);
    let mut arguments = SqliteArguments::default();
    Changes::of(batch.iter().filter(is_in)).bind(&mut arguments)?;
    query_with(CHANGES, arguments).execute(&mut *connection).await?;
    Ok(batch.iter().map(|write| if is_in(&write) { Appended::Yes } else { Appended::Conflict }).collect())
}

fn openings(batch: &[Write]) -> Json<Vec<OpenRow<'_>>> {
    let opened = batch.iter().filter_map(|write| match write {
        Write::Open(new) => Some(open::row(new)),
        Write::Append(_) => None,
    });
    Json(opened.collect())
}
