//! The journal of a table: every change of it, keyed by a revision that is never reused, and the
//! folding of it into the log that stands. Pure: it knows no store, no state and no clock.

use crate::clocks::TimeMark;
use crate::occupant::{Occupant, Occupants};
use crate::request::{RecentRequests, Stamp};
use astragal_rules::any::StateHash;
use astragal_rules::error::InvalidGame;
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::{SEATS_MAX, Seat};
use astragal_rules::table_move::TableMove;
use astragal_runtime::clock::Timestamp;
use std::collections::BTreeMap;

/// The most entries that a journal holds.
pub const JOURNAL_MAX: u32 = 300_000;

/// How many of the last entries are kept free for endings.
pub const KEPT_FOR_ENDINGS: u32 = 1_000;

/// One change of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// From 1, without a gap.
    pub revision: u32,
    /// What happened.
    pub kind: EntryKind,
    /// The seat that asked for it; none: the table itself, or matchmaking.
    pub actor: Option<Seat>,
    /// By what request.
    pub stamp: Option<Stamp>,
    /// When.
    pub at: Timestamp,
    /// Of the state after it; none where there is no state.
    pub state_hash: Option<StateHash>,
    /// What it says of the clocks.
    pub time: TimeMark,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A move of a seat or of the table itself.
    Move(LoggedMove),
    /// The last move was taken back.
    Undo {
        /// Of the move taken away.
        number: u32,
    },
    /// Somebody sat down.
    SeatTaken(Occupant),
    /// The clocks stand, from the instant of the entry on.
    ClockStopped(StopReason),
    /// A clock runs again, from the instant of the entry on.
    ClockResumed,
    /// The table could not go on.
    Crashed {
        /// Where it broke.
        place: String,
    },
}

/// Why clocks stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// No engine lived, so nobody could move.
    Outage,
}

impl StopReason {
    /// The word of the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Outage => "outage",
        }
    }

    /// Reads the word.
    pub fn of_word(word: &str) -> Option<Self> {
        (word == Self::Outage.as_str()).then_some(Self::Outage)
    }
}

impl Entry {
    /// Who sat down, if somebody did.
    pub const fn seated(&self) -> Option<&Occupant> {
        match &self.kind {
            EntryKind::SeatTaken(occupant) => Some(occupant),
            _ => None,
        }
    }
}

/// Which seats have left: of each the number of the move by which it did, or 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Left([u32; SEATS_MAX as usize]);

impl Left {
    /// Takes in the next entry of a journal.
    pub fn follow(&mut self, kind: &EntryKind) {
        match kind {
            EntryKind::Move(LoggedMove { number, seat: None, action, .. }) => {
                if let Ok(TableMove::Left(seat)) = serde_json::from_str(action)
                    && let Some(by) = self.0.get_mut(seat.index())
                {
                    *by = *number;
                }
            }
            EntryKind::Undo { number } => {
                for by in self.0.iter_mut().filter(|by| *by == number) {
                    *by = 0;
                }
            }
            _ => {}
        }
    }

    /// The seats.
    pub fn seats(&self) -> Vec<u32> {
        (0..).zip(self.0).filter(|(_, by)| *by > 0).map(|(seat, _)| seat).collect()
    }
}

/// What has to be remembered of a journal besides the state that it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The newest revision; 0 for the opening.
    pub revision: u32,
    /// The newest revision that is a move or an undo.
    pub played: u32,
    /// How many moves of the log are a seat's.
    pub seat_moves: u32,
    /// Of the state at the newest revision.
    pub state_hash: Option<StateHash>,
    /// Who sits where.
    pub occupants: Occupants,
    /// At which revision each seat was taken.
    pub seated_at: [u32; 4],
    /// Which seats have left.
    pub left: Left,
    /// The latest instant of an entry.
    pub at: Timestamp,
    /// Where the table crashed.
    pub crashed: Option<String>,
    /// The newest requests.
    pub requests: RecentRequests,
    undos: BTreeMap<(u32, Seat), u8>,
}

