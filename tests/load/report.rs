//! What a run found, for people and as JSON.

use crate::machine::Reading;
use serde::Serialize;
use std::fmt;

/// The figures of a closed or fixed run.
#[derive(Debug, Serialize)]
pub(crate) struct PlayReport {
    pub(crate) mode: &'static str,
    pub(crate) tables: u32,
    pub(crate) rate_asked: Option<u32>,
    pub(crate) seconds: f64,
    pub(crate) moves: usize,
    pub(crate) games_finished: usize,
    pub(crate) boards_checked: u64,
    pub(crate) moves_per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
    /// Absent where no process of the server is known.
    pub(crate) server_cpu_seconds_per_1000_moves: Option<f64>,
    pub(crate) server_cpu_percent: Option<f64>,
    pub(crate) server_resident_mb: Option<f64>,
    pub(crate) generator_cpu_percent: f64,
    pub(crate) steal_percent: f64,
}

/// The figures of an idle run.
#[derive(Debug, Serialize)]
pub(crate) struct IdleReport {
    pub(crate) mode: &'static str,
    pub(crate) sockets: u32,
    pub(crate) server_resident_mb_before: f64,
    pub(crate) server_resident_mb_after: f64,
    pub(crate) kb_per_socket: f64,
}

/// The figures of a kill run.
#[derive(Debug, Serialize)]
pub(crate) struct KillReport {
    pub(crate) mode: &'static str,
    pub(crate) tables: u32,
    pub(crate) moves_before: usize,
    pub(crate) games_checked: usize,
    pub(crate) acknowledged_changes_checked: u64,
    pub(crate) acknowledged_changes_lost: u64,
}

/// The figures of a reconnect storm. `before` and the rest: the moves of those who were not cut.
#[derive(Debug, Serialize)]
pub(crate) struct StormReport {
    pub(crate) mode: &'static str,
    pub(crate) sockets: usize,
    /// From the cut.
    pub(crate) all_back_seconds: f64,
    /// From each one's first try.
    pub(crate) back_p50_ms: f64,
    pub(crate) back_p99_ms: f64,
    pub(crate) events_missed_and_told: u32,
    pub(crate) tables: u32,
    pub(crate) rate_asked: u32,
    pub(crate) p50_ms_before: f64,
    pub(crate) p99_ms_before: f64,
    pub(crate) moves: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
    /// Absent where no process of the server is known.
    pub(crate) server_cpu_percent: Option<f64>,
    pub(crate) generator_cpu_percent: f64,
    pub(crate) steal_percent: f64,
    /// The kernel shares cores by session, of which each connection to PostgreSQL is one; some then get none for long.
    pub(crate) cores_by_session: bool,
}

/// The figures of clocks that run while nothing happens.
#[derive(Debug, Serialize)]
pub(crate) struct ClocksReport {
    pub(crate) mode: &'static str,
    pub(crate) tables: u32,
    pub(crate) sockets: usize,
    pub(crate) seconds: u64,
    pub(crate) opened_in_seconds: f64,
    /// Before anybody came.
    pub(crate) server_cpu_percent_empty: f64,
    pub(crate) server_cpu_percent_without_tables: f64,
    pub(crate) server_cpu_percent_with_tables: f64,
    /// After the players have gone: the clocks and nothing else.
    pub(crate) server_cpu_percent_tables_without_sockets: f64,
}

/// The figures of rematches in a crowd.
#[derive(Debug, Serialize)]
pub(crate) struct RematchReport {
    pub(crate) mode: &'static str,
    pub(crate) pairs: u32,
    pub(crate) rounds: u64,
    pub(crate) gateways: usize,
    pub(crate) asked: usize,
    /// From when the ask was due.
    pub(crate) ask_to_request_p50_ms: f64,
    pub(crate) ask_to_request_p99_ms: f64,
    pub(crate) ask_to_request_max_ms: f64,
    pub(crate) started: usize,
    /// To the later one of both.
    pub(crate) accept_to_start_p50_ms: f64,
    pub(crate) accept_to_start_p99_ms: f64,
    pub(crate) accept_to_start_max_ms: f64,
    /// From the first ask to the last start.
    pub(crate) round_seconds: f64,
    /// Absent where no process of the server is known; as the rest, while rounds went on.
    pub(crate) server_cpu_ms_per_rematch: Option<f64>,
    pub(crate) server_cpu_percent: Option<f64>,
    pub(crate) generator_cpu_percent: f64,
    pub(crate) steal_percent: f64,
}

