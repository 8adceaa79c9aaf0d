//! A table's first transaction: its row, the seats that are taken from the start, what is due. Safe
//! to repeat: the table that is there stays as it is.

use super::append::INSERT;
use crate::store::journal_row::NewRow;
use crate::store::{NewTable, Opened, seed_column};
use sqlx::types::Json;
use sqlx::{SqliteConnection, query};

pub(super) async fn open(connection: &mut SqliteConnection, table: &NewTable) -> sqlx::Result<Opened> {
    if insert(connection, table).await? {
        take_seats(connection, table).await?;
        for change in &table.due {
            query("INSERT INTO due (table_id, kind, at) VALUES ($1, $2, $3)")
                .bind(table.header.id)
                .bind(change.kind.as_str())
                .bind(change.at.map(|at| at.timestamp_micros()))
                .execute(&mut *connection)
                .await?;
        }
    }
    let (commitment, version, revision): (String, u32, u32) = sqlx::query_as(
        "SELECT commitment, version, COALESCE((SELECT revision FROM journal WHERE table_id = id \
         ORDER BY revision DESC LIMIT 1), 0) FROM tables WHERE id = $1",
    )
    .bind(table.header.id)
    .fetch_one(connection)
    .await?;
    Ok(Opened { commitment, version, revision })
}

/// False if the table is there already.
async fn insert(connection: &mut SqliteConnection, table: &NewTable) -> sqlx::Result<bool> {
    let header = &table.header;
    let inserted = query(
        "INSERT INTO tables (id, game, version, variant, options, seats, first_seat, seed, commitment, \
         series_id, series, phase, opened_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING",
    )
    .bind(header.id)
    .bind(&header.game)
    .bind(header.version)
    .bind(&header.variant)
    .bind(&header.options)
    .bind(header.seats)
    .bind(header.first_seat.0)
    .bind(seed_column::column(&table.seed))
    .bind(&header.commitment)
    .bind(header.series_id)
    .bind(table.series.as_str())
    .bind(table.phase.as_str())
    .bind(header.opened_at.timestamp_micros())
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn take_seats(connection: &mut SqliteConnection, table: &NewTable) -> sqlx::Result<()> {
    let rows: Vec<_> = table.entries.iter().map(|entry| NewRow::of(table.header.id, entry)).collect();
    query(INSERT).bind(Json(rows)).fetch_all(&mut *connection).await?;
    for occupant in table.occupants() {
        query(
            "INSERT INTO seats (table_id, seat, account_id, robot_level, opened_at) \
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(table.header.id)
        .bind(occupant.seat.0)
        .bind(occupant.account)
        .bind(occupant.robot_level)
        .bind(table.header.opened_at.timestamp_micros())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
