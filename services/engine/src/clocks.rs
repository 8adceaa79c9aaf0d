//! The clocks of a table, folded from its journal. Pure: instants come in, spans and instants come
//! out. They are no part of any state, and no log knows them.
//!
//! No clock runs while a seat is empty; the entry that fills the last one starts the first. From then
//! on each entry says what it costs the seat whose clock ran (`spent`), whose clock runs after it
//! (`runs`), and how much of that seat's next time is on its way through the network and so is not
//! counted (`credit`).

use crate::journal::{Entry, EntryKind};
use astragal_proto::engine::v1 as wire;
use astragal_rules::certificate::CREDIT_US_MAX;
use astragal_rules::seat::{SEATS_MAX, Seat};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::time_control::TimeControl;
use chrono::{DateTime, TimeDelta};

/// The most that is not counted of a turn because of the network.
pub const CREDIT_MAX: TimeDelta = TimeDelta::microseconds(CREDIT_US_MAX);

/// What an entry of the journal says of the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeMark {
    /// What the seat whose clock ran before has spent.
    pub spent: TimeDelta,
    /// What is not counted of the time that runs after it.
    pub credit: TimeDelta,
    /// Whose clock runs after it; none: they stand.
    pub runs: Option<Seat>,
}

/// The clocks of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    seats: u8,
    started: bool,
    remaining: [TimeDelta; SEATS_MAX as usize],
    running: Option<Seat>,
    stopped: bool,
    since: Timestamp,
    credit: TimeDelta,
    /// How many moves stand.
    moves: u32,
    /// How many of them were made before the clocks started.
    unclocked: u32,
    /// With a time per move: what was left at each clocked move that stands, for when it is taken back.
    left: Vec<TimeDelta>,
}

impl Clocks {
    /// Of a table that has just been opened.
    pub fn new(control: TimeControl, seats: u8) -> Self {
        Self {
            control,
            seats: seats.min(SEATS_MAX),
            started: false,
            remaining: [control.initial(); SEATS_MAX as usize],
            running: None,
            stopped: false,
            since: DateTime::UNIX_EPOCH,
            credit: TimeDelta::zero(),
            moves: 0,
            unclocked: 0,
            left: Vec::new(),
        }
    }

