//! Accounts: people and robots.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, ROBOT_LEVEL_MAX, robot_account};

/// Somebody who plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Who it is.
    pub id: AccountId,
    /// The name that others see.
    pub name: String,
    /// 0 for a person.
    pub robot_level: u8,
    /// Since when.
    pub created_at: Timestamp,
}

/// The robots of every level, which are there from the start.
pub fn robots(created_at: Timestamp) -> Vec<Account> {
    let robot = |level| Account {
        id: robot_account(level),
        name: format!("Robot {level}"),
        robot_level: level,
        created_at,
    };
    (1..=ROBOT_LEVEL_MAX).map(robot).collect()
}
