//! The rematch of one finished game, as it is kept. It knows no store and no clock.

use crate::next_game::NextGame;
use crate::reason::Reason;
use astragal_proto::engine::v1::Ending;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use chrono::{DateTime, TimeDelta};
use serde::{Deserialize, Serialize};

/// For how long a rematch may be asked for.
pub const OPEN_FOR: TimeDelta = TimeDelta::minutes(10);

/// Somebody who sat at the table, and will again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player {
    /// Who it is.
    pub account: AccountId,
    /// 0 for a person.
    pub robot_level: u8,
}

/// The rematch of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The game that has ended.
    pub game: TableId,
    /// By seat.
    pub players: Vec<Player>,
    /// What is played if all agree.
    pub next: NextGame,
    /// When the game, or the last attempt at the next one, has ended.
    pub ended_at: Timestamp,
    /// How far it has come.
    pub state: State,
    /// By seat.
    pub memory: Vec<Memory>,
}

/// How far a rematch has come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum State {
    /// Nobody has asked.
    Open,
    /// Somebody has.
    Asked {
        /// Who asked first.
        by: u8,
        /// Who wants it: who asked, who accepted, and robots.
        agreed: Vec<u8>,
        /// Until when the others may answer.
        #[serde(with = "chrono::serde::ts_microseconds")]
        expires_at: Timestamp,
    },
    /// All agree, and the next game is being made.
    Starting {
        /// Who was the last to agree.
        by: u8,
        /// When somebody has to try again, if it is not there by then.
        #[serde(with = "chrono::serde::ts_microseconds")]
        again_at: Timestamp,
    },
    /// The next game is there.
    Started,
    /// There is nothing to ask for any more.
    Over,
}

/// What is remembered of one seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// When it asked, the last few times.
    pub asked_at: Vec<Timestamp>,
    /// What it was answered last, so that a repetition is answered the same, and nothing else goes by that id.
    pub answered: Option<Answered>,
    /// What it was told last, and when.
    pub told: Option<(Reason, Timestamp)>,
    /// What it could not be told, because nobody was there.
    pub missed: Option<Reason>,
    /// What it was answered before the last time, the oldest first. Left out while there is nothing, as entries were
    /// before there was this.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Answered>,
}

/// How many answers before the last one are remembered of a seat.
const EARLIER_MAX: usize = 7;

impl Memory {
    /// Remembers an answer.
    pub fn note(&mut self, request: RequestId, answer: Given) {
        if let Some(last) = self.answered.replace(Answered { request, answer }) {
            if self.earlier.len() >= EARLIER_MAX {
                self.earlier.remove(0);
            }
            self.earlier.push(last);
        }
    }

    /// What a request was answered, if it is remembered.
    pub fn given(&self, request: RequestId) -> Option<Given> {
        let mut known = self.answered.iter().chain(&self.earlier);
        known.find(|answered| answered.request == request).map(|answered| answered.answer)
    }
}

/// An answer that was given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// To which request.
    pub request: RequestId,
    /// What.
    pub answer: Given,
}

/// What was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Given {
    /// The others were asked.
    Asked(Timestamp),
    /// All agree.
    Agreed,
    /// It can't be.
    Ended(Reason),
    /// It was declined or withdrawn.
    Declined,
}

impl Entry {
    /// The rematch of a game that has ended.
    pub fn open(ending: &Ending) -> Result<Self> {
        let game = TableId::parse("table_id", &ending.table_id)?;
        Self::of(ending, game, NextGame::after(ending, game)?)
    }

    /// The rematch of the game before an attempt at the next one that was aborted.
    pub fn reopen(aborted: &Ending, game: TableId, attempt: u32) -> Result<Self> {
        Self::of(aborted, game, NextGame::again(aborted, game, attempt)?)
    }

    fn of(ending: &Ending, game: TableId, next: NextGame) -> Result<Self> {
        let player = |occupant: &astragal_proto::engine::v1::Occupant| {
            let account = AccountId::parse("account_id", &occupant.account_id)?;
            Ok(Player { account, robot_level: occupant.robot_level as u8 })
        };
        let players: Vec<Player> = ending.occupants.iter().map(player).collect::<Result<_>>()?;
        let ended_at = ending.ended_at.and_then(|at| DateTime::try_from(at).ok());
        let ended_at = ended_at.ok_or_else(|| Problem::invalid_argument("ended_at must be an instant"))?;
        let memory = vec![Memory::default(); players.len()];
        Ok(Self { game, players, next, ended_at, state: State::Open, memory })
    }

    /// The same with nothing to ask for.
    #[must_use]
    pub fn closed(self) -> Self {
        Self { state: State::Over, ..self }
    }

    /// From when on there is nothing to ask for.
    pub fn until(&self) -> Timestamp {
        self.ended_at + OPEN_FOR
    }

    /// When something happens by itself; none: nothing more does.
    pub fn deadline(&self) -> Option<Timestamp> {
        match &self.state {
            State::Open => Some(self.until()),
            State::Asked { expires_at, .. } => Some(*expires_at),
            State::Starting { again_at, .. } => Some(*again_at),
            State::Started | State::Over => None,
        }
    }

    /// The seat of a person.
    pub fn seat_of(&self, account: AccountId) -> Option<u8> {
        let sits = |player: &Player| player.account == account && player.robot_level == 0;
        self.players.iter().position(sits).map(|seat| seat as u8)
    }

    /// The seats of people, with who sits there.
    pub fn people(&self) -> impl Iterator<Item = (u8, AccountId)> {
        let people = (0..).zip(&self.players).filter(|(_, player)| player.robot_level == 0);
        people.map(|(seat, player)| (seat, player.account))
    }

    /// Whether somebody waits for an answer.
    pub const fn is_asked(&self) -> bool {
        matches!(self.state, State::Asked { .. })
    }
}

/// Whether a game that has ended so may be followed by a rematch: it has a result, and nobody has left, not even
/// long before the others ended it.
pub fn may_follow(ending: &Ending) -> bool {
    let reason = ending.outcome.as_ref().map_or("", |outcome| &*outcome.reason);
    matches!(reason, "finished" | "time" | "resigned") && ending.left_seats.is_empty()
}