impl Head {
    /// Of a table that has just been opened.
    pub fn new(seats: u8) -> Self {
        Self {
            revision: 0,
            played: 0,
            seat_moves: 0,
            state_hash: None,
            occupants: Occupants::nobody(seats),
            seated_at: [0; 4],
            left: Left::default(),
            at: Timestamp::UNIX_EPOCH,
            crashed: None,
            requests: RecentRequests::default(),
            undos: BTreeMap::new(),
        }
    }

    /// How often a seat has taken back a move of this number.
    pub fn undos(&self, number: u32, seat: Seat) -> u8 {
        self.undos.get(&(number, seat)).copied().unwrap_or(0)
    }

    /// Takes in the next entry. `taken_back` is the seat whose move an undo takes away.
    pub fn follow(&mut self, entry: &Entry, taken_back: Option<Seat>) -> Result<(), InvalidGame> {
        let place = || place_of(entry.revision);
        if entry.revision != self.revision + 1 {
            return Err(InvalidGame::new(place(), format_args!("does not follow {}", self.revision)));
        }
        if self.crashed.is_some() {
            return Err(InvalidGame::new(place(), "nothing follows a crash"));
        }
        self.left.follow(&entry.kind);
        match &entry.kind {
            EntryKind::Move(logged) => {
                self.played = entry.revision;
                self.seat_moves += u32::from(logged.seat.is_some());
            }
            EntryKind::Undo { number } => {
                self.played = entry.revision;
                self.seat_moves = self.seat_moves.saturating_sub(u32::from(taken_back.is_some()));
                if let Some(seat) = entry.actor {
                    let count = self.undos.entry((*number, seat)).or_default();
                    *count = count.saturating_add(1);
                }
            }
            EntryKind::SeatTaken(occupant) => {
                if !self.occupants.sit(*occupant) {
                    return Err(InvalidGame::new(place(), "the seat is taken, or not one of the table"));
                }
                self.seated_at[occupant.seat.index()] = entry.revision;
            }
            EntryKind::ClockStopped(_) | EntryKind::ClockResumed => {}
            EntryKind::Crashed { place } => self.crashed = Some(place.clone()),
        }
        if let (Some(seat), Some(stamp)) = (entry.actor, entry.stamp) {
            self.requests.push(seat, stamp, entry.revision);
        }
        self.revision = entry.revision;
        self.at = self.at.max(entry.at);
        self.state_hash = entry.state_hash.or(self.state_hash);
        Ok(())
    }
}

/// Where an entry stands in its journal, counted as in certificates: the first one at 0.
pub(crate) fn place_of(revision: u32) -> String {
    format!("journal[{}]", revision.saturating_sub(1))
}

/// A journal folded: the moves that stand, and the rest of what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The log's moves, oldest first.
    pub moves: Vec<LoggedMove>,
    /// The rest.
    pub head: Head,
}

/// A journal that can't be, with all that came before the entry at fault.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub struct FoldError {
    /// What is wrong, and where.
    pub why: InvalidGame,
    /// What the entries before it say.
    pub folded: Box<Folded>,
}

/// Folds a whole journal of a table with this many seats.
pub fn fold<'e>(seats: u8, entries: impl IntoIterator<Item = &'e Entry>) -> Result<Folded, FoldError> {
    let mut folded = Folded { moves: Vec::new(), head: Head::new(seats) };
    for entry in entries {
        if let Err(why) = folded.take(entry) {
            return Err(FoldError { why, folded: Box::new(folded) });
        }
    }
    Ok(folded)
}

impl Folded {
    fn take(&mut self, entry: &Entry) -> Result<(), InvalidGame> {
        let standing = self.moves.len() as u32;
        let wrong = |number: u32| {
            let why = format!("the number is {number}, but {standing} moves stand");
            Err(InvalidGame::new(format_args!("{}.number", place_of(entry.revision)), why))
        };
        match &entry.kind {
            EntryKind::Move(logged) if logged.number != standing + 1 => return wrong(logged.number),
            EntryKind::Undo { number } if *number != standing || standing == 0 => return wrong(*number),
            _ => {}
        }
        self.head.follow(entry, self.moves.last().and_then(|last| last.seat))?;
        match &entry.kind {
            EntryKind::Move(logged) => self.moves.push(logged.clone()),
            EntryKind::Undo { .. } => drop(self.moves.pop()),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
