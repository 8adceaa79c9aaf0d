//! The rematch of one game as a machine: what happens comes in with its instant, what is to be done comes
//! out as values. It knows no store, no bus and no clock, and changes nothing.
//!
//! Time that has passed is taken in before anything else, so a timer that is late changes no outcome.

use crate::entry::{Entry, Given, OPEN_FOR, State};
use crate::reason::Reason;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{RequestId, TableId};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

/// For how long the others may answer.
pub const ASKED_FOR: TimeDelta = TimeDelta::seconds(60);

/// How often a seat may ask within [`ASKS_COUNT_FOR`].
pub const ASKS_MAX: usize = 5;
/// For how long an ask counts.
pub const ASKS_COUNT_FOR: TimeDelta = TimeDelta::minutes(1);

/// After which time somebody else tries to make a next game that is not there yet.
pub const START_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(2);

/// Who is said to be offline was away for this long already: what they were told since, they did not hear.
pub const AWAY_BEFORE_OFFLINE: TimeDelta = TimeDelta::seconds(12);

/// Something that happens.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A seat asks, or accepts.
    Ask {
        /// Which.
        seat: u8,
        /// By which request.
        request: RequestId,
        /// Who is there, by seat.
        online: &'e [bool],
    },
    /// A seat says no, or takes back what it asked.
    Decline {
        /// Which.
        seat: u8,
        /// By which request.
        request: RequestId,
    },
    /// A player turns to another game: looks for one, is seated in one, or has ended one since.
    Left,
    /// A player has been away for longer than a reload takes.
    WentOffline {
        /// Their seat.
        seat: u8,
    },
    /// A player is there again, and is told what they missed.
    CameBack {
        /// Their seat.
        seat: u8,
    },
    /// The next game is there.
    Created,
    /// The next game can't be.
    Refused,
    /// The next game was there, and was aborted before anyone moved.
    Aborted {
        /// Its id.
        next: TableId,
        /// When.
        at: Timestamp,
    },
    /// Nothing but that time passes.
    Time,
}

/// What a player is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Notice {
    /// Somebody wants a rematch.
    Requested {
        /// Who.
        from_seat: u8,
        /// Until when it can be answered.
        expires_at: Timestamp,
    },
    /// It will not be.
    Ended(Reason),
}

/// What is to be done. When the machine wants to be woken, the entry says: [`Entry::deadline`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A player is told.
    Tell(u8, Notice),
    /// Those who watch are told that the next game is there.
    Lead,
    /// The next game is made.
    Start,
}

/// What whoever asked is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Nothing needs to be said.
    Nothing,
    /// The others are asked, and may answer until then.
    Asked(Timestamp),
    /// All agree, and the next game is being made.
    Starting,
    /// All agree, and the next game is there.
    Started,
    /// It can't be.
    Ended(Reason),
    /// Too many asks.
    TooOften,
    /// The id was used for another request.
    Reused,
    /// While nobody was there it has ended so.
    Missed(Reason),
}

/// What comes of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The entry after it.
    pub entry: Entry,
    /// What is to be done, in order.
    pub effects: Vec<Effect>,
    /// To whoever asked.
    pub answer: Answer,
}

/// Takes an event in.
pub fn step(entry: &Entry, event: Event<'_>, now: Timestamp) -> Step {
    let mut step = Step { entry: entry.clone(), effects: Vec::new(), answer: Answer::Nothing };
    step.pass_time(now);
    match event {
        Event::Ask { seat, request, online } => step.ask(seat, request, online, now),
        Event::Decline { seat, request } => step.decline(seat, request, now),
        Event::Left => step.left(now),
        Event::WentOffline { seat } => step.went_offline(seat, now),
        Event::CameBack { seat } => step.came_back(seat),
        Event::Created => step.created(),
        Event::Refused => step.refused(now),
        Event::Aborted { next, at } => step.aborted(next, at),
        Event::Time => {}
    }
    step
}

