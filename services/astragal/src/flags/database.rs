//! Where a role keeps its data, and how much and how long it asks there.

use super::durations;
use crate::database_url::DatabaseUrl;
use astragal_runtime::database::Location;
use astragal_runtime::database::postgres::PostgresSettings;
use clap::{Args, value_parser};
use std::time::Duration;

/// The database of a role.
#[derive(Args)]
pub(crate) struct DatabaseFlags {
    /// `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; for TLS with
    /// `?sslmode=verify-full&sslrootcert=FILE`.
    #[arg(long, env = "ASTRAGAL_DATABASE_URL", hide_env_values = true)]
    database_url: DatabaseUrl,
    /// The most connections of this process to PostgreSQL. All processes together stay below what the
    /// server allows.
    #[arg(long, env = "ASTRAGAL_DATABASE_CONNECTIONS_MAX", value_parser = value_parser!(u32).range(1..=1_000), default_value_t = PostgresSettings::CONNECTIONS_MAX)]
    database_connections_max: u32,
    /// How long a request waits for one of them.
    #[arg(long, env = "ASTRAGAL_ACQUIRE_TIMEOUT", value_parser = wait, default_value = "2s")]
    acquire_timeout: Duration,
    /// After how long PostgreSQL breaks off a statement.
    #[arg(long, env = "ASTRAGAL_STATEMENT_TIMEOUT", value_parser = wait, default_value = "4s")]
    statement_timeout: Duration,
}

/// Whoever waits has a deadline of their own, after ten seconds.
fn wait(text: &str) -> Result<Duration, String> {
    durations::between(text, Duration::from_millis(100), Duration::from_mins(1))
}

/// A database that a role can open.
pub(crate) enum Database {
    /// Of this process alone.
    Embedded(Location),
    /// Shared by all processes of the role.
    Postgres(PostgresSettings),
}

impl DatabaseFlags {
    /// The database, in which this process is known under the name of its role.
    pub(crate) fn database(&self, application: &'static str) -> Database {
        match &self.database_url {
            DatabaseUrl::Embedded(location) => Database::Embedded(location.clone()),
            DatabaseUrl::Postgres(url) => Database::Postgres(PostgresSettings {
                application,
                connections_max: self.database_connections_max,
                acquire_timeout: self.acquire_timeout,
                statement_timeout: self.statement_timeout,
                ..PostgresSettings::new(url)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        database: DatabaseFlags,
    }

    fn settings(words: &[&str]) -> Result<PostgresSettings, String> {
        let words = ["role", "--database-url", "postgres://host/db"].iter().chain(words);
        let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        match line.database.database("astragal-role") {
            Database::Postgres(settings) => Ok(settings),
            Database::Embedded(_) => Err("embedded".to_owned()),
        }
    }

    #[test]
    fn without_flags_the_bounds_are_the_usual_ones() {
        let settings = settings(&[]).expect("settings");
        let usual =
            PostgresSettings { application: "astragal-role", ..PostgresSettings::new("postgres://host/db") };
        assert_eq!(format!("{settings:?}"), format!("{usual:?}"));
    }

    /// O3: a bound that would starve a role or never end stops the start, with what may be given.
    #[test]
    fn o3_a_bound_out_of_bounds_is_refused_with_what_may_be_given() {
        let given = settings(&["--database-connections-max", "5", "--statement-timeout", "1500ms"])
            .expect("settings");
        assert_eq!((given.connections_max, given.statement_timeout), (5, Duration::from_millis(1500)));
        for (flag, value, hint) in [
            ("--database-connections-max", "0", "1..=1000"),
            ("--database-connections-max", "1001", "1..=1000"),
            ("--acquire-timeout", "0s", "100ms"),
            ("--acquire-timeout", "2m", "1m"),
            ("--statement-timeout", "1ms", "100ms"),
            ("--statement-timeout", "soon", "100ms"),
        ] {
            let refused = settings(&[flag, value]).expect_err("a refusal");
            assert!(refused.contains(flag) && refused.contains(hint), "{refused}");
        }
    }
}
