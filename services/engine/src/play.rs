//! One action of a seat, from the lock of its table to the answer.

use crate::action::Action;
use crate::decide::{self, Refused};
use crate::guard;
use crate::live::LiveTable;
use crate::occupant::Occupant;
use crate::position::{Behind, Position};
use crate::pulse::Arrival;
use crate::request::Stamp;
use crate::store::heart::Abort;
use crate::tables::{ATTEMPTS_MAX, Held, Tables, busy, store_problem};
use astragal_rules::seat::Seat;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::telemetry::span;
use chrono::TimeDelta;

/// How many games an account may abort within the hour that each of them counts.
const ABORTS_MAX: u8 = 3;
const ABORTS_COUNT_FOR: TimeDelta = TimeDelta::hours(1);

/// What an account asks for at a table.
pub(crate) struct Command {
    pub(crate) table: TableId,
    pub(crate) account: AccountId,
    pub(crate) request: RequestId,
    pub(crate) action: Action,
    pub(crate) arrival: Arrival,
    /// The way to the player and back, if it was measured.
    pub(crate) round_trip: Option<TimeDelta>,
}

impl Tables {
    /// Does what an account asks for; gives the revision that it made.
    pub(crate) async fn play(&self, command: Command) -> Result<u32> {
        let Command { table, account, request, action, arrival, round_trip } = command;
        let slot = self.slot(table);
        // Nothing is awaited before this: the lock is fair, so one table's requests stay in order.
        let mut held = slot.lock().await;
        let mut seat = self.live(table, &mut held).await?.occupants().seat_of(account);
        if seat.is_none() {
            // Another replica may have seated them.
            self.catch_up(table, &mut held).await?;
            seat = self.live(table, &mut held).await?.occupants().seat_of(account);
        }
        let seat = seat.ok_or_else(|| Problem::permission_denied("you have no seat at this table"))?;
        if let (Some(live), Some(round_trip)) = (held.as_mut(), round_trip) {
            live.round_trips[seat.index()] = round_trip;
        }
        self.act(table, &mut held, seat, &action, action.stamp(request), arrival).await
    }

    /// Does what a seat asks for, against all others who change the same table.
    pub(crate) async fn act(
        &self,
        table: TableId,
        held: &mut Held<'_>,
        seat: Seat,
        action: &Action,
        stamp: Stamp,
        arrival: Arrival,
    ) -> Result<u32> {
        for _ in 0..ATTEMPTS_MAX {
            self.settle_clocks(table, held).await?;
            let mut live = self.live(table, held).await?;
            if let Some(answer) = live.head.requests.answer(seat, &stamp) {
                return answer;
            }
            if live.head.requests.may_be_older(stamp.id) {
                if let Some(answer) = self.answered(table, seat, &stamp).await? {
                    return answer;
                }
                live = self.live(table, held).await?;
            }
            if is_unread(live, action) {
                self.reload(table, held).await?;
                live = self.live(table, held).await?;
            }
            let revision = live.head.revision;
            let deciding = span::part("decide");
            let decided = guard::catch(|| {
                decide::play(live, seat, action, stamp, self.pulse.when(arrival), self.pulse.now())
            });
            deciding.end(decided.as_ref().err().map(Refused::code));
            match decided {
                Ok(prepared) => {
                    if *action == Action::Abort {
                        self.allow_abort(table, held, seat).await?;
                    }
                    if let Some(revision) = self.commit(table, held, prepared).await? {
                        return Ok(revision);
                    }
                }
                Err(Refused::Problem(problem)) => {
                    // What was decided on a table that others have changed is decided again.
                    self.catch_up(table, held).await?;
                    if self.live(table, held).await?.head.revision != revision {
                        continue;
                    }
                    return Err(problem);
                }
                Err(Refused::Broken(why)) => return Err(self.crash(table, held, &why).await),
            }
        }
        Err(busy())
    }

    /// An account may abort so often only. Which games it aborts is the table's business.
    async fn allow_abort(&self, table: TableId, held: &mut Held<'_>, seat: Seat) -> Result<()> {
        let occupant = self.live(table, held).await?.occupants().at(seat).copied();
        let Some(Occupant { account, .. }) = occupant else { return Ok(()) };
        let at = self.pulse.now();
        let abort = Abort { account, table, at, since: at - ABORTS_COUNT_FOR, aborts_max: ABORTS_MAX };
        if self.store.allow_abort(abort).await.map_err(|error| store_problem(&error))? {
            return Ok(());
        }
        let why =
            format!("you have aborted {ABORTS_MAX} games within an hour; resign or leave the game instead");
        Err(Problem::new(Code::RateLimited, why))
    }

    /// What was answered to this request before, by whichever replica.
    async fn answered(&self, table: TableId, seat: Seat, stamp: &Stamp) -> Result<Option<Result<u32>>> {
        let entry = self.store.entry_of(table, seat, stamp.id).await;
        let entry = entry.map_err(|error| store_problem(&error))?;
        Ok(entry.and_then(|entry| Some(stamp.answer(&entry.stamp?, entry.revision))))
    }
}

/// Only the last move is at hand; after an undo the one before it has to be read.
fn is_unread(live: &LiveTable, action: &Action) -> bool {
    let unread = |position: &Position| matches!(position.behind, Behind::Unread);
    matches!(action, Action::Undo { .. }) && live.position.as_ref().is_some_and(unread)
}
