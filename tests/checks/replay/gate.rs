//! `astragal replay-check` over the tables of a real server.

use super::certificates::played;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_tests::client::Wire;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::Server;
use astragal_tests::{ask, program};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::time::Duration;

/// P6: all tables come out as they did; one that doesn't is named with the place, and stops the release.
#[tokio::test]
async fn p6_a_build_that_replays_otherwise_is_stopped() -> Result<()> {
    let mut server = Server::start()?;
    let (_, id) = played(&server).await?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let aborted = KalahPlayer::against_robot(&mut ada, 1, 5).await?;
    ada.done(ask::resign(aborted.id())).await?;
    ada.close().await?;
    server.terminate()?;

    let file = server.data().join("engine.sqlite");
    let url = format!("sqlite:{}", file.display());
    let check = || program::run(&["replay-check", "--database-url", &url]);
    let good = check()?;
    ensure!(good.status.success(), "{good:?}");
    let said = String::from_utf8_lossy(&good.stdout).into_owned();
    ensure!(said.starts_with("2 tables with"), "{said}");

    let mut database: SqliteConnection = SqliteConnectOptions::new().filename(&file).connect().await?;
    let table: uuid::Uuid = id.parse()?;
    let changed = sqlx::query(
        "UPDATE journal SET action = CASE action WHEN '{\"pit\":1}' THEN '{\"pit\":2}' ELSE '{\"pit\":1}' END \
         WHERE table_id = $1 AND kind = 'move' AND number = 1",
    );
    let changed = changed.bind(table).execute(&mut database).await?;
    ensure!(changed.rows_affected() > 0, "nothing was changed");
    database.close().await?;
    let bad = check()?;
    let said = String::from_utf8_lossy(&bad.stderr).into_owned();
    ensure!(bad.status.code() == Some(1), "{bad:?}");
    ensure!(String::from_utf8_lossy(&bad.stdout).starts_with("1 tables with"), "{bad:?}");
    let line = said.lines().find(|line| line.contains(&id)).context("the table is not named")?;
    ensure!(line.contains("journal["), "the place is not named: {line}");
    Ok(())
}

/// P6: where there are no tables, none come out as they did; and what is only read is not made.
#[test]
fn p6_a_database_that_is_not_there_stops_a_release() -> Result<()> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("none.sqlite");
    let output = program::run(&["replay-check", "--database-url", &format!("sqlite:{}", file.display())])?;
    ensure!(output.status.code() == Some(1) && output.stdout.is_empty(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(said.contains("none.sqlite is not there"), "{said}");
    ensure!(!file.exists(), "it was made");
    Ok(())
}

/// P6, O2: the same on PostgreSQL, beside an engine that runs.
#[tokio::test]
async fn p6_o2_the_gate_reads_postgresql() -> Result<()> {
    let postgres = Postgres::shared();
    let database_url = postgres.database();
    let migrated = program::run(&["migrate", "--database-url", &database_url])?;
    ensure!(migrated.status.success(), "{migrated:?}");
    let plan = Plan {
        engines: 1,
        matchmakings: 1,
        rematches: 0,
        gateways: 1,
        heads_interval: Duration::from_secs(2),
        database_url: Some(database_url.clone()),
        redis_url: None,
    };
    let roles = Roles::start(&plan)?;
    let gateway = roles.gateways[0].url();
    let mut ada = people::one(gateway, Wire::Json).await?;
    let mut played = KalahPlayer::against_robot(&mut ada, 1, 7).await?;
    played.play_to_end(&mut ada).await?;
    let given_up = KalahPlayer::against_robot(&mut ada, 1, 5).await?;
    ada.done(ask::resign(given_up.id())).await?;

    let check = || program::run(&["replay-check", "--database-url", &database_url]);
    let good = check()?;
    ensure!(good.status.success(), "{good:?}");
    ensure!(String::from_utf8_lossy(&good.stdout).starts_with("2 tables with"), "{good:?}");
    let name = database_url.split(['/', '?']).nth(3).context("a database")?;
    let changed = postgres.run_sql(
        name,
        &format!(
            "UPDATE engine.journal SET state_hash = sha256('another') WHERE table_id = '{}' AND kind = 'move' \
             AND number = 2 RETURNING revision - 1",
            played.id()
        ),
    );
    let bad = check()?;
    ensure!(bad.status.code() == Some(1), "{bad:?}");
    let said = String::from_utf8_lossy(&bad.stderr).into_owned();
    let line = said.lines().find(|line| line.contains(played.id())).context("the table is not named")?;
    ensure!(line.contains(&format!("journal[{changed}]")), "the place is not named: {line}");
    Ok(())
}
