//! What becomes of a game that waits for players.

use astragal_matchmaking::settings::Settings;
use clap::Args;
use std::time::Duration;

/// How long people look for each other.
#[derive(Args)]
pub(crate) struct SearchFlags {
    /// Seat a robot in a listed game that nobody joined for this long, such as `30s`; without it, never.
    #[arg(long, env = "ASTRAGAL_ATTACH_ROBOT_AFTER", value_parser = humantime::parse_duration)]
    attach_robot_after: Option<Duration>,
    /// In how many games that still wait for players one account may be the opener.
    #[arg(long, env = "ASTRAGAL_SEARCHES_MAX", default_value_t = Settings::default().searches_max)]
    searches_max: u32,
    /// After how long a game that still waits for players is cancelled.
    #[arg(long, env = "ASTRAGAL_SEARCHES_END_AFTER", value_parser = humantime::parse_duration, default_value = "24h")]
    searches_end_after: Duration,
}

impl SearchFlags {
    /// The usual settings of matchmaking, with these.
    pub(crate) fn matchmaking(&self) -> Settings {
        let Self { attach_robot_after, searches_max, searches_end_after } = *self;
        Settings { attach_robot_after, searches_max, searches_end_after, ..Settings::default() }
    }
}
