//! The certificate: one file of a game that is over, with everything that anyone needs to check it. It
//! holds the finished log, all that is in the journal, the draw and what proves it, and the series, and
//! binds them by a chain of digests. It has no account ids and no names.
//!
//! `docs/log-format.md` says the same for whoever writes a checker of their own.

mod chain;
mod check;
pub mod draw;
pub mod journal;
mod series;
mod time;

pub use self::time::CREDIT_US_MAX;

use self::draw::DrawRecord;
use self::journal::Record;
use crate::canonical::{canonical, text_of};
use crate::error::InvalidGame;
use crate::finished_log::FinishedLog;
use crate::outcome::Outcome;
use crate::said::unread;
use crate::seat::Seat;
use crate::seed::Commitment;
use crate::strict::{any_value, has_member};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// The version of the certificate's own form.
pub const CERTIFICATE_VERSION: u32 = 1;

/// What is certified.
pub struct Certificate {
    /// The log, seed included.
    pub log: FinishedLog,
    /// What everyone was shown at the opening.
    pub commitment: Commitment,
    /// How time was counted; none: no clock.
    pub clock: Option<ClockRecord>,
    /// Who went first, and why; none: the game had no draw, as a rematch has none.
    pub draw: Option<DrawRecord>,
    /// The games of the series up to this one.
    pub series: SeriesRecord,
    /// When the table opened, in microseconds since 1970.
    pub opened_at_us: i64,
    /// How it ended.
    pub outcome: Outcome,
    /// Everything that happened.
    pub journal: Vec<Record>,
}

/// How time was counted. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ClockRecord {
    /// A time for the whole game.
    Total {
        /// From the first move on.
        initial_ms: u64,
        /// What each move adds.
        increment_ms: u64,
    },
    /// A time for each move.
    PerMove {
        /// From the move before on.
        per_move_ms: u64,
    },
}

/// The series that a game is part of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesRecord {
    /// Its id; none for tables from before there were series.
    #[serde(deserialize_with = "Option::deserialize")]
    pub id: Option<Uuid>,
    /// The finished games, oldest first; the last is the one that is certified.
    pub games: Vec<SeriesGame>,
}

/// A finished game of a series.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SeriesGame {
    /// Its id.
    pub table: Uuid,
    /// Who moved first.
    pub first_seat: Seat,
    /// Why it ended.
    pub reason: String,
    /// Who won; none: nobody alone.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner: Option<Seat>,
    /// By seat.
    pub scores: Vec<i32>,
}

/// The file without its chain, field by field.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Content {
    certificate: u32,
    #[serde(deserialize_with = "Option::deserialize")]
    clock: Option<ClockRecord>,
    commitment: String,
    #[serde(deserialize_with = "Option::deserialize")]
    dictionary: Option<Value>,
    #[serde(deserialize_with = "Option::deserialize")]
    draw: Option<DrawRecord>,
    journal: Vec<Record>,
    log: Value,
    opened_at_us: i64,
    outcome: Outcome,
    series: SeriesRecord,
}

impl Certificate {
    /// Whether a file says of itself that it is a certificate. Whether it can be read as one is another matter.
    pub fn is_named_by(text: &str) -> bool {
        has_member(text, "certificate")
    }

    /// The file's text: canonical JSON, so that the same game gives the same bytes.
    pub fn to_json(&self) -> Result<String, InvalidGame> {
        let mut value = serde_json::to_value(self.content()?).map_err(unwritable)?;
        let digest = chain::digest(&value)?;
        let members =
            value.as_object_mut().ok_or_else(|| InvalidGame::new("certificate", "not an object"))?;
        members.insert("chain".to_owned(), Value::from(digest));
        canonical(&value).map_err(unwritable)
    }

    /// Reads a file's text strictly, and refuses one that is not what its chain says. Whether what it
    /// says is true is for [`Certificate::check`].
    pub fn from_json(text: &str) -> Result<Self, InvalidGame> {
        let value = any_value(text);
        let mut value = value.map_err(|error| InvalidGame::new("certificate", unread(text, &error)))?;
        let members =
            value.as_object_mut().ok_or_else(|| InvalidGame::new("certificate", "not an object"))?;
        let claimed = members.remove("chain").ok_or_else(|| InvalidGame::new("chain", "is missing"))?;
        if claimed.as_str() != Some(&chain::digest(&value)?) {
            return Err(InvalidGame::new("chain", "the file is not the one that was exported"));
        }
        let content: Content = serde_path_to_error::deserialize(&value)
            .map_err(|error| InvalidGame::new(error.path().to_string(), error.inner()))?;
        if content.certificate != CERTIFICATE_VERSION {
            let why = format!("this build reads certificates of version {CERTIFICATE_VERSION}");
            return Err(InvalidGame::new("certificate", why));
        }
        let commitment = content.commitment.parse().map_err(|why| InvalidGame::new("commitment", why))?;
        let log = text_of(&content.log).map_err(|why| InvalidGame::new("log", why))?;
        let read = Self {
            log: FinishedLog::from_json(&log).map_err(|error| error.below("log"))?,
            commitment,
            clock: content.clock,
            draw: content.draw,
            series: content.series,
            opened_at_us: content.opened_at_us,
            outcome: content.outcome,
            journal: content.journal,
        };
        // What a lenient reader lets through, like a list in place of an object, is not written so.
        if serde_json::to_value(read.content()?).map_err(unwritable)? != value {
            return Err(InvalidGame::new("certificate", "a field is not in the form that it is written in"));
        }
        Ok(read)
    }

    fn content(&self) -> Result<Content, InvalidGame> {
        let options = any_value(&self.log.log().opening().options);
        let options = options.map_err(|error| InvalidGame::new("log.options", error))?;
        let log = self.log.to_json()?;
        Ok(Content {
            certificate: CERTIFICATE_VERSION,
            clock: self.clock.clone(),
            commitment: self.commitment.to_string(),
            dictionary: options.get("dictionary").cloned(),
            draw: self.draw.clone(),
            journal: self.journal.clone(),
            log: any_value(&log).map_err(|error| InvalidGame::new("log", error))?,
            opened_at_us: self.opened_at_us,
            outcome: self.outcome.clone(),
            series: self.series.clone(),
        })
    }
}

fn unwritable(error: serde_json::Error) -> InvalidGame {
    InvalidGame::new("certificate", error)
}
