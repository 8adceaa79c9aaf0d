//! A table's first transaction: its row, the seats that are taken from the start, what is due. Safe
//! to repeat: the table that is there stays as it is.

use crate::store::journal_row::{NewRow, hex_of};
use crate::store::{NewTable, Opened, seed_column};
use astragal_runtime::database::SqliteDatabase;
use astragal_runtime::time_control::TimeControl;
use sqlx::Arguments;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;

/// Fails as a whole if the table is there already.
const OPEN: &str = "BEGIN IMMEDIATE; \
    INSERT INTO tables (id, game, version, variant, options, seats, first_seat, seed, commitment, \
    series_id, series, phase, opened_at, listed, time_control) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $17, $18); \
    INSERT INTO journal (table_id, revision, kind, seat, action, at, state_hash, credit, runs) \
    SELECT $1, value ->> 1, value ->> 2, value ->> 3, value ->> 6, value ->> 10, unhex(value ->> 11), \
    value ->> 13, value ->> 14 \
    FROM json_each($14); \
    INSERT INTO seats (table_id, seat, account_id, robot_level, opened_at) \
    SELECT $1, value ->> 0, unhex(value ->> 1), value ->> 2, $13 FROM json_each($15); \
    INSERT INTO due (table_id, kind, at) SELECT $1, value ->> 0, value ->> 1 FROM json_each($16); \
    COMMIT";

const OPENED: &str = "SELECT commitment, version, COALESCE((SELECT revision FROM journal \
    WHERE table_id = id ORDER BY revision DESC LIMIT 1), 0) FROM tables WHERE id = $1";

pub(super) async fn open(database: &SqliteDatabase, table: &NewTable) -> sqlx::Result<Opened> {
    let arguments = arguments(table).map_err(sqlx::Error::Encode)?;
    match database.transact(OPEN, arguments).await {
        Ok(()) => Ok(Opened {
            commitment: table.header.commitment.clone(),
            version: table.header.version,
            revision: table.entries.len() as u32,
        }),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            let found: (String, u32, u32) =
                sqlx::query_as(OPENED).bind(table.header.id).fetch_one(database.reader()).await?;
            let (commitment, version, revision) = found;
            Ok(Opened { commitment, version, revision })
        }
        Err(error) => Err(error),
    }
}

fn arguments(table: &NewTable) -> Result<SqliteArguments, BoxDynError> {
    let header = &table.header;
    let rows: Vec<_> = table.entries.iter().map(|entry| NewRow::of(header.id, entry)).collect();
    let seated = |who: &crate::occupant::Occupant| (who.seat, hex_of(who.account.0), who.robot_level);
    let due =
        |change: &crate::store::DueChange| (change.kind.as_str(), change.at.map(|at| at.timestamp_micros()));
    let mut arguments = SqliteArguments::default();
    arguments.add(header.id)?;
    arguments.add(&header.game)?;
    arguments.add(header.version)?;
    arguments.add(&header.variant)?;
    arguments.add(&header.options)?;
    arguments.add(header.seats)?;
    arguments.add(header.first_seat.0)?;
    arguments.add(seed_column::column(&table.seed))?;
    arguments.add(&header.commitment)?;
    arguments.add(header.series_id)?;
    arguments.add(table.series.as_str())?;
    arguments.add(table.phase.as_str())?;
    arguments.add(header.opened_at.timestamp_micros())?;
    arguments.add(Json(rows))?;
    arguments.add(Json(table.occupants().map(seated).collect::<Vec<_>>()))?;
    arguments.add(Json(table.due.iter().map(due).collect::<Vec<_>>()))?;
    arguments.add(table.listed)?;
    arguments.add(header.time_control.map(TimeControl::to_text))?;
    Ok(arguments)
}
