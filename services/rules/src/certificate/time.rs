//! What a certificate says of time, entry by entry: its order, what was spent, whose clock ran. How much was
//! left to a seat is nowhere said, so it is not checked.

use super::ClockRecord;
use super::journal::{Event, Record};
use crate::any::AnyTable;
use crate::error::InvalidGame;
use crate::seat::Seat;
use crate::table_move::TableMove;

/// The most of a turn that is not counted because of the network, in microseconds.
pub const CREDIT_US_MAX: i64 = 500_000;

/// Time as far as a journal was followed.
pub(super) struct Time {
    clocked: bool,
    at_us: i64,
    runs: Option<Seat>,
    stopped: bool,
}

impl Time {
    /// At the opening of a table.
    pub(super) const fn of(clock: Option<&ClockRecord>, opened_at_us: i64) -> Self {
        Self { clocked: clock.is_some(), at_us: opened_at_us, runs: None, stopped: false }
    }

    /// Follows an entry that led to this table. `full`: every seat is taken.
    pub(super) fn follow(
        &mut self,
        record: &Record,
        table: &dyn AnyTable,
        full: bool,
    ) -> Result<(), InvalidGame> {
        if record.at_us < self.at_us {
            return Err(InvalidGame::new("atUs", "earlier than what came before"));
        }
        if record.spent_us < 0 || record.spent_us > 0 && self.runs.is_none() {
            return Err(InvalidGame::new("spentUs", "below 0, or spent while no clock ran"));
        }
        if !(0..=CREDIT_US_MAX).contains(&record.credit_us) || record.credit_us > 0 && record.runs.is_none() {
            let why = format!("from 0 to {CREDIT_US_MAX}, and 0 while no clock runs");
            return Err(InvalidGame::new("creditUs", why));
        }
        let stops = matches!(record.event, Event::ClockStopped { .. });
        if stops && !(self.clocked && full) {
            return Err(InvalidGame::new("event", "no clock was there to stop"));
        }
        if matches!(record.event, Event::ClockResumed {}) && !self.stopped {
            return Err(InvalidGame::new("event", "the clocks did not stand"));
        }
        if let Some(seat) = flag(&record.event).filter(|seat| self.runs != Some(*seat)) {
            return Err(InvalidGame::new("move", format_args!("the clock of seat {seat} did not run")));
        }
        if let Some(seat) = record.runs {
            // Nobody is to move at a table that is over.
            let may = self.clocked && full && !stops && table.turn().to_move().any(|mover| mover == seat);
            if !may {
                let why = format!("the clock of seat {seat} can't run then");
                return Err(InvalidGame::new("runs", why));
            }
        }
        (self.at_us, self.runs, self.stopped) = (record.at_us, record.runs, stops);
        Ok(())
    }
}

/// The seat that an entry says is out of time.
fn flag(event: &Event) -> Option<Seat> {
    let Event::Move { seat: None, action, .. } = event else { return None };
    match serde_json::from_value(action.clone()) {
        Ok(TableMove::Time(seat)) => Some(seat),
        _ => None,
    }
}
