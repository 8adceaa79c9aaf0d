//! Where a role keeps its data.

use crate::database_url::DatabaseUrl;
use clap::Args;

/// The database of a role.
#[derive(Args)]
pub(crate) struct DatabaseFlags {
    /// `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(long, env = "ASTRAGAL_DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: DatabaseUrl,
}
