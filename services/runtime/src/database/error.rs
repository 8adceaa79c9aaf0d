//! Why a database can't be opened, in sentences for whoever started the process.

use std::path::{Path, PathBuf};

use sqlx::migrate::MigrateError;

use super::Location;

/// Result codes of SQLite that have a sentence of their own, without their extended parts.
pub(super) const READ_ONLY: i32 = 8;
const CAN_NOT_OPEN: i32 = 14;
const NOT_A_DATABASE: i32 = 26;

/// Why a database can't be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The directory can't be made.
    #[error("can't make the directory {}: {cause}; choose another one, or allow writing there", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the operating system says.
        cause: std::io::Error,
    },
    /// The file can't be made or written.
    #[error("can't write {}; choose another directory, or allow writing there", path.display())]
    NotWritable {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("{} is not a database; move it away, or choose another directory", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// There is no such file.
    #[error("{} is not there; name the file of a role", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A migration of this program is missing, where none may be applied.
    #[error(
        "{place} was written by an older version (without migration {migration}); start this version on a copy of it, and look at that"
    )]
    Older {
        /// The database.
        place: String,
        /// The first migration that is missing.
        migration: i64,
    },
    /// A newer program has changed the database.
    #[error(
        "{place} was written by a newer version (migration {migration}); start that version, or choose another directory"
    )]
    Newer {
        /// The database.
        place: String,
        /// The migration that this program doesn't know.
        migration: i64,
    },
    /// A migration is not the one that was applied.
    #[error(
        "{place} was made by another build (migration {migration} differs); start that build, or choose another directory"
    )]
    OtherBuild {
        /// The database.
        place: String,
        /// The migration that differs.
        migration: i64,
    },
    /// Anything else.
    #[error("can't open {place}: {cause}")]
    Other {
        /// The database.
        place: String,
        /// What the database says.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl OpenError {
    pub(super) fn memory(cause: sqlx::Error) -> Self {
        Self::Other { place: place(&Location::Memory), cause: cause.into() }
    }

    pub(super) fn of_sqlite(path: &Path, cause: sqlx::Error) -> Self {
        match result_code(&cause) {
            Some(READ_ONLY | CAN_NOT_OPEN) => Self::NotWritable { path: path.into() },
            Some(NOT_A_DATABASE) => Self::NotADatabase { path: path.into() },
            _ => Self::Other { place: path.display().to_string(), cause: cause.into() },
        }
    }

    pub(super) fn of_migration(location: &Location, cause: MigrateError) -> Self {
        let place = place(location);
        match (cause, location) {
            (MigrateError::VersionMissing(migration), _) => Self::Newer { place, migration },
            (MigrateError::VersionMismatch(migration), _) => Self::OtherBuild { place, migration },
            (
                MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _),
                Location::File(path),
            ) => Self::of_sqlite(path, cause),
            (cause, _) => Self::Other { place, cause: cause.into() },
        }
    }
}

fn place(location: &Location) -> String {
    match location {
        Location::File(path) => path.display().to_string(),
        Location::Memory => "the database in memory".to_owned(),
    }
}

/// Of an error of SQLite, without what it says more in its upper bytes.
pub(super) fn result_code(cause: &sqlx::Error) -> Option<i32> {
    let extended: i32 = cause.as_database_error()?.code()?.parse().ok()?;
    Some(extended & 0xff)
}
