//! The jobs: play at a pace, sit idle, be killed. Each prepares people and sockets, does its
//! work in bounded time and reports.

use crate::drive::{Drive, Pace, now};
use crate::frame::Frame;
use crate::machine::{self, Reading};
use crate::options::{Mode, Options};
use crate::people;
use crate::report::{
    IdleReport, KillReport, Latencies, PlayReport, megabytes, percent, round, seconds_per_1000,
};
use crate::table::{OPENER, Table, UNTIMED};
use anyhow::{Context, Result, bail};
use astragal_tests::http::{Guest, Http};
use astragal_tests::server::Server;

/// Plays, and measures what was played after the warm-up.
pub(crate) fn play(options: &Options, url: &str, pids: &[u32]) -> Result<PlayReport> {
    let (pace, mode, rate_asked) = match options.mode {
        Mode::Fixed => (Pace::Fixed(options.rate), "fixed", Some(options.rate)),
        _ => (Pace::Closed, "closed", None),
    };
    let guests = people::sign_up(url, 2 * options.tables as usize)?;
    let mut drive = Drive::new(people::enter_all(url, &guests)?, UNTIMED)?;
    drive.tables.iter_mut().for_each(|table| table.moves_max = options.game_moves_max);
    drive.open_games()?;
    drive.play(pace, options.warmed())?;

    let (games_before, boards_before) = totals(&drive.tables);
    let begin = now();
    let before = Reading::take(pids)?;
    let micros = drive.play(pace, options.measured())?;
    let after = Reading::take(pids)?;
    let elapsed = (now() - begin).as_secs_f64();
    let (games, boards) = totals(&drive.tables);

    let known = !pids.is_empty();
    let latencies = Latencies::new(micros);
    let moves = latencies.count();
    Ok(PlayReport {
        mode,
        tables: options.tables,
        rate_asked,
        seconds: round(elapsed, 3),
        moves,
        games_finished: games - games_before,
        boards_checked: boards - boards_before,
        moves_per_second: round(moves as f64 / elapsed, 1),
        p50_ms: latencies.percentile_ms(50),
        p99_ms: latencies.percentile_ms(99),
        max_ms: latencies.percentile_ms(100),
        server_cpu_seconds_per_1000_moves: known.then(|| seconds_per_1000(&before, &after, moves)),
        server_cpu_percent: known.then(|| percent(after.server - before.server, elapsed)),
        server_resident_mb: known.then(|| machine::resident_bytes(pids).map(megabytes)).transpose()?,
        generator_cpu_percent: percent(after.own - before.own, elapsed),
        steal_percent: percent(after.stolen - before.stolen, elapsed),
    })
}

fn totals(tables: &[Table]) -> (usize, u64) {
    let games = tables.iter().map(|table| table.finished.len()).sum();
    (games, tables.iter().map(|table| table.boards_checked).sum())
}

/// Opens sockets that do nothing, and measures what they cost the server.
pub(crate) fn idle(options: &Options, url: &str, pids: &[u32]) -> Result<IdleReport> {
    if pids.is_empty() {
        bail!("the server's process isn't known; give its --pid, or --spawn one");
    }
    let guests = people::sign_up(url, options.sockets as usize)?;
    // The first socket pays for what all share.
    let _first = people::enter(url, &guests[0])?;
    let before = machine::resident_bytes(pids)?;
    let sockets = people::enter_all(url, &guests)?;
    let after = machine::resident_bytes(pids)?;
    drop(sockets);
    Ok(IdleReport {
        mode: "idle",
        sockets: options.sockets,
        server_resident_mb_before: megabytes(before),
        server_resident_mb_after: megabytes(after),
        kb_per_socket: round(after.saturating_sub(before) as f64 / 1024.0 / f64::from(options.sockets), 2),
    })
}

/// Kills the server in the middle of play, starts it again, and looks for all that it had told of.
pub(crate) fn kill(options: &Options, server: &mut Server) -> Result<KillReport> {
    let guests = people::sign_up(server.url(), 2 * options.tables as usize)?;
    let mut drive = Drive::new(people::enter_all(server.url(), &guests)?, UNTIMED)?;
    drive.open_games()?;
    let moves_before = drive.play(Pace::Closed, options.measured())?.len();
    server.kill()?;
    drive.drain()?;
    server.start_again()?;

    let mut report = KillReport {
        mode: "kill",
        tables: options.tables,
        moves_before,
        games_checked: 0,
        acknowledged_changes_checked: 0,
        acknowledged_changes_lost: 0,
    };
    for (table, players) in drive.tables.iter().zip(guests.chunks(2)) {
        if !table.game_id.is_empty() {
            report.games_checked += 1;
            report.acknowledged_changes_checked += u64::from(table.told);
            report.acknowledged_changes_lost += u64::from(missing(server.url(), &players[OPENER], table)?);
        }
    }
    check_finished(server.url(), &drive.tables, &mut report)?;
    Ok(report)
}

/// What a table that goes on has lost.
fn missing(url: &str, opener: &Guest, table: &Table) -> Result<u32> {
    let mut socket = people::enter(url, opener)?;
    let game_id = &table.game_id;
    socket.send(format!(r#"{{"id":"watch","watch":{{"gameId":"{game_id}"}}}}"#).as_bytes())?;
    loop {
        let place = socket.wait_text()?;
        match Frame::read(socket.text(place))? {
            Frame::Table(served) if served.game_id == game_id.as_bytes() => return table.missing(&served),
            Frame::Error { code, message } => {
                let said = [code, message].map(String::from_utf8_lossy).join(": ");
                bail!("game {game_id} is gone: {said}");
            }
            _ => {}
        }
    }
}

/// What the games that had ended have lost, by their logs.
fn check_finished(url: &str, tables: &[Table], report: &mut KillReport) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut http = Http::connect(url).await?;
        for (game_id, moves) in tables.iter().flat_map(|table| &table.finished) {
            let answer = http.get(&format!("/v1/tables/{game_id}/log")).await?;
            let log: serde_json::Value = answer.json()?;
            let stored =
                log["moves"].as_array().with_context(|| format!("game {game_id}: {}", answer.text()))?;
            report.games_checked += 1;
            report.acknowledged_changes_checked += u64::from(*moves);
            report.acknowledged_changes_lost += u64::from(*moves).saturating_sub(stored.len() as u64);
        }
        Ok(())
    })
}
