//! Tables whose clocks run while nothing happens: what they cost the server, beside the same sockets without
//! a table.

use crate::drive::{Drive, Pace, now};
use crate::machine::Reading;
use crate::options::Options;
use crate::people;
use crate::report::{ClocksReport, percent, round};
use crate::table::TIMED;
use anyhow::{Result, bail};
use std::time::Duration;

/// Games of one pair: enough that signing up takes a part of the time only.
const GAMES_PER_PAIR: u32 = 10;
/// What openings and departures leave to do is done after so long.
const AFTERMATH: Duration = Duration::from_secs(5);

/// Measures the sockets alone, with their tables, and the tables once everybody has gone.
pub(crate) fn run(options: &Options, url: &str, pids: &[u32]) -> Result<ClocksReport> {
    if pids.is_empty() {
        bail!("the server's process isn't known; give its --pid, or --spawn one");
    }
    let rest = |drive: &mut Drive| -> Result<f64> {
        drive.play(Pace::Hold, AFTERMATH)?;
        let (begin, before) = (now(), Reading::take(pids)?);
        drive.play(Pace::Hold, options.measured())?;
        let after = Reading::take(pids)?;
        Ok(percent(after.server - before.server, (now() - begin).as_secs_f64()))
    };
    let mut nobody = Drive::new(Vec::new(), TIMED)?;
    let empty = rest(&mut nobody)?;
    let pairs = options.tables.div_ceil(GAMES_PER_PAIR);
    let guests = people::sign_up(url, 2 * pairs as usize)?;
    let mut drive = Drive::new(people::enter_all(url, &guests)?, TIMED)?;
    let without_tables = rest(&mut drive)?;
    let begin = now();
    for _ in 0..GAMES_PER_PAIR {
        drive.open_games()?;
    }
    let opened = now() - begin;
    let with_tables = rest(&mut drive)?;
    drive.cut();
    let tables_alone = rest(&mut nobody)?;
    Ok(ClocksReport {
        mode: "clocks",
        tables: pairs * GAMES_PER_PAIR,
        sockets: guests.len(),
        seconds: options.seconds,
        opened_in_seconds: round(opened.as_secs_f64(), 1),
        server_cpu_percent_empty: empty,
        server_cpu_percent_without_tables: without_tables,
        server_cpu_percent_with_tables: with_tables,
        server_cpu_percent_tables_without_sockets: tables_alone,
    })
}
