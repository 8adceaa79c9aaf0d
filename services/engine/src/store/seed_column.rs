//! The one place that reads the column of the seed, and that says what is written there. The seed
//! of a table leaves the database for its rules and for its finished log, and for nothing else.

use crate::store::StoreError;
use astragal_rules::seed::Seed;
use astragal_runtime::id::TableId;
use sqlx::SqliteConnection;

/// What the column holds.
pub(super) fn column(seed: &Seed) -> &[u8] {
    seed.expose()
}

/// Reads the seed of a table that is there.
pub(super) async fn read(connection: &mut SqliteConnection, table: TableId) -> Result<Seed, StoreError> {
    let bytes: Vec<u8> = sqlx::query_scalar("SELECT seed FROM tables WHERE id = $1")
        .bind(table)
        .fetch_one(connection)
        .await
        .map_err(StoreError::Failed)?;
    let bytes = <[u8; 32]>::try_from(bytes);
    bytes.map(Seed::new).map_err(|_| StoreError::Unreadable("the seed of a table".to_owned()))
}
