//! What an operator may choose.

use std::time::Duration;

/// How the role behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How long a session lasts.
    pub session_lifetime: Duration,
    /// How often somebody may try to sign in under one name from one address.
    pub sign_ins_per_caller: Pace,
    /// How often all may under one name, from wherever: so loose that few addresses can't keep its owner out, and tight
    /// enough that many guess no password.
    pub sign_ins_per_name: Pace,
    /// In how many games an account may wait for opponents at once.
    pub searches_max: u32,
    /// In how many games within ten minutes an account may seat friends who did not ask for it.
    pub invitations_max: u32,
    /// After how long a robot sits down in a listed game that nobody joined; none: never.
    pub attach_robot_after: Option<Duration>,
    /// The level of that robot, from 1 to 5.
    pub robot_level: u8,
    /// After how long a game that still waits for players is cancelled.
    pub searches_end_after: Duration,
    /// How often what was left undone is looked for.
    pub sweep_every: Duration,
    /// How old a change must be before the sweep takes it for left undone.
    pub sweep_grace: Duration,
}

/// So many at once, and then one in each period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How many at once.
    pub burst: u32,
    /// The period.
    pub every: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            session_lifetime: Duration::from_hours(30 * 24),
            sign_ins_per_caller: Pace { burst: 10, every: Duration::from_secs(30) },
            sign_ins_per_name: Pace { burst: 300, every: Duration::from_secs(5) },
            searches_max: 3,
            invitations_max: 100,
            attach_robot_after: None,
            robot_level: 3,
            searches_end_after: Duration::from_hours(24),
            sweep_every: Duration::from_secs(1),
            sweep_grace: Duration::from_secs(2),
        }
    }
}
