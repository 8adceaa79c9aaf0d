//! Starting, stopping, and a start that can't be: one sentence that says what to do, and an exit
//! code that isn't 0.

use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::program;
use astragal_tests::server::{Launch, Server};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::time::Instant;

/// A start that takes so long waits for something. The figure for a release build is measured elsewhere.
const START_MAX: Duration = Duration::from_secs(30);

/// Runs `dev`, which must end with one sentence on standard error that names something.
fn refuses_to_start(listen: &str, data: &Path, named: &str) -> Result<()> {
    let mut command = Command::new(program::find()?);
    command.args(["dev", "--listen", listen, "--data"]).arg(data).env("ASTRAGAL_LOG", "off");
    let output = program::run_command(&mut command)?;
    let said = String::from_utf8(output.stderr)?;
    ensure!(output.status.code().is_some_and(|code| code != 0), "{:?}: {said}", output.status);
    ensure!(said.lines().count() == 1 && !said.contains("panicked"), "not one sentence: {said}");
    ensure!(said.contains(named), "{named} isn't named: {said}");
    ensure!(output.stdout.is_empty(), "it printed an address: {}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}

#[test]
fn o3_a_port_in_use_stops_the_start() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let taken = TcpListener::bind("127.0.0.1:0")?;
    let address = taken.local_addr()?.to_string();
    refuses_to_start(&address, &scratch.path().join("data"), &address)
}

#[test]
fn o3_a_data_directory_that_cannot_be_written_stops_the_start() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join("file");
    std::fs::write(&file, "")?;
    // Also root can't make a directory below a file, or in /proc.
    for data in [file.join("data"), "/proc/astragal".into()] {
        refuses_to_start("127.0.0.1:0", &data, data.to_str().context("an odd path")?)?;
    }
    Ok(())
}

#[test]
fn o3_a_file_that_is_no_database_stops_the_start() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    std::fs::write(scratch.path().join("engine.sqlite"), "no database ".repeat(100))?;
    refuses_to_start("127.0.0.1:0", scratch.path(), "engine.sqlite")
}

#[test]
fn o3_a_token_key_that_is_none_stops_the_start() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    std::fs::write(scratch.path().join("token-key.pem"), "no key")?;
    refuses_to_start("127.0.0.1:0", scratch.path(), "token-key.pem")
}

#[tokio::test]
async fn o3_a_newer_database_stops_the_start() -> Result<()> {
    for name in ["engine.sqlite", "matchmaking.sqlite"] {
        let mut server = Server::start()?;
        server.terminate()?;
        let options = SqliteConnectOptions::new().filename(server.data().join(name));
        let mut connection = options.connect().await?;
        sqlx::query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (99999999, 'from a later version', TRUE, x'00', 0)",
        )
        .execute(&mut connection)
        .await?;
        sqlx::Connection::close(connection).await?;
        refuses_to_start("127.0.0.1:0", server.data(), name)?;
    }
    Ok(())
}

#[test]
fn an_unknown_flag_or_role_is_a_sentence_too() -> Result<()> {
    for arguments in [&["dev", "--no-such-flag"][..], &["no-such-role"], &["dev", "--listen", "nowhere"]] {
        let output = program::run(arguments)?;
        ensure!(output.status.code().is_some_and(|code| code != 0), "{arguments:?}: {output:?}");
        ensure!(!output.stderr.is_empty(), "{arguments:?}: nothing was said");
    }
    Ok(())
}

#[tokio::test]
async fn the_address_is_printed_once_it_can_be_used() -> Result<()> {
    let begin = Instant::now();
    let server = Server::start()?;
    let took = begin.elapsed();
    ensure!(took < START_MAX, "the start took {took:?}");
    let answer = Http::connect(server.url()).await?.get("/v1/games").await?;
    ensure!(answer.status.is_success(), "{}", answer.text());
    Ok(())
}

#[tokio::test]
async fn it_runs_without_files() -> Result<()> {
    let server = Launch::new()?.data(Path::new(":memory:")).start()?;
    let mut client = people::one(server.url(), Wire::Json).await?;
    let mut player = KalahPlayer::against_robot(&mut client, 1, 1).await?;
    player.play_to_end(&mut client).await?;
    ensure!(!Path::new(":memory:").exists(), "it made files after all");
    Ok(())
}

#[tokio::test]
async fn g7_a_stop_tells_the_clients_and_games_go_on_after_it() -> Result<()> {
    let mut server = Server::start()?;
    let (mut client, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let mut player = KalahPlayer::against_robot(&mut client, 1, 1).await?;
    while player.number < 4 {
        if player.is_to_move() {
            player.make_move(&mut client).await?;
        } else {
            player.wait(&mut client).await?;
        }
    }
    let stopping = tokio::task::spawn_blocking(move || server.terminate().map(|status| (server, status)));
    client.event_where(|event| matches!(event, Event::Draining(_)).then_some(())).await?;
    drop(client);
    let (mut server, status) = stopping.await??;
    ensure!(status.code() == Some(0), "{status:?}");

    server.start_again()?;
    let (mut client, welcome) = Client::enter(server.url(), &guest, Wire::Json).await?;
    ensure!(welcome.tables.iter().any(|table| table.game_id == player.id()), "the game is gone");
    let mut again = KalahPlayer::returned(&mut client, player.id(), 2).await?;
    ensure!(again.revision >= player.told, "{} is there of {}", again.revision, player.told);
    again.play_to_end(&mut client).await?;
    Ok(())
}
