//! What becomes of a game that waits for players.

use super::durations;
use astragal_matchmaking::settings::Settings;
use clap::{Args, value_parser};
use std::time::Duration;

/// How long people look for each other.
#[derive(Args)]
pub(crate) struct SearchFlags {
    /// Seat a robot in a listed game that nobody joined for this long, such as `30s`; without it, never.
    #[arg(long, env = "ASTRAGAL_ATTACH_ROBOT_AFTER", value_parser = robot_after)]
    attach_robot_after: Option<Duration>,
    /// In how many games that still wait for players one account may be the opener.
    #[arg(long, env = "ASTRAGAL_SEARCHES_MAX", value_parser = value_parser!(u32).range(1..=1_000), default_value_t = Settings::default().searches_max)]
    searches_max: u32,
    /// In how many games within ten minutes one account may seat others by name, who did not ask for it.
    #[arg(long, env = "ASTRAGAL_INVITATIONS_MAX", value_parser = value_parser!(u32).range(1..=100_000), default_value_t = Settings::default().invitations_max)]
    invitations_max: u32,
    /// After how long a game that still waits for players is cancelled.
    #[arg(long, env = "ASTRAGAL_SEARCHES_END_AFTER", value_parser = end_after, default_value = "24h")]
    searches_end_after: Duration,
}

/// People need a moment to find each other.
fn robot_after(text: &str) -> Result<Duration, String> {
    durations::between(text, Duration::from_secs(1), Duration::from_hours(24))
}

fn end_after(text: &str) -> Result<Duration, String> {
    durations::between(text, Duration::from_secs(1), Duration::from_hours(30 * 24))
}

impl SearchFlags {
    /// The usual settings of matchmaking, with these.
    pub(crate) fn matchmaking(&self) -> Settings {
        let Self { attach_robot_after, searches_max, invitations_max, searches_end_after } = *self;
        let usual = Settings::default();
        Settings { attach_robot_after, searches_max, invitations_max, searches_end_after, ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        searches: SearchFlags,
    }

    /// O3: settings by which nobody could play stop the start, with what may be given.
    #[test]
    fn o3_a_lobby_in_which_nobody_could_play_is_refused() {
        let usual = Line::try_parse_from(["role"]).expect("settings").searches.matchmaking();
        assert_eq!(usual, Settings::default());
        for (flag, value, hint) in [
            ("--searches-max", "0", "1..=1000"),
            ("--attach-robot-after", "0s", "from 1s to 1day"),
            ("--searches-end-after", "0s", "from 1s to 30days"),
        ] {
            let refused = Line::try_parse_from(["role", flag, value]).map(|_| ()).expect_err("a refusal");
            let said = refused.to_string();
            assert!(said.contains(flag) && said.contains(hint), "{said}");
        }
    }
}
