//! The reconnect storm: a crowd's connections are all cut and come back within a second, while other tables
//! play at a fixed rate. What is asked is when all are back, and what the others' moves took meanwhile.

use crate::comeback::{Back, come_back};
use crate::drive::{Drive, Pace};
use crate::machine::{self, Reading};
use crate::options::Options;
use crate::people;
use crate::report::{Latencies, StormReport, percent, round};
use crate::table::UNTIMED;
use anyhow::{Result, anyhow};
use std::time::Duration;

/// How long the crowd plays before it is cut.
const PLAYED: Duration = Duration::from_secs(2);
/// The others are measured no longer than this.
const STORM_MAX: Duration = Duration::from_mins(1);

/// Cuts the crowd in the middle of its games.
pub(crate) fn run(options: &Options, url: &str, pids: &[u32]) -> Result<StormReport> {
    let guests = people::sign_up(url, (options.sockets / 2 * 2) as usize)?;
    let players = people::sign_up(url, 2 * options.tables as usize)?;
    let mut crowd = Drive::new(people::enter_all(url, &guests)?, UNTIMED)?;
    let mut others = Drive::new(people::enter_all(url, &players)?, UNTIMED)?;
    crowd.open_games()?;
    others.open_games()?;
    crowd.play(Pace::Closed, PLAYED)?;
    crowd.settle()?;
    let pace = Pace::Fixed(options.rate);
    others.play(pace, options.warmed())?;
    let before = Latencies::new(others.play(pace, options.measured())?);

    let first = Reading::take(pids)?;
    let tables = crowd.cut();
    let (back, during) = std::thread::scope(|scope| -> Result<(Back, Latencies)> {
        let storm = scope.spawn(|| come_back(url, &guests, &tables));
        let micros = others.play_while(pace, STORM_MAX, || !storm.is_finished())?;
        let back = storm.join().map_err(|_| anyhow!("the storm panicked"))??;
        Ok((back, Latencies::new(micros)))
    })?;
    let last = Reading::take(pids)?;

    let known = !pids.is_empty();
    let elapsed = back.all.as_secs_f64();
    let each = Latencies::new(back.micros);
    Ok(StormReport {
        mode: "storm",
        sockets: each.count(),
        all_back_seconds: round(elapsed, 3),
        back_p50_ms: each.percentile_ms(50),
        back_p99_ms: each.percentile_ms(99),
        events_missed_and_told: back.missed,
        tables: options.tables,
        rate_asked: options.rate,
        p50_ms_before: before.percentile_ms(50),
        p99_ms_before: before.percentile_ms(99),
        moves: during.count(),
        p50_ms: during.percentile_ms(50),
        p99_ms: during.percentile_ms(99),
        max_ms: during.percentile_ms(100),
        server_cpu_percent: known.then(|| percent(last.server - first.server, elapsed)),
        generator_cpu_percent: percent(last.own - first.own, elapsed),
        steal_percent: percent(last.stolen - first.stolen, elapsed),
        cores_by_session: machine::shares_cores_by_session(),
    })
}
