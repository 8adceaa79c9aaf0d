//! What seldom changes with an entry, gathered over a batch: a JSON array for each statement, in the
//! order of the statements.

use crate::journal::Entry;
use crate::store::journal_row::hex_of;
use crate::store::{Append, DueChange, Write};
use sqlx::Arguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;
use std::sync::Arc;

/// The statements. With empty arrays they cost next to nothing.
macro_rules! statements {
    () => {
        "INSERT INTO seats (table_id, seat, account_id, robot_level, opened_at) \
         SELECT tables.id, value ->> 1, unhex(value ->> 2), value ->> 3, tables.opened_at \
         FROM json_each(?) JOIN tables ON tables.id = unhex(value ->> 0); \
         UPDATE tables SET phase = value ->> 1 FROM json_each(?) WHERE tables.id = unhex(value ->> 0); \
         DELETE FROM due WHERE (table_id, kind) IN \
         (SELECT unhex(value ->> 0), value ->> 1 FROM json_each(?)); \
         INSERT INTO due (table_id, kind, at) \
         SELECT unhex(value ->> 0), value ->> 1, value ->> 2 FROM json_each(?) WHERE true \
         ON CONFLICT (table_id, kind) DO UPDATE SET at = excluded.at; \
         UPDATE tables SET phase = 'over', outcome = value ->> 1, series = value ->> 2, \
         ended_at = value ->> 3 FROM json_each(?) WHERE tables.id = unhex(value ->> 0); \
         UPDATE seats SET over = 1 FROM json_each(?) WHERE table_id = unhex(value ->> 0); \
         DELETE FROM due WHERE kind <> 'ended' AND table_id IN (SELECT unhex(value ->> 0) FROM json_each(?));"
    };
}

pub(super) use statements;

/// How many of the statements are about ends.
const ENDED_USES: usize = 3;

/// What changes with the entries of a batch.
#[derive(Default)]
pub(super) struct Changes<'b> {
    seated: Vec<(String, u8, String, u8)>,
    phases: Vec<(String, &'static str)>,
    undue: Vec<(String, &'static str)>,
    due: Vec<(String, &'static str, i64)>,
    ended: Vec<(String, String, &'b str, i64)>,
}

impl<'b> Changes<'b> {
    /// Gathers them.
    pub(super) fn of(batch: impl Iterator<Item = &'b Write>) -> Self {
        let mut changes = Self::default();
        for write in batch {
            let table = || hex_of(write.table().0);
            for who in write.entries().iter().filter_map(Entry::seated) {
                changes.seated.push((table(), who.seat.0, hex_of(who.account.0), who.robot_level));
            }
            match write {
                Write::Open(new) => changes.becomes_due(&new.due, table),
                Write::Append(append) => changes.add(append),
            }
        }
        changes
    }

    fn add(&mut self, append: &'b Append) {
        let table = || hex_of(append.table.0);
        if let Some(end) = &append.ended {
            let at = append.entry.at.timestamp_micros();
            let outcome = serde_json::to_string(&end.outcome).unwrap_or_default();
            self.ended.push((table(), outcome, end.series.as_str(), at));
        } else if let Some(phase) = append.phase {
            self.phases.push((table(), phase.as_str()));
        }
        self.becomes_due(&append.due, table);
    }

    fn becomes_due(&mut self, changes: &[DueChange], table: impl Fn() -> String) {
        for change in changes {
            match change.at {
                Some(at) => self.due.push((table(), change.kind.as_str(), at.timestamp_micros())),
                None => self.undue.push((table(), change.kind.as_str())),
            }
        }
    }

    /// Adds the arrays in the order of their placeholders.
    pub(super) fn bind(&self, arguments: &mut SqliteArguments) -> sqlx::Result<()> {
        let ended = serde_json::to_string(&self.ended).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let ended: Arc<str> = ended.into();
        let bound = arguments
            .add(Json(&self.seated))
            .and_then(|()| arguments.add(Json(&self.phases)))
            .and_then(|()| arguments.add(Json(&self.undue)))
            .and_then(|()| arguments.add(Json(&self.due)))
            .and_then(|()| (0..ENDED_USES).try_for_each(|_| arguments.add(Arc::clone(&ended))));
        bound.map_err(sqlx::Error::Encode)
    }
}
