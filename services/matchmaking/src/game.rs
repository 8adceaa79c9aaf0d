//! Games as the lobby knows them: what is played, and who sits where. Moves are no business of it.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use astragal_runtime::time_control::TimeControl;

use crate::error::{LobbyError, Result};
use crate::kind::Kind;
use crate::seating::DrawnPick;

/// How a game came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Somebody looked for an opponent; listed while it waits.
    Auto,
    /// Among friends: by link or by name.
    Friends,
    /// Against robots.
    Robots,
    /// After another one, at the same seats.
    Rematch,
    /// From the draw of a tournament.
    Tournament,
}

impl Origin {
    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Friends => "friends",
            Self::Robots => "robots",
            Self::Rematch => "rematch",
            Self::Tournament => "tournament",
        }
    }
}

/// What may still happen to the seats of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A seat is empty.
    Waiting,
    /// Every seat is taken.
    Full,
    /// Ended before it was full.
    Cancelled,
}

impl Status {
    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Full => "full",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Somebody who sits in a game, or will.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Player {
    /// Who it is.
    pub account: AccountId,
    /// 0 for a person.
    pub robot_level: u8,
}

impl Player {
    /// A person.
    pub const fn person(account: AccountId) -> Self {
        Self { account, robot_level: 0 }
    }

    /// The robot of a level.
    pub fn robot(level: u8) -> Self {
        Self { account: astragal_runtime::id::robot_account(level), robot_level: level }
    }

    /// True for a robot.
    pub const fn is_robot(self) -> bool {
        self.robot_level > 0
    }
}

/// How a game ended, as the engine says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// The reason, in the engine's words.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

impl GameEnd {
    /// Whether it ended before the first move, so that its draw stands.
    pub fn is_abort(&self) -> bool {
        self.reason == "aborted"
    }
}

/// A game that is to be created, with everything that is written with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGame {
    /// The game, and its table.
    pub id: TableId,
    /// What is played.
    pub kind: Kind,
    /// How it came about.
    pub origin: Origin,
    /// Who opens it.
    pub opener: AccountId,
    /// The series that it begins.
    pub series: SeriesId,
    /// The participants of the draw in the order of asking, by the seat that each ends in.
    pub seats: Vec<PlannedSeat>,
    /// Every pick of the draw.
    pub picks: Vec<DrawnPick>,
    /// When.
    pub at: Timestamp,
}

impl NewGame {
    /// Whether somebody is still to come.
    pub fn status(&self) -> Status {
        if self.seats.iter().all(|seat| seat.player.is_some()) { Status::Full } else { Status::Waiting }
    }
}

/// The change that is the creation of a game.
pub const CREATED: u32 = 1;

impl From<&NewGame> for Game {
    /// The game as it is once it is written.
    fn from(new: &NewGame) -> Self {
        let taken = |player: Player| (player, CREATED);
        let seat = |planned: &PlannedSeat| Seat {
            seat: planned.seat,
            participant: planned.participant,
            taken: planned.player.map(taken),
        };
        let mut seats: Vec<_> = new.seats.iter().map(seat).collect();
        seats.sort_by_key(|seat| seat.seat);
        Self {
            id: new.id,
            kind: new.kind.clone(),
            origin: new.origin,
            status: new.status(),
            opener: new.opener,
            // The winner of the draw sits there.
            first_seat: 0,
            series: new.series,
            change: CREATED,
            settled: 0,
            created_at: new.at,
            away: false,
            seats,
        }
    }
}

/// A seat as the draw decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedSeat {
    /// The seat.
    pub seat: u8,
    /// The place in the circle of the draw, in the order of asking.
    pub participant: u8,
    /// Who sits there; none: a placeholder drew for whoever comes.
    pub player: Option<Player>,
}

