//! The rows of tables that are opened, as columns for a part of one statement.

use super::changes::column;
use super::journal_columns::integer;
use crate::store::{NewTable, seed_column};
use astragal_runtime::time_control::TimeControl;
use sqlx::Arguments;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;

/// The part that inserts the columns, which stand in `$31` to `$47`.
macro_rules! open {
    () => {
        "INSERT INTO tables (id, game, version, variant, options, seats, first_seat, seed, \
         commitment, series_id, series, phase, opened_at, listed, time_control, best_of, follows) \
         SELECT * FROM unnest($31::uuid[], $32::text[], $33::integer[], $34::text[], $35::text[], \
         $36::smallint[], $37::smallint[], $38::bytea[], $39::text[], $40::uuid[], $41::text[], \
         $42::text[], $43::timestamptz[], $44::boolean[], $45::text[], $46::smallint[], $47::uuid[])"
    };
}
pub(super) use open;

/// What there is of a table, whoever opened it.
pub(super) const OPENED: &str = "SELECT commitment, version, COALESCE((SELECT revision FROM journal \
    WHERE table_id = id ORDER BY revision DESC LIMIT 1), 0) FROM tables WHERE id = $1";

/// Adds the columns in the order of their placeholders.
pub(super) fn bind(opened: &[&NewTable], arguments: &mut PgArguments) -> Result<(), BoxDynError> {
    arguments.add(column(opened, |new| new.header.id.0))?;
    arguments.add(column(opened, |new| new.header.game.as_str()))?;
    arguments.add(column(opened, |new| integer(new.header.version)))?;
    arguments.add(column(opened, |new| new.header.variant.as_str()))?;
    arguments.add(column(opened, |new| new.header.options.as_str()))?;
    arguments.add(column(opened, |new| i16::from(new.header.seats)))?;
    arguments.add(column(opened, |new| i16::from(new.header.first_seat.0)))?;
    arguments.add(column(opened, |new| seed_column::column(&new.seed)))?;
    arguments.add(column(opened, |new| new.header.commitment.as_str()))?;
    arguments.add(column(opened, |new| new.header.series_id))?;
    arguments.add(column(opened, |new| new.series.as_str()))?;
    arguments.add(column(opened, |new| new.phase.as_str()))?;
    arguments.add(column(opened, |new| new.header.opened_at))?;
    arguments.add(column(opened, |new| new.listed))?;
    arguments.add(column(opened, |new| new.header.time_control.map(TimeControl::to_text)))?;
    arguments.add(column(opened, |new| i16::from(new.header.best_of)))?;
    arguments.add(column(opened, |new| new.header.follows.map(|table| table.0)))
}
