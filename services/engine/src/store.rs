//! Where tables are kept: the one narrow trait behind which a database lies. It knows no rules; what
//! it is given is written as it is.

pub mod heart;
pub mod postgres;
pub mod review;
pub mod sqlite;

mod journal_row;
mod kind_columns;
mod seed_column;

use self::heart::{Abort, Beat, Beaten};
use self::review::{Look, Wanted};
use crate::header::{Phase, TableHeader};
use crate::journal::{Entry, EntryKind};
use crate::occupant::Occupant;
use crate::outcome::{Reason, TableOutcome};
use crate::series::Series;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::database::refuses_writes;
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use astragal_runtime::time_control::TimeControl;
use async_trait::async_trait;
use std::sync::Arc;

/// What a table itself has to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DueKind {
    /// A robot is to move.
    Robot,
    /// The table itself is to move.
    Automatic,
    /// A seat can be out of time, but not before.
    Flag,
    /// The table is over, and that is to be told.
    Ended,
}

impl DueKind {
    /// The word of the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Robot => "robot",
            Self::Automatic => "automatic",
            Self::Flag => "flag",
            Self::Ended => "ended",
        }
    }
}

/// Something that becomes due, or no longer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DueChange {
    /// What.
    pub kind: DueKind,
    /// When; none: no longer.
    pub at: Option<Timestamp>,
}

/// A table to open.
pub struct NewTable {
    /// What it is.
    pub header: TableHeader,
    /// Where its draws come from.
    pub seed: Seed,
    /// The games of its series so far.
    pub series: Series,
    /// The seats taken from the start: entries 1 and on.
    pub entries: Vec<Entry>,
    /// The phase after these.
    pub phase: Phase,
    /// What is due from the start.
    pub due: Vec<DueChange>,
    /// Whether it is shown to everyone who looks for something to watch.
    pub listed: bool,
}

/// A table that is open, whoever opened it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Its commitment.
    pub commitment: String,
    /// The version of its rules.
    pub version: u32,
    /// Its newest revision.
    pub revision: u32,
}

/// An entry to append, with what changes with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// The table.
    pub table: TableId,
    /// The entry.
    pub entry: Entry,
    /// The phase after it, if it changes; `ended` says it for the end.
    pub phase: Option<Phase>,
    /// Present if the entry ends the table; nothing is due after it but to tell that.
    pub ended: Option<TableEnd>,
    /// What becomes due or no longer is.
    pub due: Vec<DueChange>,
}

impl Append {
    /// True if the entry is all that changes.
    pub fn is_plain(&self) -> bool {
        self.phase.is_none()
            && self.ended.is_none()
            && self.due.is_empty()
            && !matches!(self.entry.kind, EntryKind::SeatTaken(_))
    }
}

/// The end of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableEnd {
    /// How it ended.
    pub outcome: TableOutcome,
    /// The series with this game in it.
    pub series: Series,
}

/// One of the things that are written together.
#[derive(Clone)]
pub enum Write {
    /// A table is opened, unless there is one of this id.
    Open(Arc<NewTable>),
    /// An entry is appended.
    Append(Arc<Append>),
}

impl Write {
    /// The table that it is about.
    pub fn table(&self) -> TableId {
        match self {
            Self::Open(new) => new.header.id,
            Self::Append(append) => append.table,
        }
    }

    /// What it adds to the journal.
    pub fn entries(&self) -> &[Entry] {
        match self {
            Self::Open(new) => &new.entries,
            Self::Append(append) => std::slice::from_ref(&append.entry),
        }
    }

    /// True if it adds one entry to the journal and does nothing else.
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Append(append) if append.is_plain())
    }
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// It is in the journal, durably.
    Yes,
    /// Its revision, or its table, exists already: nothing was written.
    Conflict,
}

/// A whole table as it is kept.
pub struct StoredTable {
    /// What it is.
    pub header: TableHeader,
    /// Where its draws come from.
    pub seed: Seed,
    /// How it ended, if it has.
    pub outcome: Option<TableOutcome>,
    /// The series; with this game in it if it has ended.
    pub series: Series,
    /// Everything that happened.
    pub entries: Vec<Entry>,
}

/// Which tables of an account are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablesOf {
    /// Whose.
    pub account: AccountId,
    /// Only tables that go on.
    pub in_progress: bool,
    /// Only tables that are older than this one.
    pub after: Option<TableId>,
    /// At most so many.
    pub limit: u32,
}

/// A game of a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesRow {
    /// The table.
    pub id: TableId,
    /// Who moved first.
    pub first_seat: Seat,
    /// How it ended, if it has.
    pub outcome: Option<TableOutcome>,
}

