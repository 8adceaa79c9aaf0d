//! Names for squares and for where a word begins: `8D` runs across from D8, `D8` down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How many rows and columns a board has.
pub const SIDE: usize = 15;

/// How many squares that makes.
pub const SQUARES: usize = SIDE * SIDE;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(u8);

impl Place {
    /// The square that the first play covers.
    pub const CENTRE: Self = Self((SQUARES / 2) as u8);

    /// The square in a row and column, counted from 0; none off the board.
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row < SIDE && column < SIDE { Some(Self((row * SIDE + column) as u8)) } else { None }
    }

    /// Every square, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES as u8).map(Self)
    }

    /// The row, from 0.
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE
    }

    /// The column, from 0.
    pub const fn column(self) -> usize {
        self.0 as usize % SIDE
    }

    /// The place of this square in an array of all, row by row.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next square in a direction; none at the edge.
    pub const fn next(self, direction: Direction) -> Option<Self> {
        match direction {
            Direction::Across => Self::at(self.row(), self.column() + 1),
            Direction::Down => Self::at(self.row() + 1, self.column()),
        }
    }

    /// The square before in a direction; none at the edge.
    pub const fn previous(self, direction: Direction) -> Option<Self> {
        match direction {
            Direction::Across if self.column() > 0 => Some(Self(self.0 - 1)),
            Direction::Down if self.row() > 0 => Some(Self(self.0 - SIDE as u8)),
            _ => None,
        }
    }
}

/// As in `D8`.
impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", char::from(b'A' + self.column() as u8), self.row() + 1)
    }
}

/// Which way a word runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Along a row.
    Across,
    /// Along a column.
    Down,
}

impl Direction {
    /// Both ways, across first.
    pub const BOTH: [Self; 2] = [Self::Across, Self::Down];

    /// The other way.
    #[must_use]
    pub const fn crossing(self) -> Self {
        match self {
            Self::Across => Self::Down,
            Self::Down => Self::Across,
        }
    }
}

/// Where a word begins and which way it runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^((1[0-5]|[1-9])[A-O]|[A-O](1[0-5]|[1-9]))$"))]
pub struct Start {
    /// The first square.
    pub place: Place,
    /// Which way.
    pub direction: Direction,
}

/// The text names no square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a place, write 8D for across from D8 and D8 for down")]
pub struct NoPlace(pub String);

impl FromStr for Start {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let across = text.starts_with(|first: char| first.is_ascii_digit());
        let split = if across { text.len().saturating_sub(1) } else { 1 };
        let parts =
            text.split_at_checked(split).map(|(one, two)| if across { (two, one) } else { (one, two) });
        let place = parts.and_then(|(column, row)| {
            let column = match column.as_bytes() {
                [letter @ b'A'..=b'O'] => usize::from(letter - b'A'),
                _ => return None,
            };
            let digits = row.bytes().all(|digit| digit.is_ascii_digit()) && !row.starts_with('0');
            let row: usize = row.parse().ok().filter(|_| digits)?;
            Place::at(row.checked_sub(1)?, column)
        });
        let direction = if across { Direction::Across } else { Direction::Down };
        // Whoever sends a whole book gets no more of it back than a place is long.
        let place = place.ok_or_else(|| NoPlace(text.chars().take(8).collect()))?;
        Ok(Self { place, direction })
    }
}

impl fmt::Display for Start {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, row) = (char::from(b'A' + self.place.column() as u8), self.place.row() + 1);
        match self.direction {
            Direction::Across => write!(formatter, "{row}{column}"),
            Direction::Down => write!(formatter, "{column}{row}"),
        }
    }
}

impl TryFrom<String> for Start {
    type Error = NoPlace;

    fn try_from(text: String) -> Result<Self, NoPlace> {
        text.parse()
    }
}

impl From<Start> for String {
    fn from(start: Start) -> Self {
        start.to_string()
    }
}
