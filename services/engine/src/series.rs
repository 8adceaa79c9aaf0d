//! The finished games of a series, as JSON text that is passed on as it is. It knows nothing of
//! rematches or of what the score of a series is.

use crate::header::TableHeader;
use crate::outcome::TableOutcome;
use astragal_proto::gateway::v1::SeriesGame;
use astragal_rules::seat::Seat;
use astragal_runtime::id::TableId;
use bytes::Bytes;

/// A JSON array of finished games, oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series(String);

impl Default for Series {
    /// A series that begins.
    fn default() -> Self {
        Self("[]".to_owned())
    }
}

impl Series {
    /// Takes the text of an array; an empty text is a series that begins. None if it is no such array.
    pub fn of_text(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let games: Vec<SeriesGame> = serde_json::from_str(text).ok()?;
        serde_json::to_string(&games).ok().map(Self)
    }

    /// Takes text that the store kept.
    pub(crate) fn of_store(text: String) -> Self {
        Self(text)
    }

    /// The series with one more game, which has just ended.
    #[must_use]
    pub fn with(&self, header: &TableHeader, outcome: &TableOutcome) -> Self {
        self.and(header.id, header.first_seat, outcome)
    }

    /// The series with one more game.
    #[must_use]
    pub(crate) fn and(&self, id: TableId, first_seat: Seat, outcome: &TableOutcome) -> Self {
        let game = SeriesGame {
            game_id: id.to_string(),
            first_seat: first_seat.0.into(),
            reason: outcome.reason.as_str().to_owned(),
            winner: outcome.winner(),
            scores: outcome.scores.clone(),
        };
        let game = serde_json::to_string(&game).unwrap_or_else(|_| "null".to_owned());
        match self.0.strip_suffix(']').filter(|games| *games != "[") {
            Some(games) => Self(format!("{games},{game}]")),
            None => Self(format!("[{game}]")),
        }
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The JSON text for the wire.
    pub fn to_bytes(&self) -> Bytes {
        Bytes::copy_from_slice(self.0.as_bytes())
    }
}
