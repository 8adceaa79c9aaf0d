//! Draws that stand: whoever gives a game up before it is played, and opens another one, is drawn nothing anew.
//!
//! What an account drew last for a game, a number of seats and a tile set stands while that game waits, and for ten
//! minutes after it was cancelled or aborted, whatever the options, the clock and the listing. It is repeated with the
//! account in the place of who asks, and everyone else around the circle as before, so all of them sit where the tiles
//! put them. A game that is played ends that: the next one is drawn anew.
//!
//! The newest game of each [`Way`] decides for itself, so that no other way to a draw replaces one or uses it up.

use astragal_runtime::id::{AccountId, TableId};
use chrono::Duration;

use crate::game::{NewGame, Origin, PlannedSeat};
use crate::seating::DrawnPick;

/// For how long a draw stands after its game was given up.
pub const STANDS_FOR: Duration = Duration::minutes(10);

/// How an account came to a draw. Where several stand, the earlier one goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// It opened a game of the lobby.
    Opened,
    /// Somebody else opened the game, and may have done so to try their luck for this account.
    Joined,
    /// It opened a game against robots alone, which stands for no other kind of game.
    AgainstRobots,
}

impl Way {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Opened, Self::Joined, Self::AgainstRobots];

    /// How somebody who sits in a game comes to its draw; nobody who is known yet has joined.
    pub fn to(new: &NewGame, account: Option<AccountId>) -> Self {
        match (new.origin, account == Some(new.opener)) {
            (Origin::Robots, _) => Self::AgainstRobots,
            (Origin::Auto | Origin::Friends, true) => Self::Opened,
            _ => Self::Joined,
        }
    }

    /// Those whose draws may stand for a game that is to be opened.
    pub fn counting_for(new: &NewGame) -> impl Iterator<Item = Self> + use<> {
        let against_robots = new.origin == Origin::Robots;
        Self::ALL.into_iter().filter(move |way| against_robots || *way != Self::AgainstRobots)
    }

    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Joined => "joined",
            Self::AgainstRobots => "robots",
        }
    }
}

/// The last draw of an account, on one way, for a game, a number of seats and a tile set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The game whose draw it is.
    pub game: TableId,
    /// How the account came to it.
    pub way: Way,
    /// Whether that was given up; else it waits, as far as is known.
    pub given_up: bool,
    /// The name of what is played.
    pub name: String,
    /// The account's place in the circle of the draw.
    pub participant: u8,
    /// The seat of each participant, in the order of asking.
    pub seats: Vec<u8>,
    /// Every pick.
    pub picks: Vec<DrawnPick>,
}

impl Standing {
    /// The draw of a game as whoever opens it sees it.
    pub fn of(new: &NewGame) -> Self {
        let mut planned = new.seats.clone();
        planned.sort_by_key(|seat| seat.participant);
        Self {
            game: new.id,
            way: Way::to(new, Some(new.opener)),
            given_up: false,
            name: new.kind.game.clone(),
            participant: 0,
            seats: planned.iter().map(|seat| seat.seat).collect(),
            picks: new.picks.clone(),
        }
    }

    /// Whether a game that is to be opened would be drawn for the same.
    pub fn is_for(&self, new: &NewGame) -> bool {
        let tile_set = |picks: &[DrawnPick]| picks.first().map(|pick| pick.tile_set.clone());
        self.name == new.kind.game
            && self.seats.len() == usize::from(new.kind.seats)
            && tile_set(&self.picks).is_some()
            && tile_set(&self.picks) == tile_set(&new.picks)
    }

    /// The game as it is opened: with this draw in place of its own.
    pub fn repeated_by(&self, new: &NewGame) -> NewGame {
        let turned = |participant: u8| {
            let place = usize::from(participant) + usize::from(self.participant);
            place.checked_rem(self.seats.len()).and_then(|place| self.seats.get(place)).copied()
        };
        let seat = |planned: &PlannedSeat| PlannedSeat {
            seat: turned(planned.participant).unwrap_or(planned.seat),
            ..*planned
        };
        let seats: Vec<_> = new.seats.iter().map(seat).collect();
        let sitting = |seat: u8| seats.iter().find(|planned| planned.seat == seat)?.player;
        let pick = |pick: &DrawnPick| DrawnPick {
            player: sitting(pick.seat),
            reused_from: pick.reused_from.or(Some(self.game)),
            ..pick.clone()
        };
        let picks = self.picks.iter().map(pick).collect();
        NewGame { seats, picks, ..new.clone() }
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
