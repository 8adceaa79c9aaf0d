//! The one place that reads the column of the seed, and that says what is written there. The seed
//! of a table leaves the database for its rules and for its finished log, and for nothing else.

use crate::store::StoreError;
use astragal_rules::seed::Seed;
use astragal_runtime::id::TableId;
use sqlx::{PgConnection, SqliteConnection};

const SEED: &str = "SELECT seed FROM tables WHERE id = $1";

/// What the column holds.
pub(super) fn column(seed: &Seed) -> &[u8] {
    seed.expose()
}

/// The same in hex, for a statement that takes its rows as JSON.
pub(super) fn hex(seed: &Seed) -> String {
    hex::encode(seed.expose())
}

/// Reads the seed of a table that is there.
pub(super) async fn read(connection: &mut SqliteConnection, table: TableId) -> Result<Seed, StoreError> {
    let bytes = sqlx::query_scalar(SEED).bind(table).fetch_one(connection).await;
    seed(bytes.map_err(StoreError::Failed)?)
}

/// Reads the seed of a table that is there.
pub(super) async fn read_postgres(connection: &mut PgConnection, table: TableId) -> Result<Seed, StoreError> {
    let bytes = sqlx::query_scalar(SEED).bind(table).fetch_one(connection).await;
    seed(bytes.map_err(StoreError::Failed)?)
}

fn seed(bytes: Vec<u8>) -> Result<Seed, StoreError> {
    let bytes = <[u8; 32]>::try_from(bytes);
    bytes.map(Seed::new).map_err(|_| StoreError::Unreadable("the seed of a table".to_owned()))
}
