//! The clocks of a game of two, folded by hand from the rows of its journal: a second opinion on what the
//! engine does. No move adds time here.

use super::player::Shown;
use anyhow::{Context, Result, ensure};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{Connection, FromRow, PgConnection};
use std::collections::BTreeMap;
use uuid::Uuid;

/// An entry of the journal.
#[derive(Debug, FromRow)]
pub(super) struct Row {
    revision: i32,
    kind: String,
    action: Option<String>,
    at: DateTime<Utc>,
    spent: i64,
    credit: i64,
    runs: Option<i16>,
}

/// The journal of a table.
pub(super) async fn journal(database_url: &str, table: &str) -> Result<Vec<Row>> {
    let mut connection = PgConnection::connect(database_url).await?;
    let rows = sqlx::query_as(
        "SELECT revision, kind, action, at, spent, credit, runs FROM engine.journal WHERE table_id = $1 \
         ORDER BY revision",
    );
    let rows = rows.bind(Uuid::parse_str(table)?).fetch_all(&mut connection).await?;
    connection.close().await?;
    Ok(rows)
}

/// A time that was taken out of the clocks.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) reason: String,
    pub(super) stopped_at: DateTime<Utc>,
    pub(super) resumed_at: DateTime<Utc>,
    /// What was left to the seat whose clock ran.
    pub(super) remaining: TimeDelta,
}

/// What is left to each seat, whose clock runs, and when that was so.
type Reading = ([TimeDelta; 2], Option<u32>, DateTime<Utc>);

/// What the rows say.
pub(super) struct Ledger {
    id: String,
    initial: TimeDelta,
    spent: [TimeDelta; 2],
    remaining: [TimeDelta; 2],
    /// What the clocks are after each revision.
    readings: BTreeMap<u32, Reading>,
    flag_after: Option<TimeDelta>,
    /// How long after their arrival moves were decided, at most.
    decided_after_max: TimeDelta,
    stops: Vec<Stop>,
}

impl Ledger {
    pub(super) fn fold(rows: &[Row], id: &str, initial_ms: u64) -> Result<Self> {
        let initial = TimeDelta::milliseconds(i64::try_from(initial_ms)?);
        let mut ledger = Self {
            id: id.to_owned(),
            initial,
            spent: [TimeDelta::zero(); 2],
            remaining: [initial; 2],
            readings: BTreeMap::new(),
            flag_after: None,
            decided_after_max: TimeDelta::zero(),
            stops: Vec::new(),
        };
        let mut runs: Option<(usize, DateTime<Utc>, TimeDelta)> = None;
        let mut stopped: Option<(usize, &Row)> = None;
        for row in rows {
            if let Some((seat, since, credit)) = runs {
                let (spent, passed) = (TimeDelta::microseconds(row.spent), row.at - since);
                ensure!(
                    spent >= TimeDelta::zero() && spent <= passed,
                    "{id}: {row:?} spent more than {passed}"
                );
                let deadline = since + ledger.remaining[seat] + credit;
                ledger.spent[seat] += spent;
                ledger.remaining[seat] -= spent;
                ensure!(ledger.remaining[seat] >= TimeDelta::zero(), "{id}: below zero at {row:?}");
                if row.action.as_deref() == Some(&format!("{{\"time\":{seat}}}")) {
                    ledger.flag_after = Some(row.at - deadline);
                } else if row.kind == "move" && row.spent > 0 {
                    // What is neither the player's time nor on its way through the network.
                    ledger.decided_after_max = ledger.decided_after_max.max(passed - spent - credit);
                }
                if row.kind == "clock_stopped" {
                    stopped = Some((seat, row));
                }
            } else {
                ensure!(row.spent == 0, "{id}: {row:?} was spent by nobody");
            }
            if let (Some((seat, stop)), "clock_resumed") = (stopped, row.kind.as_str()) {
                ledger.stops.push(Stop {
                    reason: stop.action.clone().unwrap_or_default(),
                    stopped_at: stop.at,
                    resumed_at: row.at,
                    remaining: ledger.remaining[seat],
                });
            }
            let seat = row.runs.map(usize::try_from).transpose()?;
            runs = seat.map(|seat| (seat, row.at, TimeDelta::microseconds(row.credit)));
            let reading = (ledger.remaining, seat.map(|seat| seat as u32), row.at);
            ledger.readings.insert(u32::try_from(row.revision)?, reading);
        }
        Ok(ledger)
    }

    /// Nothing is lost and nothing is made: what is left and what was spent is what there was.
    pub(super) fn check_sums(&self) -> Result<()> {
        for seat in [0, 1] {
            let sum = self.spent[seat] + self.remaining[seat];
            ensure!(sum == self.initial, "{}: seat {seat} has {sum} of {}", self.id, self.initial);
        }
        Ok(())
    }

    /// Whatever the sockets were shown is what the rows say.
    pub(super) fn check_shown(&self, shown: &[Shown]) -> Result<()> {
        ensure!(!shown.is_empty(), "{}: no clock was shown", self.id);
        for clock in shown {
            let told = self.readings.get(&clock.revision).context("a revision that the journal lacks")?;
            let same = clock.remaining == told.0 && clock.running == told.1 && clock.at == told.2;
            ensure!(same, "{}: shown {clock:?}, the journal says {told:?}", self.id);
        }
        Ok(())
    }

    /// How long after its deadline and its credit the flag fell, if one did.
    pub(super) const fn flag_after(&self) -> Option<TimeDelta> {
        self.flag_after
    }

    /// How long after its arrival the move was decided that waited longest.
    pub(super) const fn decided_after_max(&self) -> TimeDelta {
        self.decided_after_max
    }

    /// The time that was taken out around an instant.
    pub(super) fn stop_at(&self, instant: DateTime<Utc>) -> Option<&Stop> {
        self.stops.iter().find(|stop| (stop.stopped_at..stop.resumed_at).contains(&instant))
    }
}
