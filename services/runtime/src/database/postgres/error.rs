//! Why a PostgreSQL database can't be used, in sentences for whoever started the process.

use sqlx::migrate::MigrateError;
use sqlx::postgres::PgConnectOptions;

/// Why a PostgreSQL database can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostgresError {
    /// The address can't be read; it isn't shown, since it may hold a password.
    #[error(
        "can't read the address of the database ({0}); write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, \
         and in the password / as %2F, @ as %40 and : as %3A"
    )]
    Address(sqlx::Error),
    /// Nobody answers, or lets us in.
    #[error("can't use the database {place}: {cause}; start it, or correct its address")]
    Unreachable {
        /// The database.
        place: String,
        /// What went wrong.
        cause: sqlx::Error,
    },
    /// A migration of this build is missing.
    #[error(
        "the schema {schema} of {place} lacks migration {migration}, which this build needs; run `astragal migrate` first"
    )]
    Older {
        /// The database.
        place: String,
        /// The schema.
        schema: &'static str,
        /// The first migration that is missing.
        migration: i64,
    },
    /// A newer program has changed the schema.
    #[error(
        "the schema {schema} of {place} was made by a newer version (migration {migration}); start that version"
    )]
    Newer {
        /// The database.
        place: String,
        /// The schema.
        schema: &'static str,
        /// The migration that this program doesn't know.
        migration: i64,
    },
    /// A migration is not the one that was applied.
    #[error(
        "the schema {schema} of {place} was made by another build (migration {migration} differs); start that build"
    )]
    OtherBuild {
        /// The database.
        place: String,
        /// The schema.
        schema: &'static str,
        /// The migration that differs.
        migration: i64,
    },
    /// Anything else.
    #[error("can't bring the schema {schema} of {place} up to date: {cause}")]
    Other {
        /// The database.
        place: String,
        /// The schema.
        schema: &'static str,
        /// What went wrong.
        cause: MigrateError,
    },
}

impl PostgresError {
    pub(super) fn of_migration(place: &str, schema: &'static str, cause: MigrateError) -> Self {
        let place = place.to_owned();
        match cause {
            MigrateError::VersionMissing(migration) => Self::Newer { place, schema, migration },
            MigrateError::VersionMismatch(migration) => Self::OtherBuild { place, schema, migration },
            cause => Self::Other { place, schema, cause },
        }
    }
}

/// The database as its operator knows it, without the password.
pub(super) fn place(options: &PgConnectOptions) -> String {
    let database = options.get_database().unwrap_or(options.get_username());
    match options.get_socket() {
        Some(socket) => format!("{database} at {}", socket.display()),
        None => format!("{database} at {}:{}", options.get_host(), options.get_port()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PostgresDatabase, PostgresSettings};
    use sqlx::migrate::Migrator;

    /// O3: a password that breaks the address is not shown, and it is said how to write it.
    #[tokio::test]
    async fn o3_an_address_that_its_password_breaks_says_how_to_write_it() {
        let settings = PostgresSettings::new("postgres://ada:sec/ret@host/db");
        let none = Migrator::with_migrations(Vec::new());
        let opened = PostgresDatabase::open(&settings, "engine", &none).await;
        let said = opened.map(drop).expect_err("a refusal").to_string();
        assert!(said.contains("/ as %2F") && !said.contains("ret"), "{said}");
    }
}
