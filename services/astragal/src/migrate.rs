//! `astragal migrate`: the schemas of all roles brought up to date, before roles of a new version start.

use crate::database_url::DatabaseUrl;
use anyhow::{Result, bail};
use astragal_engine::store::postgres::PostgresTables;
use astragal_matchmaking::store::postgres::PostgresStore;
use astragal_runtime::database::postgres::PostgresSettings;
use clap::Args;

/// Which database is brought up to date.
#[derive(Args)]
pub(crate) struct MigrateSettings {
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(long, env = "ASTRAGAL_DATABASE_URL", hide_env_values = true)]
    database_url: DatabaseUrl,
}

/// Applies what is missing, and says that all is there. Twice or at once is the same as once; what is newer is left alone.
#[expect(clippy::print_stdout, reason = "whoever asked is told that it is done")]
#[tokio::main(flavor = "current_thread")]
pub(crate) async fn run(settings: MigrateSettings) -> Result<()> {
    let DatabaseUrl::Postgres(url) = settings.database_url else {
        bail!("a role brings its embedded database up to date by itself; there is nothing to migrate");
    };
    let settings = PostgresSettings { application: "astragal-migrate", ..PostgresSettings::new(url) };
    PostgresTables::migrate(&settings).await?;
    PostgresStore::migrate(&settings).await?;
    println!("the schemas engine and matchmaking are up to date");
    Ok(())
}