/// The figures of a lobby where many wait.
#[derive(Debug, Serialize)]
pub(crate) struct LobbyReport {
    pub(crate) mode: &'static str,
    /// Games of other kinds.
    pub(crate) waiting: u32,
    pub(crate) opened_in_seconds: f64,
    pub(crate) pairs_at_once: u32,
    pub(crate) seconds: f64,
    pub(crate) pairs: usize,
    pub(crate) pairs_per_second: f64,
    /// From when the opener looked to when the joiner was in the game.
    pub(crate) pair_p50_ms: f64,
    pub(crate) pair_p99_ms: f64,
    pub(crate) pair_max_ms: f64,
    pub(crate) searchers: usize,
    pub(crate) rounds: u32,
    /// From when somebody looked to when they knew that every seat is taken.
    pub(crate) match_p50_ms: f64,
    pub(crate) match_p99_ms: f64,
    pub(crate) match_max_ms: f64,
    /// Absent where no process of the server is known; as the rest, while pairs opened and joined.
    pub(crate) server_cpu_percent: Option<f64>,
    pub(crate) generator_cpu_percent: f64,
    pub(crate) steal_percent: f64,
}

/// Latencies in order, for the figures that are read off them.
pub(crate) struct Latencies(Vec<u32>);

impl Latencies {
    pub(crate) fn new(mut micros: Vec<u32>) -> Self {
        micros.sort_unstable();
        Self(micros)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The latency that a share of the moves stays under, in milliseconds; 0 without moves.
    pub(crate) fn percentile_ms(&self, percent: usize) -> f64 {
        let place = (self.0.len() * percent / 100).min(self.0.len().saturating_sub(1));
        self.0.get(place).map_or(0.0, |&micros| f64::from(micros) / 1000.0)
    }
}

/// Per cent of one core.
pub(crate) fn percent(seconds: f64, elapsed: f64) -> f64 {
    round(100.0 * seconds / elapsed, 2)
}

/// CPU seconds of the server between two readings, per 1,000 moves.
pub(crate) fn seconds_per_1000(before: &Reading, after: &Reading, moves: usize) -> f64 {
    round((after.server - before.server) * 1000.0 / moves.max(1) as f64, 4)
}

/// Figures are rounded to what they can say.
pub(crate) fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

pub(crate) fn megabytes(bytes: u64) -> f64 {
    round(bytes as f64 / f64::from(1 << 20), 1)
}

impl fmt::Display for PlayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} tables, {} for {:.1} s", self.tables, self.mode, self.seconds)?;
        writeln!(f, "  {:>10.0} moves/s", self.moves_per_second)?;
        writeln!(f, "  {:>10.2} ms p50, {:.2} ms p99, {:.2} ms max", self.p50_ms, self.p99_ms, self.max_ms)?;
        writeln!(f, "  {:>10} boards checked, {} games finished", self.boards_checked, self.games_finished)?;
        if let Some(seconds) = self.server_cpu_seconds_per_1000_moves {
            let (cpu, memory) =
                (self.server_cpu_percent.unwrap_or(0.0), self.server_resident_mb.unwrap_or(0.0));
            writeln!(
                f,
                "  {seconds:>10.4} CPU s of the server per 1,000 moves ({cpu} % of a core, {memory} MB)"
            )?;
        }
        write!(
            f,
            "  {:>10.1} % of a core for this tool, {} % stolen",
            self.generator_cpu_percent, self.steal_percent
        )
    }
}

impl fmt::Display for IdleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} idle sockets", self.sockets)?;
        writeln!(f, "  {:>10.1} KB each", self.kb_per_socket)?;
        let (before, after) = (self.server_resident_mb_before, self.server_resident_mb_after);
        write!(f, "  {before:>10.1} MB resident before them, {after:.1} MB with them")
    }
}

impl fmt::Display for KillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} tables, killed after {} moves", self.tables, self.moves_before)?;
        writeln!(f, "  {:>10} games checked after the restart", self.games_checked)?;
        write!(
            f,
            "  {:>10} acknowledged changes lost of {}",
            self.acknowledged_changes_lost, self.acknowledged_changes_checked
        )
    }
}

impl fmt::Display for StormReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} sockets cut, all back after {:.2} s", self.sockets, self.all_back_seconds)?;
        writeln!(
            f,
            "  {:>10.2} ms p50, {:.2} ms p99 of each one's way back",
            self.back_p50_ms, self.back_p99_ms
        )?;
        writeln!(f, "  {:>10} events had been missed and were told", self.events_missed_and_told)?;
        writeln!(f, "{} other tables at {} moves/s", self.tables, self.rate_asked)?;
        writeln!(f, "  {:>10.2} ms p50, {:.2} ms p99 before", self.p50_ms_before, self.p99_ms_before)?;
        let (p50, p99, most) = (self.p50_ms, self.p99_ms, self.max_ms);
        writeln!(
            f,
            "  {p50:>10.2} ms p50, {p99:.2} ms p99, {most:.2} ms max of {} moves meanwhile",
            self.moves
        )?;
        if let Some(cpu) = self.server_cpu_percent {
            writeln!(f, "  {cpu:>10.1} % of a core for the server")?;
        }
        let (own, stolen) = (self.generator_cpu_percent, self.steal_percent);
        write!(f, "  {own:>10.1} % of a core for this tool, {stolen} % stolen")
    }
}