impl Step {
    fn pass_time(&mut self, now: Timestamp) {
        let too_late = now >= self.entry.until();
        match self.entry.state {
            State::Open if too_late => self.entry.state = State::Over,
            State::Asked { .. } if too_late => self.end(Reason::Closed, State::Over, now),
            State::Asked { expires_at, .. } if now >= expires_at => {
                self.end(Reason::Expired, State::Open, now);
            }
            State::Starting { by, again_at } if now >= again_at => {
                if too_late {
                    self.refused(now);
                } else {
                    self.start(by, now);
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, seat: u8, request: RequestId, online: &[bool], now: Timestamp) {
        if let Some(given) = self.given(seat, request) {
            self.answer = self.answered_again(given);
            return;
        }
        match self.entry.state.clone() {
            State::Open => self.ask_first(seat, request, online, now),
            State::Asked { agreed, expires_at, .. } if agreed.contains(&seat) => {
                self.note(seat, request, Given::Asked(expires_at));
                self.answer = Answer::Asked(expires_at);
            }
            State::Asked { by, mut agreed, expires_at } => {
                agreed.push(seat);
                self.agree(seat, request, State::Asked { by, agreed, expires_at }, now);
            }
            State::Starting { .. } => {
                self.note(seat, request, Given::Agreed);
                self.answer = Answer::Starting;
            }
            State::Started | State::Over => self.answer = Answer::Ended(Reason::Closed),
        }
    }

    fn ask_first(&mut self, seat: u8, request: RequestId, online: &[bool], now: Timestamp) {
        let asked_at = &mut self.seat(seat).asked_at;
        asked_at.retain(|at| now - *at < ASKS_COUNT_FOR);
        if asked_at.len() >= ASKS_MAX {
            self.answer = Answer::TooOften;
            return;
        }
        asked_at.push(now);
        let there = |seat: u8| online.get(usize::from(seat)).copied().unwrap_or(false);
        let others = self.others(seat);
        if !others.iter().all(|other| there(*other)) {
            self.note(seat, request, Given::Ended(Reason::Offline));
            self.answer = Answer::Ended(Reason::Offline);
            for other in others {
                self.tell_end(other, Reason::Offline, now);
                if !there(other) {
                    self.seat(other).missed = Some(Reason::Offline);
                }
            }
            return;
        }
        let robots = (0..).zip(&self.entry.players).filter(|(_, player)| player.robot_level > 0);
        let agreed = std::iter::once(seat).chain(robots.map(|(robot, _)| robot)).collect();
        let expires_at = (now + ASKED_FOR).min(self.entry.until());
        self.agree(seat, request, State::Asked { by: seat, agreed, expires_at }, now);
        if self.entry.is_asked() {
            let requested = Notice::Requested { from_seat: seat, expires_at };
            self.effects.extend(others.into_iter().map(|other| Effect::Tell(other, requested)));
        }
    }

    /// A seat agrees; if it is the last one, the game starts.
    fn agree(&mut self, seat: u8, request: RequestId, asked: State, now: Timestamp) {
        let State::Asked { agreed, expires_at, .. } = &asked else { return };
        if agreed.len() == self.entry.players.len() {
            self.note(seat, request, Given::Agreed);
            self.answer = Answer::Starting;
            self.start(seat, now);
        } else {
            self.note(seat, request, Given::Asked(*expires_at));
            self.answer = Answer::Asked(*expires_at);
            self.entry.state = asked;
        }
    }

    fn start(&mut self, by: u8, now: Timestamp) {
        self.entry.state = State::Starting { by, again_at: now + START_AGAIN_AFTER };
        self.effects.push(Effect::Start);
    }

    fn decline(&mut self, seat: u8, request: RequestId, now: Timestamp) {
        match self.given(seat, request) {
            Some(Given::Declined) => return,
            Some(_) => {
                self.answer = Answer::Reused;
                return;
            }
            None => {}
        }
        match self.entry.state {
            // Sent again later, it declines nothing that was asked meanwhile.
            State::Open => self.note(seat, request, Given::Declined),
            State::Asked { by, .. } => {
                self.note(seat, request, Given::Declined);
                if by == seat {
                    self.end(Reason::Withdrawn, State::Open, now);
                } else {
                    self.end(Reason::Declined, State::Over, now);
                }
            }
            State::Starting { .. } | State::Started | State::Over => {}
        }
    }

    fn left(&mut self, now: Timestamp) {
        match self.entry.state {
            State::Open => self.entry.state = State::Over,
            State::Asked { .. } => self.end(Reason::Left, State::Over, now),
            State::Starting { .. } | State::Started | State::Over => {}
        }
    }

    fn went_offline(&mut self, seat: u8, now: Timestamp) {
        if self.entry.is_asked() {
            self.end(Reason::Offline, State::Open, now);
        }
        let memory = self.seat(seat);
        if let Some((reason, at)) = memory.told
            && now - at <= AWAY_BEFORE_OFFLINE
        {
            memory.missed = Some(reason);
        }
    }

    fn came_back(&mut self, seat: u8) {
        if let Some(reason) = self.seat(seat).missed.take() {
            self.answer = Answer::Missed(reason);
        }
    }

    fn created(&mut self) {
        if matches!(self.entry.state, State::Starting { .. }) {
            self.entry.state = State::Started;
            self.effects.push(Effect::Lead);
        }
    }

    /// Who was the last to agree is answered; the others are told.
    fn refused(&mut self, now: Timestamp) {
        let State::Starting { by, .. } = self.entry.state else { return };
        self.entry.state = State::Over;
        for other in self.others(by) {
            self.tell_end(other, Reason::Closed, now);
        }
    }

    fn aborted(&mut self, next: TableId, at: Timestamp) {
        let begun = matches!(self.entry.state, State::Starting { .. } | State::Started);
        if begun && self.entry.next.id == next {
            let attempt = self.entry.next.attempt + 1;
            self.entry.next.attempt = attempt;
            self.entry.next.id = crate::next_game::next_id(self.entry.game, attempt);
            self.entry.ended_at = at;
            self.entry.state = State::Open;
        }
    }

    fn end(&mut self, reason: Reason, next: State, now: Timestamp) {
        self.entry.state = next;
        let everyone: Vec<u8> = self.entry.people().map(|(seat, _)| seat).collect();
        for seat in everyone {
            self.tell_end(seat, reason, now);
        }
    }

    fn tell_end(&mut self, seat: u8, reason: Reason, now: Timestamp) {
        self.seat(seat).told = Some((reason, now));
        self.effects.push(Effect::Tell(seat, Notice::Ended(reason)));
    }

    /// People in other seats.
    fn others(&self, seat: u8) -> Vec<u8> {
        self.entry.people().map(|(other, _)| other).filter(|other| *other != seat).collect()
    }

    /// What a request of a seat was answered, if that is remembered.
    fn given(&self, seat: u8, request: RequestId) -> Option<Given> {
        self.entry.memory.get(usize::from(seat))?.given(request)
    }

    /// The answer to an ask that comes again.
    fn answered_again(&self, given: Given) -> Answer {
        match (given, &self.entry.state) {
            (Given::Asked(expires_at), _) => Answer::Asked(expires_at),
            (Given::Agreed, State::Starting { .. }) => Answer::Starting,
            (Given::Agreed, State::Started) => Answer::Started,
            (Given::Agreed, _) => Answer::Ended(Reason::Closed),
            (Given::Ended(reason), _) => Answer::Ended(reason),
            (Given::Declined, _) => Answer::Reused,
        }
    }

    fn note(&mut self, seat: u8, request: RequestId, answer: Given) {
        self.seat(seat).note(request, answer);
    }

    fn seat(&mut self, seat: u8) -> &mut crate::entry::Memory {
        let seats = usize::from(seat) + 1;
        if self.entry.memory.len() < seats {
            self.entry.memory.resize_with(seats, Default::default);
        }
        &mut self.entry.memory[usize::from(seat)]
    }
}

/// For how long an entry is of any use.
pub fn kept_for(entry: &Entry, now: Timestamp) -> TimeDelta {
    (entry.until() - now).clamp(TimeDelta::zero(), OPEN_FOR) + ASKED_FOR
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
