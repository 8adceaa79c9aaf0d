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
}

impl SearchFlags {
    /// The usual settings of matchmaking, with this one.
    pub(crate) fn matchmaking(&self) -> Settings {
        Settings { attach_robot_after: self.attach_robot_after, ..Settings::default() }
    }
}
