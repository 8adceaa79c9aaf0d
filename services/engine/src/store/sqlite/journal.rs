//! The rows of a batch for one statement, each value in a placeholder of its own: `SQLite` reads JSON far
//! slower than values.
//!
//! A statement is kept ready for each power of two; the places that a batch leaves over stay empty.

use crate::journal::Entry;
use crate::store::Write;
use crate::store::kind_columns::{KindColumns, micros};
use astragal_rules::seat::Seat;
use astragal_runtime::id::TableId;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, Encode, Sqlite, Type};
use std::sync::OnceLock;

/// The most rows of one statement, which has no more than 32,766 placeholders.
pub(super) const ROWS_MAX: usize = 2_048;

const COLUMNS: usize = 15;

/// What happens to a row whose revision is there already.
#[derive(Clone, Copy)]
pub(super) enum Conflict {
    /// It takes the whole transaction back. `SQLite` needs no copies of pages for that, as it would to take
    /// back the statement alone.
    RollBack,
    /// It is left out, and the statement gives the tables of the others.
    LeaveOut,
}

/// The statement for so many rows.
pub(super) fn insert(rows: usize, conflict: Conflict) -> &'static str {
    static TEXTS: [OnceLock<[String; 2]>; ROWS_MAX.ilog2() as usize + 1] =
        [const { OnceLock::new() }; ROWS_MAX.ilog2() as usize + 1];
    let size = places(rows).ilog2();
    let texts = TEXTS[size as usize].get_or_init(|| {
        [text("INSERT OR ROLLBACK", 1 << size, ""), text("INSERT", 1 << size, LEAVE_OUT)]
    });
    &texts[conflict as usize]
}

const LEAVE_OUT: &str = " ON CONFLICT DO NOTHING RETURNING table_id";

fn text(insert: &str, places: usize, conflict: &str) -> String {
    let row = format!("({})", ["?"; COLUMNS].join(", "));
    let rows = vec![row; places].join(", ");
    format!(
        "{insert} INTO journal (table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, \
         request_hash, at, state_hash, spent, credit, runs) \
         SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL{conflict}"
    )
}

fn places(rows: usize) -> usize {
    rows.clamp(1, ROWS_MAX).next_power_of_two()
}

/// What the parts of a batch add to the journal.
pub(super) fn entries<'b>(
    batch: impl IntoIterator<Item = &'b Write>,
) -> impl Iterator<Item = (TableId, &'b Entry)> {
    batch.into_iter().flat_map(|write| write.entries().iter().map(|entry| (write.table(), entry)))
}

/// The values of these rows, of which there are no more than [`ROWS_MAX`].
pub(super) fn values(rows: &[(TableId, &Entry)]) -> Result<SqliteArguments, BoxDynError> {
    let mut values = Values(SqliteArguments::default());
    values.0.reserve(COLUMNS * rows.len(), 0);
    for (table, entry) in rows {
        values.row(*table, entry)?;
    }
    Ok(values.0)
}

struct Values(SqliteArguments);

impl Values {
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
