//! The rows of a batch for one statement, each value in a placeholder of its own: `SQLite` reads JSON far
//! slower than values.
//!
//! There is a statement for each power of two; the places that a batch leaves over stay empty.

use crate::journal::Entry;
use crate::store::Write;
use crate::store::kind_columns::{KindColumns, micros};
use astragal_rules::seat::Seat;
use astragal_runtime::id::TableId;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, Encode, Sqlite, Type};

/// The most rows of one statement, which has no more than 32,766 placeholders.
pub(super) const ROWS_MAX: usize = 2_048;

const COLUMNS: usize = 15;

/// A row of the journal, before it is one.
pub(super) type NewRow<'b> = (TableId, &'b Entry);

/// What parts of a batch add to the journal.
pub(super) fn rows<'b>(batch: impl IntoIterator<Item = &'b Write>) -> Vec<NewRow<'b>> {
    let rows = |write: &'b Write| write.entries().iter().map(|entry| (write.table(), entry));
    batch.into_iter().flat_map(rows).collect()
}

/// How many rows the statement for so many has room for.
pub(super) fn places(rows: usize) -> usize {
    rows.clamp(1, ROWS_MAX).next_power_of_two()
}

/// A statement for so many rows that begins and ends with these words.
pub(super) fn insert(begin: &str, places: usize, end: &str) -> String {
    let row = format!("({})", ["?"; COLUMNS].join(", "));
    let rows = vec![row; places].join(", ");
    format!(
        "{begin} INTO journal (table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, \
         request_hash, at, state_hash, spent, credit, runs) \
         SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL{end}"
    )
}

/// Fills all places of the statement for these rows.
pub(super) fn bind(rows: &[NewRow<'_>], arguments: &mut SqliteArguments) -> sqlx::Result<()> {
    let places = places(rows.len());
    arguments.reserve(COLUMNS * places, 0);
    let mut values = Values(arguments);
    let mut bound = rows.iter().try_for_each(|(table, entry)| values.row(*table, entry));
    for _ in COLUMNS * rows.len()..COLUMNS * places {
        bound = bound.and_then(|()| values.add(None::<i64>));
    }
    bound.map_err(sqlx::Error::Encode)
}

struct Values<'a>(&'a mut SqliteArguments);

impl Values<'_> {
    fn row(&mut self, table: TableId, entry: &Entry) -> Result<(), BoxDynError> {
        let KindColumns { kind, seat, number, action, drew } = (&entry.kind).into();
        let seat_number = |seat: Option<Seat>| seat.map(|seat| seat.0);
        self.add(table)?;
        self.add(entry.revision)?;
        self.add(kind)?;
        self.add(seat_number(seat))?;
        self.add(seat_number(entry.actor))?;
        self.add(number)?;
        self.add(action.as_deref())?;
        self.add(drew)?;
        self.add(entry.stamp.map(|stamp| stamp.id))?;
        self.add(entry.stamp.as_ref().map(|stamp| &stamp.hash[..]))?;
        self.add(entry.at.timestamp_micros())?;
        self.add(entry.state_hash.as_ref().map(|hash| &hash[..]))?;
        self.add(micros(entry.time.spent))?;
        self.add(micros(entry.time.credit))?;
        self.add(seat_number(entry.time.runs))
    }

    fn add<'v, T: Encode<'v, Sqlite> + Type<Sqlite>>(&mut self, value: T) -> Result<(), BoxDynError> {
        self.0.add(value)
    }
}
