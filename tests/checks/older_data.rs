//! Databases that the build before rematches wrote, of either kind: they are migrated, and their games go on.

use crate::finished::Finished;
use crate::rematch::couple::Couple;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::auth::Role;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::id::AccountId;
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::Launch;
use chrono::TimeDelta;
use serde::Deserialize;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

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

/// Scenario 24.
#[tokio::test]
async fn r5_games_of_an_older_database_go_on_and_end_and_a_rematch_follows() -> Result<()> {
    let data = tempfile::tempdir()?;
    let shown = restore(data.path()).await?;
    let server = Launch::new()?.data(data.path()).start()?;
    all_go_on([server.url(); 2], shown).await
}

/// The same over PostgreSQL and Redis, with two of each role that find the schemas as the older build left them.
#[tokio::test(flavor = "multi_thread")]
async fn r5_games_of_an_older_postgresql_go_on_and_end_and_a_rematch_follows() -> Result<()> {
    let (postgres, redis) = (Postgres::shared(), Redis::start());
    let database_url = postgres.database();
    let place = database_url.split('?').next().unwrap_or_default();
    let name = place.rsplit('/').next().context("a database without a name")?;
    postgres.run_sql(name, &std::fs::read_to_string(Path::new(FIXTURE).join("postgres.sql"))?);
    let migrated = program::run(&["migrate", "--database-url", &database_url])?;
    ensure!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    let roles = Roles::start(&Plan {
        engines: 2,
        matchmakings: 2,
        rematches: 2,
        gateways: 2,
        heads_interval: Duration::from_secs(2),
        database_url: Some(database_url),
        redis_url: Some(redis.url()),
    })?;
    let mut shown: Shown = serde_json::from_slice(&std::fs::read(Path::new(FIXTURE).join("shown.json"))?)?;
    for guest in &mut shown.people {
        // The key of this installation is another one.
        let account = AccountId::parse("accountId", &guest.account_id)?;
        let (signer, now) = (roles.key().signer()?, SystemClock.now());
        guest.token = signer.sign(account, Role::Player, now, TimeDelta::hours(1))?;
    }
    all_go_on([roles.gateways[0].url(), roles.gateways[1].url()], shown).await
}

/// Finished games are shown as they were, live ones are played to their ends, and a rematch follows.
async fn all_go_on(urls: [&str; 2], shown: Shown) -> Result<()> {
    let Shown { people, tables } = shown;
    let (mut ada, welcome) = Client::enter(urls[0], &people[0], Wire::Json).await?;
    let (blaise, _) = Client::enter(urls[1], &people[1], Wire::Binary).await?;
    ensure!(welcome.name == people[0].name && welcome.tables.len() == 2, "{welcome:?}");
    let mut http = Http::connect(urls[0]).await?;

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
