//! What an operator may choose.

use std::time::Duration;

/// How the role behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How long a session lasts.
    pub session_lifetime: Duration,
    /// In how many games an account may wait for opponents at once.
    pub searches_max: u32,
    /// After how long a robot sits down in a listed game that nobody joined; none: never.
    pub attach_robot_after: Option<Duration>,
    /// The level of that robot, from 1 to 5.
    pub robot_level: u8,
    /// How often what was left undone is looked for.
    pub sweep_every: Duration,
    /// How old a change must be before the sweep takes it for left undone.
    pub sweep_grace: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            session_lifetime: Duration::from_hours(30 * 24),
            searches_max: 3,
            attach_robot_after: None,
            robot_level: 3,
            sweep_every: Duration::from_secs(1),
            sweep_grace: Duration::from_secs(2),
        }
    }
}
