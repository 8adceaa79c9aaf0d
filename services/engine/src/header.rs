//! What never changes at a table, and how far it has come. The seed is not part of it.

use astragal_rules::log::Opening;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use astragal_runtime::time_control::TimeControl;
use std::sync::Arc;
use uuid::Uuid;

/// What a table is from its opening on; everyone may see all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHeader {
    /// The table.
    pub id: TableId,
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
    /// The variant that the options name.
    pub variant: String,
    /// Canonical JSON, defaults filled in.
    pub options: String,
    /// How many seats there are.
    pub seats: u8,
    /// Who moves first.
    pub first_seat: Seat,
    /// SHA-256 of the seed, in lower-case hex.
    pub commitment: String,
    /// The series that the game is part of.
    pub series_id: Option<Uuid>,
    /// When the table was opened.
    pub opened_at: Timestamp,
    /// How time is counted; none: no clock.
    pub time_control: Option<TimeControl>,
    /// The match that the game is part of; 0: none.
    pub best_of: u8,
    /// The game that this one is the rematch of.
    pub follows: Option<TableId>,
}

impl TableHeader {
    /// The opening as the rules take it.
    pub fn opening(&self, seed: Seed) -> Arc<Opening> {
        Arc::new(Opening {
            table: self.id.0,
            game: self.game.clone(),
            version: self.version,
            seed,
            seats: self.seats,
            options: self.options.clone(),
            first_seat: self.first_seat,
        })
    }
}

/// How far a table has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A seat is empty.
    Waiting,
    /// Every seat is taken.
    Playing,
    /// Nothing happens any more.
    Over,
}

impl Phase {
    /// The word of the protocol and of the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Playing => "playing",
            Self::Over => "over",
        }
    }

    /// Reads the word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Waiting, Self::Playing, Self::Over].into_iter().find(|phase| phase.as_str() == word)
    }
}
