//! The schema of a role: brought up to date by one command, and compared with the build by everyone else.

use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, PgConnection};

use super::PostgresError;
use crate::database::schema::{Difference, compare};

/// Applies what is missing. Fails if the schema is newer, and leaves it alone then.
pub(super) async fn migrate(
    connection: &mut PgConnection,
    place: &str,
    schema: &'static str,
    migrator: &Migrator,
) -> Result<(), PostgresError> {
    let mut migrator = Migrator { migrations: migrator.migrations.clone(), ..Migrator::DEFAULT };
    migrator.create_schema(schema);
    migrator.dangerous_set_table_name(format!("{schema}._sqlx_migrations"));
    let migrated = migrator.run_direct(None, connection, false).await;
    migrated.map_err(|cause| PostgresError::of_migration(place, schema, cause))
}

/// Fails if the schema is not exactly the one that the build knows.
pub(super) async fn check(
    connection: &mut PgConnection,
    place: &str,
    schema: &'static str,
    migrator: &Migrator,
) -> Result<(), PostgresError> {
    let place = place.to_owned();
    match applied(connection, schema).await {
        Err(cause) => Err(PostgresError::Unreachable { place, cause }),
        Ok(applied) => compare(&applied, migrator).map_err(|difference| match difference {
            Difference::Newer(migration) => PostgresError::Newer { place, schema, migration },
            Difference::OtherBuild(migration) => PostgresError::OtherBuild { place, schema, migration },
            Difference::Older(migration) => PostgresError::Older { place, schema, migration },
        }),
    }
}

/// The migrations that were applied, with their digests.
async fn applied(connection: &mut PgConnection, schema: &str) -> sqlx::Result<Vec<(i64, Vec<u8>)>> {
    let table = format!("{schema}._sqlx_migrations");
    let (exists,): (bool,) =
        sqlx::query_as("SELECT to_regclass($1) IS NOT NULL").bind(&table).fetch_one(&mut *connection).await?;
    if !exists {
        return Ok(Vec::new());
    }
    // The name of a schema is a literal of this program.
    let list = format!("SELECT version, checksum FROM {table} WHERE success ORDER BY version");
    sqlx::query_as(AssertSqlSafe(list)).fetch_all(connection).await
}
