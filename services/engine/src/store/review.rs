//! What administrators look for, and what is remembered of their looks.

use crate::header::Phase;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use uuid::Uuid;

/// Which tables are looked for; whatever is none is not looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// This one.
    pub table: Option<TableId>,
    /// At which this account sits.
    pub account: Option<AccountId>,
    /// Of this game.
    pub game: Option<String>,
    /// That have come so far.
    pub phase: Option<Phase>,
    /// Of this series.
    pub series: Option<Uuid>,
    /// Only tables that are older than this one.
    pub after: Option<TableId>,
    /// At most so many.
    pub limit: u32,
}

/// By what the tables that are looked for are found, before the rest is asked of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// Their own id.
    Table,
    /// Who sits at them.
    Account,
    /// Their series.
    Series,
    /// Their age.
    Opening,
}

impl Wanted {
    /// What leaves the fewest tables.
    pub(super) const fn by(&self) -> By {
        match self {
            Self { table: Some(_), .. } => By::Table,
            Self { account: Some(_), .. } => By::Account,
            Self { series: Some(_), .. } => By::Series,
            _ => By::Opening,
        }
    }
}

/// A look at the hidden state of a table that went on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// Who looked.
    pub looker: String,
    /// When.
    pub at: Timestamp,
    /// Up to where they saw.
    pub revision: u32,
}

/// The most looks that are listed, the newest ones.
pub(super) const LOOKS_MAX: i64 = 1_000;
