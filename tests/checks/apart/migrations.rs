//! The command that brings schemas up to date, as operators run it.

use anyhow::{Context, Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_tests::program;

#[test]
fn o3_migrations_run_at_once_and_twice_and_leave_a_newer_schema_alone() -> Result<()> {
    let server = Postgres::shared();
    let url = server.database();
    let migrate = || program::run(&["migrate", "--database-url", &url]);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..3).map(|_| scope.spawn(migrate)).collect();
        for one in all {
            let output = one.join().map_err(|_| anyhow::anyhow!("a test's thread panicked"))??;
            ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        anyhow::Ok(())
    })?;
    ensure!(migrate()?.status.success(), "a second time it is refused");

    let place = url.split('?').next().unwrap_or_default();
    let name = place.rsplit('/').next().context("a database without a name")?;
    for schema in ["engine", "matchmaking"] {
        let later = format!(
            "INSERT INTO {schema}._sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9999, 'of a later version', true, '', 0)"
        );
        server.run_sql(name, &later);
    }
    let output = migrate()?;
    let said = String::from_utf8(output.stderr)?;
    ensure!(!output.status.success() && said.contains("migration 9999"), "{said}");
    Ok(())
}