/// A game that was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The game, and its table.
    pub id: TableId,
    /// What is played.
    pub kind: Kind,
    /// How it came about.
    pub origin: Origin,
    /// Whether somebody is still to come.
    pub status: Status,
    /// Who opened it.
    pub opener: AccountId,
    /// Who moves first.
    pub first_seat: u8,
    /// The series that it is part of.
    pub series: SeriesId,
    /// Counts what happened to it: created (1), seats claimed, cancelled.
    pub change: u32,
    /// The last change that the engine has confirmed.
    pub settled: u32,
    /// When it was created.
    pub created_at: Timestamp,
    /// Its opener is offline, so nobody is matched with them.
    pub away: bool,
    /// In the order of the seats.
    pub seats: Vec<Seat>,
}

/// A seat of a game that was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seat {
    /// The seat.
    pub seat: u8,
    /// The place in the circle of the draw, in the order of asking.
    pub participant: u8,
    /// Who sits there, and since which change of the game.
    pub taken: Option<(Player, u32)>,
}

impl Game {
    /// Whether it is shown in the list of open games while it waits.
    pub fn is_listed(&self) -> bool {
        self.origin == Origin::Auto
    }

    /// Whether it is what would be created: the same people at the same game.
    pub fn is_what(&self, new: &NewGame) -> bool {
        let same = Self::from(new);
        let sitting =
            |game: &Self| game.seats.iter().map(|seat| seat.taken.map(|(who, _)| who)).collect::<Vec<_>>();
        (&self.kind, self.origin, self.first_seat) == (&same.kind, same.origin, same.first_seat)
            && sitting(self) == sitting(&same)
    }

    /// The seat of an account.
    pub fn seat_of(&self, account: AccountId) -> Option<u8> {
        let sits = |seat: &&Seat| seat.taken.is_some_and(|(player, _)| player.account == account);
        self.seats.iter().find(sits).map(|seat| seat.seat)
    }

    /// The game after a player took the first empty seat in the order of asking.
    pub fn joined_by(&self, player: Player) -> Result<Self> {
        if self.status == Status::Cancelled {
            return Err(LobbyError::Cancelled);
        }
        if !player.is_robot() && self.seat_of(player.account).is_some() {
            return Err(LobbyError::AlreadySeated);
        }
        if self.away && self.status == Status::Waiting {
            return Err(LobbyError::OpenerAway);
        }
        let mut next = self.clone();
        next.change += 1;
        let empty = next.seats.iter_mut().filter(|seat| seat.taken.is_none());
        let seat = empty.min_by_key(|seat| seat.participant).ok_or(LobbyError::SeatTaken)?;
        seat.taken = Some((player, next.change));
        if next.seats.iter().all(|seat| seat.taken.is_some()) {
            next.status = Status::Full;
        }
        Ok(next)
    }

    /// Whether those who sit in it are wanted nowhere else: somebody looks for it, and its clock runs.
    pub fn is_live_search(&self) -> bool {
        let runs = matches!(self.kind.clock, Some(TimeControl::SuddenDeath { .. }));
        self.status == Status::Waiting && self.origin == Origin::Auto && runs
    }

    /// The game after it has waited in vain; none if it waits no longer.
    pub fn ended(&self) -> Option<Self> {
        let waits = self.status == Status::Waiting;
        waits.then(|| Self { status: Status::Cancelled, change: self.change + 1, ..self.clone() })
    }

    /// The game after its opener cancelled it; none if it is cancelled already. Whoever has joined stays until it is
    /// full: the draw decided where everyone sits, and others wait along with them.
    pub fn cancelled_by(&self, account: AccountId) -> Result<Option<Self>> {
        if self.seat_of(account).is_none() {
            return Err(LobbyError::NotSeated);
        }
        match self.status {
            Status::Full => Err(LobbyError::Full),
            Status::Waiting if account != self.opener => Err(LobbyError::NotOpener),
            Status::Cancelled | Status::Waiting => Ok(self.ended()),
        }
    }

    /// Seats that were taken by a change after `after`, with who sits there.
    pub fn taken_after(&self, after: u32) -> impl Iterator<Item = (u8, Player)> {
        let taken = move |seat: &Seat| seat.taken.map(|(player, change)| (seat.seat, player, change));
        let seats = self.seats.iter().filter_map(taken);
        seats.filter(move |(_, _, change)| *change > after).map(|(seat, player, _)| (seat, player))
    }
}
