//! A batch of entries as a handful of statements, however many there are: each takes all its rows
//! as one JSON array. What seldom changes costs nothing when it doesn't.

use crate::journal::EntryKind;
use crate::store::journal_row::{NewRow, hex_of};
use crate::store::{Append, Appended};
use sqlx::types::Json;
use sqlx::{SqliteConnection, query, query_scalar};
use std::collections::HashSet;
use std::sync::Arc;
use uuid::Uuid;

macro_rules! insert {
    () => {
        "INSERT INTO journal (table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, \
         request_hash, at, state_hash) \
         SELECT unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, \
         value ->> 6, value ->> 7, unhex(value ->> 8), unhex(value ->> 9), value ->> 10, unhex(value ->> 11) \
         FROM json_each($1) WHERE true"
    };
}

/// Inserts everything, or nothing if something conflicts.
const INSERT_ALL: &str = insert!();

/// Inserts what conflicts with nothing.
pub(super) const INSERT: &str = concat!(insert!(), " ON CONFLICT DO NOTHING");

/// The same, and says of which tables something was inserted.
const INSERT_AND_SAY: &str = concat!(insert!(), " ON CONFLICT DO NOTHING RETURNING table_id");

/// Appends entries with which nothing else changes, as one statement that is its own transaction:
/// the common case, with a third of the ways to the database. False if one conflicts, and then
/// nothing was written.
pub(super) async fn append_plain(
    connection: &mut SqliteConnection,
    batch: &[Arc<Append>],
) -> sqlx::Result<bool> {
    match query(INSERT_ALL).bind(rows(batch)).execute(connection).await {
        Ok(_) => Ok(true),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends all entries with all that changes with them; false if one conflicts, and then the
/// transaction has to be taken back.
pub(super) async fn append_all(
    connection: &mut SqliteConnection,
    batch: &[Arc<Append>],
) -> sqlx::Result<bool> {
    let inserted = query(INSERT).bind(rows(batch)).execute(&mut *connection).await?.rows_affected();
    if inserted != batch.len() as u64 {
        return Ok(false);
    }
    change(connection, batch.iter().map(|append| &**append)).await?;
    Ok(true)
}

/// Appends the entries that conflict with nothing. It costs more: each entry is answered for by a row.
pub(super) async fn append_some(
    connection: &mut SqliteConnection,
    batch: &[Arc<Append>],
) -> sqlx::Result<Vec<Appended>> {
    let inserted: Vec<Uuid> =
        query_scalar(INSERT_AND_SAY).bind(rows(batch)).fetch_all(&mut *connection).await?;
    let inserted: HashSet<Uuid> = inserted.into_iter().collect();
    let is_in = |append: &&Append| inserted.contains(&append.table.0);
    change(connection, batch.iter().map(|append| &**append).filter(is_in)).await?;
    let answer = |append: &Arc<Append>| if is_in(&&**append) { Appended::Yes } else { Appended::Conflict };
    Ok(batch.iter().map(answer).collect())
}

fn rows(batch: &[Arc<Append>]) -> Json<Vec<NewRow<'_>>> {
    Json(batch.iter().map(|append| NewRow::of(append.table, &append.entry)).collect())
}

async fn change<'b>(
    connection: &mut SqliteConnection,
    appended: impl Iterator<Item = &'b Append>,
) -> sqlx::Result<()> {
    let (mut seated, mut phases, mut ended) = (Vec::new(), Vec::new(), Vec::new());
    let (mut due, mut undue) = (Vec::new(), Vec::new());
    for append in appended {
        let table = || hex_of(append.table.0);
        if let EntryKind::SeatTaken(who) = &append.entry.kind {
            seated.push((table(), who.seat, hex_of(who.account.0), who.robot_level));
        }
        if let Some(end) = &append.ended {
            let at = append.entry.at.timestamp_micros();
            let outcome = serde_json::to_string(&end.outcome).unwrap_or_default();
            ended.push((table(), outcome, end.series.as_str(), at));
        } else if let Some(phase) = append.phase {
            phases.push((table(), phase.as_str()));
        }
        for change in &append.due {
            match change.at {
                Some(at) => due.push((table(), change.kind.as_str(), at.timestamp_micros())),
                None => undue.push((table(), change.kind.as_str())),
            }
        }
    }
    if !seated.is_empty() {
        query(
            "INSERT INTO seats (table_id, seat, account_id, robot_level, opened_at) \
             SELECT tables.id, value ->> 1, unhex(value ->> 2), value ->> 3, tables.opened_at \
             FROM json_each($1) JOIN tables ON tables.id = unhex(value ->> 0)",
        )
        .bind(Json(seated))
        .execute(&mut *connection)
        .await?;
    }
    if !phases.is_empty() {
        query(
            "UPDATE tables SET phase = value ->> 1 FROM json_each($1) WHERE tables.id = unhex(value ->> 0)",
        )
        .bind(Json(phases))
        .execute(&mut *connection)
        .await?;
    }
    if !undue.is_empty() {
        query(
            "DELETE FROM due WHERE (table_id, kind) IN \
             (SELECT unhex(value ->> 0), value ->> 1 FROM json_each($1))",
        )
        .bind(Json(undue))
        .execute(&mut *connection)
        .await?;
    }
    if !due.is_empty() {
        query(
            "INSERT INTO due (table_id, kind, at) \
             SELECT unhex(value ->> 0), value ->> 1, value ->> 2 FROM json_each($1) WHERE true \
             ON CONFLICT (table_id, kind) DO UPDATE SET at = excluded.at",
        )
        .bind(Json(due))
        .execute(&mut *connection)
        .await?;
    }
    if !ended.is_empty() {
        end(connection, ended).await?;
    }
    Ok(())
}

async fn end(connection: &mut SqliteConnection, ended: Vec<(String, String, &str, i64)>) -> sqlx::Result<()> {
    let tables: Vec<String> = ended.iter().map(|(table, ..)| table.clone()).collect();
    query(
        "UPDATE tables SET phase = 'over', outcome = value ->> 1, series = value ->> 2, ended_at = value ->> 3 \
         FROM json_each($1) WHERE tables.id = unhex(value ->> 0)",
    )
    .bind(Json(ended))
    .execute(&mut *connection)
    .await?;
    query("UPDATE seats SET over = 1 FROM json_each($1) WHERE table_id = unhex(value)")
        .bind(Json(&tables))
        .execute(&mut *connection)
        .await?;
    query("DELETE FROM due WHERE table_id IN (SELECT unhex(value) FROM json_each($1))")
        .bind(Json(&tables))
        .execute(&mut *connection)
        .await?;
    Ok(())
}
