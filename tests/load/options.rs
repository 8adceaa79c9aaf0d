//! What can be asked of the load tool.

use clap::{Parser, ValueEnum};
use std::time::Duration;

/// Loads a server with tables that play kalah, two sockets each, and checks every board.
#[derive(Debug, Parser)]
#[command(name = "astragal-load")]
pub(crate) struct Options {
    /// A server that runs, such as <http://127.0.0.1:8080>
    #[arg(long, required_unless_present_any = ["spawn", "apart"], conflicts_with_all = ["spawn", "apart"])]
    pub(crate) url: Option<String>,

    /// Start `astragal dev` (the binary beside this one, or `ASTRAGAL_BIN`) on core 0 with fresh data
    #[arg(long, conflicts_with = "apart")]
    pub(crate) spawn: bool,

    /// Start a gateway, an engine and a matchmaking on core 0, with a PostgreSQL and a Redis of their own; in
    /// rematch mode two of each role, on any core
    #[arg(long)]
    pub(crate) apart: bool,

    /// A process whose CPU and memory count as the server's, with its children; repeatable. What is started here
    /// counts by itself
    #[arg(long)]
    pub(crate) pid: Vec<u32>,

    /// What to do
    #[arg(long, value_enum, default_value_t = Mode::Closed)]
    pub(crate) mode: Mode,

    /// Tables; two sockets each, but in clocks mode, where a pair has ten tables. In lobby mode, pairs at once
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub(crate) tables: u32,

    /// Moves a second over all tables, in fixed and storm mode
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: u32,

    /// Moves after which a game is resigned, in closed and fixed mode: short games show what an opening costs
    #[arg(long, default_value_t = u32::MAX, hide_default_value = true)]
    pub(crate) game_moves_max: u32,

    /// Sockets, in idle mode; sockets that are cut, in storm mode
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) sockets: u32,

    /// Games of other kinds that wait all the while, in lobby mode
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) waiting: u32,

    /// Measured seconds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub(crate) seconds: u64,

    /// Seconds before the measurement that don't count
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=60))]
    pub(crate) warmup: u64,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Each table always has one move under way
    Closed,
    /// Moves start at a fixed rate, whether or not the last ones are done
    Fixed,
    /// Sockets that are signed in and do nothing: their memory
    Idle,
    /// Kills the server in the middle (needs --spawn) and counts what it had acknowledged and lost
    Kill,
    /// Cuts --sockets in the middle of their games; they all come back within a second while --tables play on at --rate
    Storm,
    /// The two of each of --tables end a game, ask within one second and accept, once for each measured second
    Rematch,
    /// Pairs open and join while --waiting other games wait; then 200 look for the same game at once, 30 times
    Lobby,
    /// Tables with running clocks where nothing happens: what they cost
    Clocks,
}

impl Options {
    pub(crate) fn measured(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    pub(crate) fn warmed(&self) -> Duration {
        Duration::from_secs(self.warmup)
    }
}
