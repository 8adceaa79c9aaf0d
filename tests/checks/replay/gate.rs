//! `astragal replay-check` over the tables of a real server.

use super::certificates::played;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_tests::client::Wire;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use astragal_tests::{ask, program};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

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
    let line = said.lines().find(|line| line.contains(&id)).context("the table is not named")?;
    ensure!(line.contains("journal["), "the place is not named: {line}");
    Ok(())
}
