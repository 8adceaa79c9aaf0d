//! Entries as columns: one array for each column of the journal, so that a statement takes any
//! number of entries with the same number of arguments.

use crate::journal::Entry;
use crate::store::kind_columns::{KindColumns, micros};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;
use sqlx::{Arguments, types::Uuid};
use std::borrow::Cow;

/// The arrays, in the order of their placeholders `$1` to `$15`.
#[derive(Default)]
pub(super) struct JournalColumns<'e> {
    table: Vec<Uuid>,
    revision: Vec<i32>,
    kind: Vec<&'e str>,
    seat: Vec<Option<i16>>,
    actor: Vec<Option<i16>>,
    number: Vec<Option<i32>>,
    action: Vec<Option<Cow<'e, str>>>,
    drew: Vec<bool>,
    request_id: Vec<Option<Uuid>>,
    request_hash: Vec<Option<&'e [u8]>>,
    at: Vec<Timestamp>,
    state_hash: Vec<Option<&'e [u8]>>,
    spent: Vec<i64>,
    credit: Vec<i64>,
    runs: Vec<Option<i16>>,
}

/// The statement that inserts the arrays, as the columns of `entry`; whoever uses it may choose among
/// these, and says what happens at a conflict.
macro_rules! insert {
    () => {
        "INSERT INTO journal (table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, \
         request_hash, at, state_hash, spent, credit, runs) \
         SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::smallint[], $5::smallint[], \
         $6::integer[], $7::text[], $8::boolean[], $9::uuid[], $10::bytea[], $11::timestamptz[], \
         $12::bytea[], $13::bigint[], $14::bigint[], $15::smallint[]) AS entry (table_id)"
    };
}
pub(super) use insert;

impl<'e> JournalColumns<'e> {
    pub(super) fn push(&mut self, table: TableId, entry: &'e Entry) {
        let KindColumns { kind, seat, number, action, drew } = (&entry.kind).into();
        self.table.push(table.0);
        self.revision.push(integer(entry.revision));
        self.kind.push(kind);
        self.seat.push(seat.map(|seat| seat.0.into()));
        self.actor.push(entry.actor.map(|seat| seat.0.into()));
        self.number.push(number.map(integer));
        self.action.push(action);
        self.drew.push(drew);
        self.request_id.push(entry.stamp.map(|stamp| stamp.id.0));
        self.request_hash.push(entry.stamp.as_ref().map(|stamp| &stamp.hash[..]));
        self.at.push(entry.at);
        self.state_hash.push(entry.state_hash.as_ref().map(|hash| &hash[..]));
        self.spent.push(micros(entry.time.spent));
        self.credit.push(micros(entry.time.credit));
        self.runs.push(entry.time.runs.map(|seat| seat.0.into()));
    }

    pub(super) fn bind(self, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        arguments.add(self.table)?;
        arguments.add(self.revision)?;
        arguments.add(self.kind)?;
        arguments.add(self.seat)?;
        arguments.add(self.actor)?;
        arguments.add(self.number)?;
        arguments.add(self.action)?;
        arguments.add(self.drew)?;
        arguments.add(self.request_id)?;
        arguments.add(self.request_hash)?;
        arguments.add(self.at)?;
        arguments.add(self.state_hash)?;
        arguments.add(self.spent)?;
        arguments.add(self.credit)?;
        arguments.add(self.runs)
    }
}

/// A number that is far below the limit of the column's type; one that isn't breaks its check.
pub(super) fn integer(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(-1)
}
