//! A data directory that the build before rematches wrote: it is migrated, and its games go on.

use crate::finished::Finished;
use crate::rematch::couple::Couple;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::server::Launch;
use serde::Deserialize;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/data-2026-11-29");

/// What the older build had shown.
#[derive(Deserialize)]
struct Shown {
    people: Vec<Guest>,
    tables: Vec<ShownTable>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownTable {
    game_id: String,
    phase: String,
    revision: u32,
    commitment: String,
    /// Why it ended; nothing while it goes on.
    reason: Option<String>,
}

async fn restore(directory: &Path) -> Result<Shown> {
    let fixture = Path::new(FIXTURE);
    for name in ["engine", "matchmaking"] {
        let text = std::fs::read_to_string(fixture.join(format!("{name}.sql")))?;
        // A dump is in the order of names, so rows come before those that they refer to.
        let options = SqliteConnectOptions::new().filename(directory.join(format!("{name}.sqlite")));
        let mut database = options.create_if_missing(true).foreign_keys(false).connect().await?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(&mut database).await?;
        database.close().await?;
    }
    let key = directory.join("token-key.pem");
    std::fs::copy(fixture.join("token-key.pem"), &key)?;
    std::fs::set_permissions(&key, Permissions::from_mode(0o600))?;
    Ok(serde_json::from_slice(&std::fs::read(fixture.join("shown.json"))?)?)
}

#[tokio::test]
async fn r5_games_of_an_older_database_go_on_and_end_and_a_rematch_follows() -> Result<()> {
    let data = tempfile::tempdir()?;
    let Shown { people, tables } = restore(data.path()).await?;
    let server = Launch::new()?.data(data.path()).start()?;
    let (mut ada, welcome) = Client::enter(server.url(), &people[0], Wire::Json).await?;
    let (blaise, _) = Client::enter(server.url(), &people[1], Wire::Binary).await?;
    ensure!(welcome.name == people[0].name && welcome.tables.len() == 2, "{welcome:?}");
    let mut http = Http::connect(server.url()).await?;

    let (live, over): (Vec<_>, Vec<_>) = tables.iter().partition(|table| table.phase == "playing");
    ensure!((live.len(), over.len()) == (2, 2), "two live and two finished games");
    for shown in over {
        let Event::Table(table) = ada.done(ask::watch(&shown.game_id, None)).await? else {
            bail!("no table")
        };
        ensure!(table.phase == "over" && table.revision == shown.revision, "{table:?}");
        ensure!(table.commitment == shown.commitment && table.rematch.is_none(), "{table:?}");
        let outcome = table.outcome.context("an outcome")?;
        ensure!(Some(&outcome.reason) == shown.reason.as_ref(), "{outcome:?}");
        let games = table.series.context("a series")?.games;
        ensure!(games.len() == 1 && games[0].game_id == shown.game_id, "{games:?}");
        ensure!(games[0].winner == outcome.winner && games[0].scores == outcome.scores, "{games:?}");
        Finished::download(&mut http, &shown.game_id, &shown.commitment).await?;
        match ada.done(ask::rematch(&shown.game_id)).await? {
            Event::OnRematchEnded(ended) => ensure!(ended.reason == "closed", "{ended:?}"),
            other => bail!("a rematch long after the end was answered by {other:?}"),
        }
    }

    let mut clients = [ada, blaise];
    for shown in &live {
        let [ada, blaise] = &mut clients;
        let mut players = [
            KalahPlayer::returned(ada, &shown.game_id, 3).await?,
            KalahPlayer::returned(blaise, &shown.game_id, 4).await?,
        ];
        ensure!(players.iter().all(|player| player.revision == shown.revision), "it stands where it stood");
        ensure!(players.iter().all(|player| player.table.commitment == shown.commitment), "the commitment");
        let outcome = play_both(&mut players, &mut clients).await?;
        ensure!(outcome.reason == "finished", "{outcome:?}");
        let finished = Finished::download(&mut http, &shown.game_id, &shown.commitment).await?;
        ensure!(finished.view == players[0].view, "the log replays to another board");
    }

    let last = &live[1].game_id;
    let Event::Table(table) = clients[0].done(ask::watch(last, None)).await? else { bail!("no table") };
    ensure!(table.rematch.as_deref() == Some("available"), "{:?}", table.rematch);
    let mut guests: [Guest; 2] = people.try_into().map_err(|_| anyhow::anyhow!("two people"))?;
    if table.your_seat == Some(1) {
        clients.reverse();
        guests.reverse();
    }
    let mut couple = Couple { clients, guests, table: table.clone() };
    let next = couple.rematch(0).await?;
    ensure!(next.first_seat == 1 - table.first_seat, "{next:?}");
    ensure!(next.series == table.series && next.series.is_some(), "{:?}", next.series);
    ensure!(next.series.iter().all(|series| series.games.len() == 1), "{:?}", next.series);
    Ok(())
}