/// A table that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndRow {
    /// The table.
    pub id: TableId,
    /// Why it ended.
    pub reason: Reason,
    /// When.
    pub at: Timestamp,
}

/// A table that is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedRow {
    /// The table.
    pub id: TableId,
    /// How time is counted; none: there is no clock.
    pub time_control: Option<TimeControl>,
}

/// Which tables that go on are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveTables {
    /// Of this game; none: of every game.
    pub game: Option<String>,
    /// Only tables that are older than this one.
    pub after: Option<TableId>,
    /// At most so many.
    pub limit: u32,
}

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing was written.
    #[error("the database did not answer: {0}")]
    Failed(#[source] sqlx::Error),
    /// The connection broke while the transaction ended: it may have been written or not.
    #[error("whether it was written is unknown: {0}")]
    Unknown(#[source] sqlx::Error),
    /// A row holds what no version of this program writes.
    #[error("a row of the database can't be read: {0}")]
    Unreadable(String),
}

impl StoreError {
    /// Whether the database answers, but writes nothing: it is read-only, or its disk is full.
    pub(crate) fn refuses_writes(&self) -> bool {
        let (Self::Failed(cause) | Self::Unknown(cause)) = self else { return false };
        refuses_writes(cause)
    }
}

/// The result of a call of the store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Keeps tables and their journals.
#[async_trait]
pub trait TableStore: Send + Sync + 'static {
    /// Opens tables and appends entries in one transaction; at most one of each table, sorted by table.
    /// The answers are in the order of the batch.
    async fn write(&self, batch: &[Write]) -> Result<Vec<Appended>>;

    /// What a table is, whoever opened it.
    async fn opened(&self, table: TableId) -> Result<Option<Opened>>;

    /// A whole table.
    async fn load(&self, table: TableId) -> Result<Option<StoredTable>>;

    /// The entries after a revision, oldest first.
    async fn tail(&self, table: TableId, after: u32) -> Result<Vec<Entry>>;

    /// The entry that a request of a seat made.
    async fn entry_of(&self, table: TableId, actor: Seat, request: RequestId) -> Result<Option<Entry>>;

    /// The newest revisions, in the order of asking; 0 for a table that is unknown or only opened.
    async fn heads(&self, tables: &[TableId]) -> Result<Vec<u32>>;

    /// How those tables ended that are over, in any order.
    async fn ends(&self, tables: &[TableId]) -> Result<Vec<EndRow>>;

    /// Tables of an account, newest first.
    async fn tables_of(&self, asked: TablesOf) -> Result<Vec<TableId>>;

    /// At most 100 tables at which one of these people plays and every seat is taken, in any order.
    async fn playing(&self, people: &[AccountId]) -> Result<Vec<PlayedRow>>;

    /// Listed tables that go on, newest first.
    async fn live(&self, asked: LiveTables) -> Result<Vec<TableId>>;

    /// Tables for which something is due by then, and since when, the longest overdue first.
    async fn due(&self, by: Timestamp, limit: u32) -> Result<Vec<(TableId, Timestamp)>>;

    /// Puts off what is due at a table that can't be served now.
    async fn postpone(&self, table: TableId, until: Timestamp) -> Result<()>;

    /// Says anew when a seat of a table can be out of time, if what was said before was due by then.
    async fn move_flag(&self, table: TableId, was_due_by: Timestamp, at: Timestamp) -> Result<()>;

    /// Something that was due at these tables is done.
    async fn done(&self, tables: &[TableId], kind: DueKind) -> Result<()>;

    /// The games of a series, oldest first, at most 1,000.
    async fn series(&self, series: SeriesId) -> Result<Vec<SeriesRow>>;

    /// Says that an engine lives. Whoever finds that none did for too long notes the outage.
    async fn beat(&self, beat: Beat) -> Result<Beaten>;

    /// Tables that an administrator looks for, newest first.
    async fn find(&self, wanted: Wanted) -> Result<Vec<TableId>>;

    /// Remembers a look at a table; a second one of the same person at the same revision says nothing new.
    async fn note_look(&self, table: TableId, look: Look) -> Result<()>;

    /// The newest looks at a table, oldest first.
    async fn looks(&self, table: TableId) -> Result<Vec<Look>>;

    /// Counts an abort against what an account may; false if it may not.
    async fn allow_abort(&self, abort: Abort) -> Result<bool>;
}

impl NewTable {
    /// Who sits from the start.
    pub fn occupants(&self) -> impl Iterator<Item = &Occupant> {
        self.entries.iter().filter_map(Entry::seated)
    }
}
