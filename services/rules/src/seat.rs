//! Seats and short lists of them. It knows nothing of who sits there.

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most seats that a table can have.
pub const SEATS_MAX: u8 = 4;

/// A seat at a table, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The place of this seat in an array by seat.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every seat of a table with this many.
    pub fn all(seats: u8) -> impl Iterator<Item = Self> {
        (0..seats).map(Self)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Seats in an order, without heap memory.
pub type SeatList = ArrayVec<Seat, { SEATS_MAX as usize }>;

/// Whose turn it is: written by the game at every step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// One of the phases that the game declares.
    pub phase: &'static str,
    /// The seats that still play, in the order of the turn.
    pub order: SeatList,
    /// The seat that acts alone, if one does.
    pub acting: Option<Seat>,
    /// The seats that are waited for at once, when several answer in secret.
    pub waiting: SeatList,
    /// The seat that leads, in games that have such a thing.
    pub initiative: Option<Seat>,
}

impl Turn {
    /// The turn of one acting seat among `seats`, in the order of the table.
    pub fn of(phase: &'static str, seats: u8, acting: Seat) -> Self {
        let order = Seat::all(seats.min(SEATS_MAX)).collect();
        Self { phase, order, acting: Some(acting), waiting: SeatList::new(), initiative: None }
    }

    /// Nobody's turn: what a game that is over returns.
    #[must_use]
    pub fn ended(&self, phase: &'static str) -> Self {
        Self { phase, order: self.order.clone(), acting: None, waiting: SeatList::new(), initiative: None }
    }

    /// The same turn with another acting seat.
    #[must_use]
    pub fn passed_to(&self, seat: Seat) -> Self {
        Self { acting: Some(seat), ..self.clone() }
    }

    /// True if the seat may act now.
    pub fn awaits(&self, seat: Seat) -> bool {
        self.acting == Some(seat) || self.waiting.contains(&seat)
    }

    /// The seats that may act now.
    pub fn to_move(&self) -> impl Iterator<Item = Seat> {
        self.acting.into_iter().chain(self.waiting.iter().copied().filter(|seat| self.acting != Some(*seat)))
    }

    /// The seat after this one in the order; the first one if it is not in it.
    pub fn after(&self, seat: Seat) -> Option<Seat> {
        let next = self.order.iter().position(|other| *other == seat).map_or(0, |place| place + 1);
        self.order.get(next).or(self.order.first()).copied()
    }

    /// The turn without a seat that retires: it is skipped from now on, and what it was to do
    /// falls to the seat after it.
    #[must_use]
    pub fn without(&self, seat: Seat) -> Self {
        let heir = self.after(seat).filter(|heir| *heir != seat);
        let inherit = |held: Option<Seat>| if held == Some(seat) { heir } else { held };
        Self {
            phase: self.phase,
            order: self.order.iter().copied().filter(|other| *other != seat).collect(),
            acting: inherit(self.acting),
            waiting: self.waiting.iter().copied().filter(|other| *other != seat).collect(),
            initiative: inherit(self.initiative),
        }
    }
}