impl fmt::Display for ClocksReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tables, sockets) = (self.tables, self.sockets);
        writeln!(
            f,
            "{tables} clocks, opened in {} s; % of a core over {} s:",
            self.opened_in_seconds, self.seconds
        )?;
        writeln!(f, "  {:>10.2} before anybody came", self.server_cpu_percent_empty)?;
        writeln!(
            f,
            "  {:>10.2} for {sockets} sockets without a table",
            self.server_cpu_percent_without_tables
        )?;
        writeln!(f, "  {:>10.2} with the tables", self.server_cpu_percent_with_tables)?;
        write!(
            f,
            "  {:>10.2} for the tables after the sockets",
            self.server_cpu_percent_tables_without_sockets
        )
    }
}

impl fmt::Display for RematchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pairs, rounds, gateways) = (self.pairs, self.rounds, self.gateways);
        writeln!(f, "{rounds} rounds of {pairs} pairs who ask within a second, over {gateways} gateways")?;
        for (what, count, p50, p99, most) in [
            (
                "from asking to the request at the opponent",
                self.asked,
                self.ask_to_request_p50_ms,
                self.ask_to_request_p99_ms,
                self.ask_to_request_max_ms,
            ),
            (
                "from accepting to the start at both",
                self.started,
                self.accept_to_start_p50_ms,
                self.accept_to_start_p99_ms,
                self.accept_to_start_max_ms,
            ),
        ] {
            writeln!(f, "  {p50:>10.2} ms p50, {p99:.2} ms p99, {most:.2} ms max of {count} {what}")?;
        }
        writeln!(f, "  {:>10.3} s a round", self.round_seconds)?;
        if let (Some(cpu), Some(each)) = (self.server_cpu_percent, self.server_cpu_ms_per_rematch) {
            writeln!(f, "  {each:>10.2} ms of CPU a rematch for the server ({cpu} % of a core)")?;
        }
        let (own, stolen) = (self.generator_cpu_percent, self.steal_percent);
        write!(f, "  {own:>10.1} % of a core for this tool, {stolen} % stolen")
    }
}

impl fmt::Display for LobbyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waiting, opened) = (self.waiting, self.opened_in_seconds);
        writeln!(f, "{waiting} games of other kinds wait, opened in {opened} s")?;
        let (pairs, seconds, rate) = (self.pairs_at_once, self.seconds, self.pairs_per_second);
        writeln!(f, "  {rate:>10.1} pairs/s opened and joined, {pairs} at once for {seconds:.1} s")?;
        let (p50, p99, most) = (self.pair_p50_ms, self.pair_p99_ms, self.pair_max_ms);
        writeln!(f, "  {p50:>10.2} ms p50, {p99:.2} ms p99, {most:.2} ms max of {} pairs", self.pairs)?;
        let (p50, p99, most) = (self.match_p50_ms, self.match_p99_ms, self.match_max_ms);
        let (searchers, rounds) = (self.searchers, self.rounds);
        writeln!(
            f,
            "  {p50:>10.2} ms p50, {p99:.2} ms p99, {most:.2} ms max of a match, {searchers} at once, {rounds} times"
        )?;
        if let Some(cpu) = self.server_cpu_percent {
            writeln!(f, "  {cpu:>10.1} % of a core for the server")?;
        }
        let (own, stolen) = (self.generator_cpu_percent, self.steal_percent);
        write!(f, "  {own:>10.1} % of a core for this tool, {stolen} % stolen")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_read_off_in_order() {
        let latencies = Latencies::new((1..=100).rev().map(|ms| ms * 1000).collect());
        assert_eq!(latencies.count(), 100);
        assert!((latencies.percentile_ms(50) - 51.0).abs() < f64::EPSILON);
        assert!((latencies.percentile_ms(99) - 100.0).abs() < f64::EPSILON);
        assert!((latencies.percentile_ms(100) - 100.0).abs() < f64::EPSILON);
        assert!(Latencies::new(Vec::new()).percentile_ms(50).abs() < f64::EPSILON);
    }
}
