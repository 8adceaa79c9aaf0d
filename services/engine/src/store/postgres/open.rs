//! A table's first statement: its row, the seats that are taken from the start, what is due. Safe to
//! repeat and to do at once: the table that is there stays as it is, and is the answer.

use super::TablesQuery;
use super::journal_columns::{JournalColumns, insert, integer};
use crate::store::{NewTable, seed_column};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::time_control::TimeControl;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;
use sqlx::{Arguments, query_as_with, types::Uuid};

/// Everything hangs on the row of the table: where that is there already, nothing is inserted. What
/// refers to it is checked at the end of the statement, when it is there.
const OPEN: &str = concat!(
    "WITH opened AS (INSERT INTO tables (id, game, version, variant, options, seats, first_seat, seed, \
     commitment, series_id, series, phase, opened_at, listed, time_control) \
     VALUES ($16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $34, $35) \
     ON CONFLICT DO NOTHING RETURNING id, opened_at), \
     entries AS (",
    insert!(),
    " WHERE EXISTS (SELECT 1 FROM opened)), \
     seated AS (INSERT INTO seats (table_id, seat, account_id, robot_level, opened_at) \
     SELECT opened.id, seated.* , opened.opened_at \
     FROM opened, unnest($29::smallint[], $30::uuid[], $31::smallint[]) AS seated), \
     becomes_due AS (INSERT INTO due (table_id, kind, at) \
     SELECT opened.id, becomes_due.* \
     FROM opened, unnest($32::text[], $33::timestamptz[]) AS becomes_due) \
     SELECT id FROM opened"
);

/// What is there of a table afterwards, whoever opened it.
pub(super) const OPENED: &str = "SELECT commitment, version, COALESCE((SELECT revision FROM journal \
    WHERE table_id = id ORDER BY revision DESC LIMIT 1), 0) FROM tables WHERE id = $1";

/// The statement that opens a table.
pub(super) fn query(table: &NewTable) -> sqlx::Result<TablesQuery<'_>> {
    let mut arguments = PgArguments::default();
    bind(table, &mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(query_as_with(OPEN, arguments))
}

fn bind(table: &NewTable, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
    let header = &table.header;
    let mut columns = JournalColumns::default();
    for entry in &table.entries {
        columns.push(header.id, entry);
    }
    columns.bind(arguments)?;
    arguments.add(header.id)?;
    arguments.add(&header.game)?;
    arguments.add(integer(header.version))?;
    arguments.add(&header.variant)?;
    arguments.add(&header.options)?;
    arguments.add(i16::from(header.seats))?;
    arguments.add(i16::from(header.first_seat.0))?;
    arguments.add(seed_column::column(&table.seed))?;
    arguments.add(&header.commitment)?;
    arguments.add(header.series_id)?;
    arguments.add(table.series.as_str())?;
    arguments.add(table.phase.as_str())?;
    arguments.add(header.opened_at)?;
    arguments.add(table.occupants().map(|who| who.seat.0.into()).collect::<Vec<i16>>())?;
    arguments.add(table.occupants().map(|who| who.account.0).collect::<Vec<Uuid>>())?;
    arguments.add(table.occupants().map(|who| who.robot_level.into()).collect::<Vec<i16>>())?;
    let due = || table.due.iter().filter_map(|change| Some((change.kind.as_str(), change.at?)));
    arguments.add(due().map(|(kind, _)| kind).collect::<Vec<&str>>())?;
    arguments.add(due().map(|(_, at)| at).collect::<Vec<Timestamp>>())?;
    arguments.add(table.listed)?;
    arguments.add(header.time_control.map(TimeControl::to_text))
}
