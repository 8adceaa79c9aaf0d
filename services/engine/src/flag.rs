//! Time that runs at a table: what no engine lived through is taken out of it, and when a seat has none
//! left its flag falls. Any replica may write that; the journal lets one of them.
//!
//! Two things see to it. A row of what is due holds an instant before which no seat can be out of time;
//! it isn't written at a move, and any replica that finds it due looks at the table and says anew when
//! that can be. And where a clock has little left, the process that knows of it has a timer.

use crate::change;
use crate::clocks::Clocks;
use crate::decide::{self, Refused};
use crate::due::{self, FLAG_AFTER};
use crate::guard;
use crate::live::{LiveTable, Prepared};
use crate::tables::{ATTEMPTS_MAX, Held, Tables, busy, store_problem};
use crate::turns::Wake;
use astragal_rules::error::InvalidGame;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use chrono::TimeDelta;

/// A clock with more left than this needs no timer yet.
const TIMER_AHEAD: TimeDelta = TimeDelta::seconds(5);

impl Tables {
    /// Takes out of the clocks of a table whatever no engine lived through.
    pub(crate) async fn settle_clocks(&self, table: TableId, held: &mut Held<'_>) -> Result<()> {
        for _ in 0..ATTEMPTS_MAX {
            let live = self.live(table, held).await?;
            let Some(clocks) = going(live) else { return Ok(()) };
            self.pulse.fresh().await?;
            let outage = self.pulse.outage_after(clocks.since());
            let prepared = if clocks.stopped() {
                let from = outage.map_or_else(|| self.pulse.now(), |outage| outage.ended_at);
                guard::catch(|| change::resume_clocks(live, from))
            } else {
                let Some(outage) = outage else { return Ok(()) };
                guard::catch(|| change::stop_clocks(live, outage.began_at))
            };
            self.write(table, held, prepared).await?;
        }
        Err(busy())
    }

    /// Lets the flag fall of a seat that is out of time; else sees to it that somebody looks again when
    /// one can be. `swept`: the row of what is due was found due.
    pub(crate) async fn flag(&self, table: TableId, swept: bool) -> Result<()> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        if going(self.live(table, &mut held).await?).is_none() {
            return Ok(());
        }
        for _ in 0..ATTEMPTS_MAX {
            self.settle_clocks(table, &mut held).await?;
            let now = self.pulse.now();
            let live = self.live(table, &mut held).await?;
            let Some((seat, deadline)) = going(live).and_then(Clocks::deadline) else { return Ok(()) };
            if now < deadline + FLAG_AFTER {
                let next = live.clocks.as_ref().zip(live.position.as_ref()).filter(|_| swept);
                let next = next.and_then(|(clocks, position)| due::next_flag(clocks, &*position.state, now));
                if let Some(live) = held.as_mut() {
                    self.set_timer(live, now);
                }
                let Some(next) = next else { return Ok(()) };
                let moved = self.store.move_flag(table, now, next).await;
                return moved.map_err(|error| store_problem(&error));
            }
            match guard::catch(|| decide::flag(live, seat, now)) {
                Ok(prepared) => {
                    self.commit(table, &mut held, prepared).await?;
                }
                Err(Refused::Problem(problem)) => return Err(problem),
                Err(Refused::Broken(why)) => return Err(self.crash(table, &mut held, &why).await),
            }
        }
        Err(busy())
    }

    async fn write(
        &self,
        table: TableId,
        held: &mut Held<'_>,
        prepared: std::result::Result<Prepared, InvalidGame>,
    ) -> Result<()> {
        match prepared {
            // Whether it was this one or another replica's, the next look shows what is left to do.
            Ok(prepared) => self.commit(table, held, prepared).await.map(drop),
            Err(why) => Err(self.crash(table, held, &why).await),
        }
    }

    /// Sets the timer of this process for the clock that runs, if that has little left. An earlier
    /// timer stays: whoever looks then sets the next one.
    pub(crate) fn set_timer(&self, live: &mut LiveTable, now: Timestamp) {
        live.timer = live.timer.filter(|at| *at > now);
        let Some((_, deadline)) = going(live).and_then(Clocks::deadline) else { return };
        let at = deadline + FLAG_AFTER;
        if at - now > TIMER_AHEAD || live.timer.is_some_and(|earlier| earlier <= at) {
            return;
        }
        // Without room for it, the row of what is due is there.
        if self.wakes.try_send(Wake::At(at, live.header.id)).is_ok() {
            live.timer = Some(at);
        }
    }
}

/// The clocks of a table that goes on, once they have started.
fn going(live: &LiveTable) -> Option<&Clocks> {
    live.clocks.as_ref().filter(|clocks| live.outcome.is_none() && clocks.started())
}
