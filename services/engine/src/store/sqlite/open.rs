//! The rows of tables that are opened, as one JSON array for one statement. Safe to repeat: a table
//! that is there stays as it is.

use crate::store::journal_row::hex_of;
use crate::store::{NewTable, seed_column};
use astragal_runtime::time_control::TimeControl;

/// The statement that inserts the array `$place`; whoever uses it says what happens at a conflict.
macro_rules! open {
    ($place:literal) => {
        concat!(
            "INSERT INTO tables (id, game, version, variant, options, seats, first_seat, seed, commitment, \
             series_id, series, phase, opened_at, listed, time_control, best_of, follows) \
             SELECT unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, \
             value ->> 6, unhex(value ->> 7), value ->> 8, unhex(value ->> 9), value ->> 10, value ->> 11, \
             value ->> 12, value ->> 13, value ->> 14, value ->> '$[15][0]', unhex(value ->> '$[15][1]') \
             FROM json_each(",
            $place,
            ") WHERE true"
        )
    };
}
pub(super) use open;

/// What there is of a table, whoever opened it.
pub(super) const OPENED: &str = "SELECT commitment, version, COALESCE((SELECT revision FROM journal \
    WHERE table_id = id ORDER BY revision DESC LIMIT 1), 0) FROM tables WHERE id = $1";

/// A row of the array: bytes in hex, the rest as it is.
pub(super) type OpenRow<'t> = (
    String,
    &'t str,
    u32,
    &'t str,
    &'t str,
    u8,
    u8,
    String,
    &'t str,
    Option<String>,
    &'t str,
    &'static str,
    i64,
    bool,
    Option<String>,
    (u8, Option<String>),
);

pub(super) fn row(new: &NewTable) -> OpenRow<'_> {
    let header = &new.header;
    (
        hex_of(header.id.0),
        &header.game,
        header.version,
        &header.variant,
        &header.options,
        header.seats,
        header.first_seat.0,
        seed_column::hex(&new.seed),
        &header.commitment,
        header.series_id.map(hex_of),
        new.series.as_str(),
        new.phase.as_str(),
        header.opened_at.timestamp_micros(),
        new.listed,
        header.time_control.map(TimeControl::to_text),
        (header.best_of, header.follows.map(|table| hex_of(table.0))),
    )
}
