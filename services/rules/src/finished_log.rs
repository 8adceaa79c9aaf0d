//! The finished log: the file that anyone may have once a game is over, seed included. It is
//! written as plain JSON and read back strictly. It holds no account ids and no names.

use crate::any::AnyTable;
use crate::canonical::canonical_text;
use crate::chance::CHANCE_VERSION;
use crate::error::{FinishedLogError, InvalidGame};
use crate::log::{FORMAT_VERSION, LoggedMove, MOVES_MAX, Opening, TableLog, check_versions};
use crate::seat::{SEATS_MAX, Seat};
use crate::seed::Seed;
use crate::strict::{has_member, object, objects};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use uuid::Uuid;

/// Who sat in a seat, without saying which person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Sitter {
    /// A person.
    Player {},
    /// A robot.
    Robot {
        /// From 1 to 5.
        level: u8,
    },
}

/// The log of a game that is over, with who sat in each seat.
pub struct FinishedLog {
    log: TableLog,
    sitters: Vec<Sitter>,
}

impl FinishedLog {
    /// The log of a table whose state is over; refused while the game goes on, and when the log
    /// is not the one of that state.
    pub fn of(log: TableLog, sitters: Vec<Sitter>, table: &dyn AnyTable) -> Result<Self, FinishedLogError> {
        if table.outcome().is_none() {
            return Err(FinishedLogError::GameInProgress);
        }
        let opening = table.opening();
        let same = opening.table == log.opening().table
            && opening.seed.commitment().matches(&log.commitment())
            && sitters.len() == usize::from(opening.seats)
            && table.follows_from(&log);
        if same { Ok(Self { log, sitters }) } else { Err(FinishedLogError::ConcurrentMove) }
    }

    /// The log.
    pub const fn log(&self) -> &TableLog {
        &self.log
    }

    /// Who sat in each seat.
    pub fn sitters(&self) -> &[Sitter] {
        &self.sitters
    }

    /// The file's text.
    pub fn to_json(&self) -> Result<String, InvalidGame> {
        self.written(self.log.moves())
    }

    /// The file's text without a move, for whoever hands those over on their own.
    pub fn heading(&self) -> Result<String, InvalidGame> {
        self.written(&[])
    }

    /// A heading and the moves that belong to it; they are canonical JSON already.
    pub fn of_heading(text: &str, moves: Vec<LoggedMove>) -> Result<Self, InvalidGame> {
        let Self { log, sitters } = Self::from_json(text)?;
        Ok(Self { log: TableLog::new(Arc::clone(log.opening()), moves)?, sitters })
    }

    fn written(&self, moves: &[LoggedMove]) -> Result<String, InvalidGame> {
        let opening = self.log.opening();
        let seed = hex::encode(opening.seed.expose());
        let text = LogText {
            format: FORMAT_VERSION,
            chance: CHANCE_VERSION,
            table: opening.table.to_string().into(),
            game: opening.game.as_str().into(),
            version: opening.version,
            seed: seed.into(),
            seats: self.sitters.clone(),
            options: raw(&opening.options, "options")?,
            first_seat: opening.first_seat,
            moves: moves.iter().map(MoveText::of).collect::<Result<_, _>>()?,
        };
        serde_json::to_string(&text).map_err(|error| InvalidGame::new("log", error))
    }

    /// Reads a file's text; the error names the field.
    pub fn from_json(text: &str) -> Result<Self, InvalidGame> {
        let read = object("log", "", text).map_err(|error| {
            let why = "this is a certificate; take the log in its place";
            if has_member(text, "certificate") { InvalidGame::new("certificate", why) } else { error }
        });
        let read: LogText<'_> = read?;
        check_versions(read.format, read.chance)?;
        let opening = read.opening()?;
        let moves = (0..).zip(&read.moves).map(|(place, text)| text.read(place)).collect::<Result<_, _>>()?;
        if let Some(place) = read.seats.iter().position(|sitter| !sitter.is_possible()) {
            return Err(InvalidGame::new(format_args!("seats[{place}].level"), "levels go from 1 to 5"));
        }
        Ok(Self { log: TableLog::new(Arc::new(opening), moves)?, sitters: read.seats })
    }
}

impl Sitter {
    const fn is_possible(self) -> bool {
        match self {
            Self::Player {} => true,
            Self::Robot { level } => level >= 1 && level <= 5,
        }
    }
}

/// The file, field by field, in the order in which it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LogText<'t> {
    format: u32,
    chance: u32,
    table: Cow<'t, str>,
    game: Cow<'t, str>,
    version: u32,
    seed: Cow<'t, str>,
    #[serde(deserialize_with = "sitters")]
    seats: Vec<Sitter>,
    options: Box<RawValue>,
    first_seat: Seat,
    #[serde(deserialize_with = "moves")]
    moves: Vec<MoveText>,
}

impl LogText<'_> {
    fn opening(&self) -> Result<Opening, InvalidGame> {
        let table = Uuid::parse_str(&self.table)
            .ok()
            .filter(|id| id.to_string() == self.table)
            .ok_or_else(|| InvalidGame::new("table", "not a UUID in lower case with hyphens"))?;
        let seed = Seed::from_hex(&self.seed)
            .ok_or_else(|| InvalidGame::new("seed", "not 64 lower-case hex digits"))?;
        let options = canonical_text(self.options.get()).map_err(|why| InvalidGame::new("options", why))?;
        Ok(Opening {
            table,
            game: self.game.clone().into_owned(),
            version: self.version,
            seed,
            seats: u8::try_from(self.seats.len()).map_err(|_| InvalidGame::new("seats", "too many seats"))?,
            options,
            first_seat: self.first_seat,
        })
    }
}

/// An optional field that names its reader must still be present: absent is not `null`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveText {
    number: u32,
    #[serde(deserialize_with = "Option::deserialize")]
    seat: Option<Seat>,
    #[serde(rename = "move")]
    action: Box<RawValue>,
    drew: bool,
}

impl MoveText {
    fn of(logged: &LoggedMove) -> Result<Self, InvalidGame> {
        let action = raw(&logged.action, format_args!("move {}", logged.number))?;
        Ok(Self { number: logged.number, seat: logged.seat, action, drew: logged.drew })
    }

    fn read(&self, place: usize) -> Result<LoggedMove, InvalidGame> {
        let action = canonical_text(self.action.get())
            .map_err(|why| InvalidGame::new(format_args!("moves[{place}].move"), why))?;
        Ok(LoggedMove { number: self.number, seat: self.seat, action: action.into(), drew: self.drew })
    }
}

fn raw(json: &str, place: impl fmt::Display) -> Result<Box<RawValue>, InvalidGame> {
    RawValue::from_string(json.to_owned()).map_err(|error| InvalidGame::new(place, error))
}

fn sitters<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<Sitter>, D::Error> {
    objects(reader, SEATS_MAX.into())
}

fn moves<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<MoveText>, D::Error> {
    objects(reader, MOVES_MAX as usize)
}
