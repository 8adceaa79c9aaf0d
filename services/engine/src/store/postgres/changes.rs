//! What seldom changes with an entry, gathered over a batch: arrays for the parts of one statement.

use super::journal_columns::insert;
use super::open::{self, open};
use crate::header::Phase;
use crate::journal::Entry;
use crate::store::{Append, DueChange, NewTable, Write};
use astragal_runtime::clock::Timestamp;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;
use sqlx::{Arguments, types::Uuid};

/// The parts for what changes with entries, each restricted by what stands after its rows. They run on one snapshot
/// and don't see each other's rows, so no two of them touch the same row: a seat that is taken by the last entry of a
/// table is inserted as over, and what is due at a table that ends is not inserted at all. A table that is opened
/// brings the instant of that for its seats.
macro_rules! changes {
    ($restricted:literal) => {
        concat!(
            "seated AS (INSERT INTO seats (table_id, seat, account_id, robot_level, opened_at, over) \
             SELECT table_id, seated.seat, seated.account_id, seated.robot_level, \
             COALESCE(seated.opened_at, (SELECT opened_at FROM tables WHERE id = table_id)), seated.over \
             FROM unnest($16::uuid[], $17::smallint[], $18::uuid[], $19::smallint[], $20::boolean[], \
             $48::timestamptz[]) AS seated (table_id, seat, account_id, robot_level, over, opened_at)",
            $restricted,
            "), \
             changed AS (UPDATE tables SET phase = changed.phase, outcome = changed.outcome, \
             series = COALESCE(changed.series, tables.series), ended_at = changed.ended_at \
             FROM unnest($21::uuid[], $22::text[], $23::text[], $24::text[], $25::timestamptz[]) \
             AS changed (table_id, phase, outcome, series, ended_at)",
            $restricted,
            " WHERE tables.id = changed.table_id), \
             over AS (UPDATE seats SET over = true \
             FROM unnest($21::uuid[], $23::text[]) AS changed (table_id, outcome)",
            $restricted,
            " WHERE seats.table_id = changed.table_id AND changed.outcome IS NOT NULL), \
             undue AS (DELETE FROM due USING unnest($26::uuid[], $27::text[]) AS undue (table_id, kind)",
            $restricted,
            " WHERE due.table_id = undue.table_id AND (undue.kind IS NULL OR due.kind = undue.kind)), \
             becomes_due AS (INSERT INTO due (table_id, kind, at) \
             SELECT table_id, kind, at FROM unnest($28::uuid[], $29::text[], $30::timestamptz[]) \
             AS becomes_due (table_id, kind, at)",
            $restricted,
            " ON CONFLICT (table_id, kind) DO UPDATE SET at = excluded.at) "
        )
    };
}

/// Entries with all that changes with them, and tables that are opened.
pub(super) const ALL: &str = concat!("WITH opened AS (", open!(), "), ", changes!(""), insert!());

/// The same without what conflicts: of a table that is there already nothing is inserted, and an entry that is
/// there already changes nothing. Gives the tables of which something was written.
pub(super) const SOME: &str = concat!(
    "WITH opened AS (",
    open!(),
    " ON CONFLICT DO NOTHING RETURNING id), appended AS (",
    insert!(),
    " WHERE table_id <> ALL ($31::uuid[]) OR table_id IN (SELECT id FROM opened) \
     ON CONFLICT DO NOTHING RETURNING table_id), \
     written AS (SELECT table_id FROM appended UNION SELECT id FROM opened), ",
    changes!(" JOIN written USING (table_id)"),
    "SELECT table_id FROM written"
);

/// What changes with the entries of a batch: rows, which the statement takes as columns.
#[derive(Default)]
pub(super) struct Changes<'b> {
    opened: Vec<&'b NewTable>,
    seated: Vec<Seated>,
    changed: Vec<Changed<'b>>,
    /// Without a kind: all of them.
    undue: Vec<(Uuid, Option<&'static str>)>,
    due: Vec<(Uuid, &'static str, Timestamp)>,
}

struct Seated {
    table: Uuid,
    seat: i16,
    account: Uuid,
    robot_level: i16,
    over: bool,
    /// Of a table that is opened with it.
    opened_at: Option<Timestamp>,
}

struct Changed<'b> {
    table: Uuid,
    phase: &'static str,
    outcome: Option<String>,
    series: Option<&'b str>,
    ended_at: Option<Timestamp>,
}

impl<'b> Changes<'b> {
    /// Gathers them.
    pub(super) fn of(batch: &'b [Write]) -> Self {
        let mut changes = Self::default();
        for write in batch {
            let (opened_at, over) = match write {
                Write::Open(new) => (Some(new.header.opened_at), false),
                Write::Append(append) => (None, append.ended.is_some()),
            };
            let table = write.table().0;
            let seated = write.entries().iter().filter_map(Entry::seated);
            changes.seated.extend(seated.map(|who| Seated {
                table,
                seat: who.seat.0.into(),
                account: who.account.0,
                robot_level: who.robot_level.into(),
                over,
                opened_at,
            }));
            match write {
                Write::Open(new) => {
                    changes.opened.push(new);
                    changes.becomes_due(table, &new.due);
                }
                Write::Append(append) => changes.add(append),
            }
        }
        changes
    }

    fn add(&mut self, append: &'b Append) {
        let table = append.table.0;
        if let Some(end) = &append.ended {
            self.changed.push(Changed {
                table,
                phase: Phase::Over.as_str(),
                outcome: Some(serde_json::to_string(&end.outcome).unwrap_or_default()),
                series: Some(end.series.as_str()),
                ended_at: Some(append.entry.at),
            });
            self.undue.push((table, None));
        } else if let Some(phase) = append.phase {
            let phase = phase.as_str();
            self.changed.push(Changed { table, phase, outcome: None, series: None, ended_at: None });
        }
        self.becomes_due(table, &append.due);
    }

    fn becomes_due(&mut self, table: Uuid, changes: &[DueChange]) {
        for change in changes {
            match change.at {
                Some(at) => self.due.push((table, change.kind.as_str(), at)),
                None => self.undue.push((table, Some(change.kind.as_str()))),
            }
        }
    }

    /// Adds the columns in the order of their placeholders, from `$16` on.
    pub(super) fn bind(&self, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        arguments.add(column(&self.seated, |row| row.table))?;
        arguments.add(column(&self.seated, |row| row.seat))?;
        arguments.add(column(&self.seated, |row| row.account))?;
        arguments.add(column(&self.seated, |row| row.robot_level))?;
        arguments.add(column(&self.seated, |row| row.over))?;
        arguments.add(column(&self.changed, |row| row.table))?;
        arguments.add(column(&self.changed, |row| row.phase))?;
        arguments.add(column(&self.changed, |row| row.outcome.clone()))?;
        arguments.add(column(&self.changed, |row| row.series))?;
        arguments.add(column(&self.changed, |row| row.ended_at))?;
        arguments.add(column(&self.undue, |row| row.0))?;
        arguments.add(column(&self.undue, |row| row.1))?;
        arguments.add(column(&self.due, |row| row.0))?;
        arguments.add(column(&self.due, |row| row.1))?;
        arguments.add(column(&self.due, |row| row.2))?;
        open::bind(&self.opened, arguments)?;
        arguments.add(column(&self.seated, |row| row.opened_at))
    }
}

/// One column of rows.
pub(super) fn column<'r, R, V>(rows: &'r [R], value: impl Fn(&'r R) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}