    /// Folds a journal, or the beginning of one.
    pub fn fold<'e>(control: TimeControl, seats: u8, entries: impl IntoIterator<Item = &'e Entry>) -> Self {
        let mut clocks = Self::new(control, seats);
        entries.into_iter().for_each(|entry| clocks.follow(entry));
        clocks
    }

    /// Takes in the next entry.
    pub fn follow(&mut self, entry: &Entry) {
        let TimeMark { spent, credit, runs } = entry.time;
        let ran = self.running;
        let clocked = self.started;
        if let Some(seat) = ran {
            let remaining = &mut self.remaining[seat.index()];
            *remaining = (*remaining - spent).max(TimeDelta::zero());
        }
        match &entry.kind {
            EntryKind::Move(logged) => {
                self.moves = logged.number;
                if clocked {
                    self.earn(logged.seat);
                }
            }
            EntryKind::Undo { number } => {
                self.moves = number.saturating_sub(1);
                if clocked {
                    self.give_back(*number, entry.actor, ran, spent);
                }
            }
            EntryKind::SeatTaken(_) if runs.is_some() && !self.started => {
                self.started = true;
                self.unclocked = self.moves;
            }
            _ => {}
        }
        self.stopped = matches!(entry.kind, EntryKind::ClockStopped(_));
        if self.started {
            (self.running, self.since, self.credit) = (runs, entry.at, credit);
        }
    }

    fn earn(&mut self, mover: Option<Seat>) {
        if let TimeControl::PerMove { .. } = self.control {
            self.left.push(mover.map_or(TimeDelta::zero(), |seat| self.remaining[seat.index()]));
        }
        let Some(seat) = mover else { return };
        let remaining = &mut self.remaining[seat.index()];
        *remaining = match self.control {
            TimeControl::SuddenDeath { .. } => *remaining + self.control.increment(),
            TimeControl::PerMove { .. } => self.control.initial(),
        };
    }

    fn give_back(&mut self, number: u32, actor: Option<Seat>, ran: Option<Seat>, spent: TimeDelta) {
        if number <= self.unclocked {
            self.unclocked = number.saturating_sub(1);
            return;
        }
        let left = self.left.pop();
        let Some(seat) = actor else { return };
        let after = self.after_undo(seat, ran, spent, left);
        if let (TimeControl::PerMove { .. }, Some(other)) = (self.control, ran) {
            self.remaining[other.index()] = self.control.initial();
        }
        self.remaining[seat.index()] = after.max(TimeDelta::zero());
    }

    /// What a seat has once its move is taken back; `spent` is charged to `ran` already.
    fn after_undo(
        &self,
        seat: Seat,
        ran: Option<Seat>,
        spent: TimeDelta,
        left: Option<TimeDelta>,
    ) -> TimeDelta {
        match self.control {
            TimeControl::SuddenDeath { .. } => self.remaining[seat.index()] - self.control.increment(),
            TimeControl::PerMove { .. } => {
                let thought = if ran == Some(seat) { spent } else { TimeDelta::zero() };
                left.unwrap_or_else(|| self.control.initial()) - thought
            }
        }
    }

    /// Whether a seat that takes back its move of this number, as it asks at an instant, has time left
    /// after the increment is given back.
    pub fn survives_undo(&self, seat: Seat, number: u32, arrived: Timestamp) -> bool {
        if !self.started || number <= self.unclocked {
            return true;
        }
        let spent = self.charge(arrived);
        let mut charged = self.clone();
        if let Some(ran) = self.running {
            charged.remaining[ran.index()] -= spent;
        }
        charged.after_undo(seat, self.running, spent, self.left.last().copied()) > TimeDelta::zero()
    }

    /// Whether they have started: every seat is taken.
    pub const fn started(&self) -> bool {
        self.started
    }

    /// Whose clock runs.
    pub const fn running(&self) -> Option<Seat> {
        self.running
    }

    /// Whether they were stopped, and wait to run again.
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// When the newest of what they say happened.
    pub const fn since(&self) -> Timestamp {
        self.since
    }

    /// What a seat had at that instant.
    pub fn remaining(&self, seat: Seat) -> TimeDelta {
        self.remaining.get(seat.index()).copied().unwrap_or_default()
    }

    /// The seat whose time runs, and the first instant at which it has none: the credit is over too.
    pub fn deadline(&self) -> Option<(Seat, Timestamp)> {
        self.running.map(|seat| (seat, self.since + self.remaining[seat.index()] + self.credit))
    }

    /// Whether the seat whose time runs has none left at an instant.
    pub fn is_out(&self, at: Timestamp) -> bool {
        self.deadline().is_some_and(|(_, deadline)| at >= deadline)
    }

    /// What the seat whose clock runs has spent until an instant: never more than it had.
    pub fn charge(&self, until: Timestamp) -> TimeDelta {
        let Some(seat) = self.running else { return TimeDelta::zero() };
        let counted = (until - self.since) - self.credit;
        counted.max(TimeDelta::zero()).min(self.remaining[seat.index()])
    }

    /// What an entry says by which the clock of a seat begins to run, or of no seat.
    pub fn turn(&self, arrived: Timestamp, runs: Option<Seat>, credit: TimeDelta) -> TimeMark {
        let credit = if runs.is_some() { credit.min(CREDIT_MAX) } else { TimeDelta::zero() };
        TimeMark { spent: self.charge(arrived), credit, runs }
    }

    /// What an entry says that is no turn of the seat whose clock runs: it runs on, with what is left
    /// of its credit. If the table goes on with another seat, that one begins without a credit.
    pub fn meanwhile(&self, at: Timestamp, runs: Option<Seat>) -> TimeMark {
        let left = (self.credit - (at - self.since).max(TimeDelta::zero())).max(TimeDelta::zero());
        let credit = if runs.is_some() && runs == self.running { left } else { TimeDelta::zero() };
        TimeMark { spent: self.charge(at), credit, runs }
    }

    /// An instant before which no seat can run out, whatever happens meanwhile but for moves taken
    /// back. `order` are the seats that still play.
    pub fn earliest(&self, now: Timestamp, order: impl IntoIterator<Item = Seat>) -> Option<Timestamp> {
        let running = self.running?;
        // Without the credit: this turn may end before it is used up, and the next has another one.
        let deadline = self.since + self.remaining[running.index()];
        let others = order.into_iter().filter(|seat| *seat != running);
        let next = others.map(|seat| now.max(self.since) + self.remaining[seat.index()]);
        Some(next.fold(deadline, Ord::min))
    }

    /// What the clocks show at an instant; none before they start. The credit doesn't show: a seat
    /// never loses with time left on its clock.
    pub fn reading(&self, at: Timestamp) -> Option<wire::Clock> {
        let shown = |seat: Seat| {
            let ran = if self.running == Some(seat) {
                (at - self.since).max(TimeDelta::zero())
            } else {
                TimeDelta::zero()
            };
            (self.remaining[seat.index()] - ran).max(TimeDelta::zero()).to_std().unwrap_or_default().into()
        };
        self.started.then(|| wire::Clock {
            remaining: Seat::all(self.seats).map(shown).collect(),
            running: self.running.map(|seat| seat.0.into()),
            server_time: Some(at.into()),
        })
    }
}

#[cfg(test)]
#[path = "clocks_tests.rs"]
mod tests;
