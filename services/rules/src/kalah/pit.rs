//! Names for the places of the board. They know nothing of what lies there.

use crate::seat::Seat;
use serde::{Deserialize, Serialize};

/// How many pits each side has.
pub const PITS: usize = 6;

/// A pit, counted from 1 at its owner's left to 6 beside the owner's store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Pit(u8);

/// No pit has this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no pit {0}, give a number from 1 to 6")]
pub struct NoSuchPit(pub u8);

impl Pit {
    /// Every pit, from the left.
    pub const ALL: [Self; PITS] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The place of this pit in an array of its row.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl TryFrom<u8> for Pit {
    type Error = NoSuchPit;

    fn try_from(number: u8) -> Result<Self, NoSuchPit> {
        if (1..=PITS as u8).contains(&number) { Ok(Self(number)) } else { Err(NoSuchPit(number)) }
    }
}

impl From<Pit> for u8 {
    fn from(pit: Pit) -> Self {
        pit.0
    }
}

/// A side of the board with the seat that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Seat 0.
    South,
    /// Seat 1.
    North,
}

impl Side {
    /// The side of a seat; none for a seat that kalah does not have.
    pub const fn of(seat: Seat) -> Option<Self> {
        match seat.0 {
            0 => Some(Self::South),
            1 => Some(Self::North),
            _ => None,
        }
    }

    /// The seat that plays this side.
    pub const fn seat(self) -> Seat {
        Seat(self as u8)
    }

    /// The side across the board.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// The place of this side in an array by seat.
    pub const fn index(self) -> usize {
        self as usize
    }
}
