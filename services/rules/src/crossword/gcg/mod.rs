//! GCG, the notation in which other programs keep games: a line an event, with its score and the
//! total. [`read`] takes a file apart and knows no rules, [`score`] holds each event against them,
//! [`write`] and [`export`] make files of our own.

pub mod export;
pub mod read;
pub mod score;
pub mod write;

use crate::crossword::laying::LayingError;
use crate::crossword::place::Start;

/// A file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gcg {
    /// In the order of their numbers.
    pub players: Vec<Player>,
    /// The other lines that begin with `#`: name and text.
    pub remarks: Vec<(String, String)>,
    /// What happened.
    pub events: Vec<Event>,
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// How events name the player: without spaces and colons.
    pub nick: String,
    /// The name in full.
    pub name: String,
}

/// One line of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The line of the file, from 1.
    pub line: usize,
    /// The index of the player.
    pub player: usize,
    /// The tiles before it, as far as they are known; `?` is a blank.
    pub rack: String,
    /// What was done.
    pub action: Action,
    /// The points that the file gives for it.
    pub score: i32,
    /// The player's total after it, as the file has it.
    pub total: i32,
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Tiles were laid. A filled square is `.`, or its letter, or the letter in brackets.
    Play(Start, String),
    /// Nothing.
    Pass,
    /// Tiles were exchanged: which, or only how many.
    Exchange(String),
    /// The last play was taken back.
    Withdrawn,
    /// Points for a challenge that failed.
    ChallengeBonus,
    /// Points for tiles that others hold at the end.
    EndBonus(String),
    /// Points lost for tiles held at the end.
    EndPenalty(String),
    /// Points lost for time.
    Time,
}

/// Why a file can't be read, or what differs first, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct GcgError {
    /// From 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong in a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Longer than any line of a game.
    #[error("the line is longer than {} bytes", read::LINE_BYTES_MAX)]
    LongLine,
    /// More events than any game has.
    #[error("a game has at most {} events", read::EVENTS_MAX)]
    TooManyEvents,
    /// An encoding that isn't read.
    #[error("the encoding {0:?} is not read, write UTF-8 or ISO-8859-1")]
    Encoding(String),
    /// Bytes that are not of the encoding.
    #[error("the bytes are not UTF-8")]
    NotUtf8,
    /// Neither a remark nor an event.
    #[error("a line begins with > or #")]
    NoEvent,
    /// A player's line without a number or a name.
    #[error("not a player, write #player1 NICK NAME, the numbers from 1 on")]
    NoPlayer,
    /// An event of somebody who is not named.
    #[error("no line #player names {0:?}")]
    UnknownPlayer(String),
    /// The line ends too early, or says nothing that is known.
    #[error("not an event: {0}")]
    Incomplete(&'static str),
    /// The file names no player.
    #[error("the file names no player, and so no game")]
    Empty,
    /// Letters that the set does not have.
    #[error("{0}")]
    Letters(String),
    /// A play that can't be made.
    #[error(transparent)]
    Laying(#[from] LayingError),
    /// Nothing to take back.
    #[error("there is no play of this player to take back")]
    NothingWithdrawn,
    /// Another score than the rules give.
    #[error("the score is {found}, by the rules it is {right}")]
    Score {
        /// In the file.
        found: i32,
        /// By the rules.
        right: i32,
    },
    /// Another total than the sum of the scores.
    #[error("the total is {found}, the sum is {right}")]
    Total {
        /// In the file.
        found: i32,
        /// The sum.
        right: i32,
    },
}
