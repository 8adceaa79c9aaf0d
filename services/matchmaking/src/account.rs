//! Accounts: people and robots.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, ROBOT_LEVEL_MAX, RequestId, robot_account};
use uuid::Uuid;

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
    /// Tokens of an earlier epoch don't count any more.
    pub session_epoch: u32,
    /// Its owner is gone for good; its games stay.
    pub deleted: bool,
}

impl Account {
    /// A person who has just come.
    pub const fn person(id: AccountId, name: String, created_at: Timestamp) -> Self {
        Self { id, name, robot_level: 0, created_at, session_epoch: 0, deleted: false }
    }

    /// Whether a token of an epoch still counts.
    pub const fn admits(&self, session_epoch: u32) -> bool {
        !self.deleted && self.robot_level == 0 && self.session_epoch == session_epoch
    }
}

/// The robots of every level, which are there from the start.
pub fn robots(created_at: Timestamp) -> Vec<Account> {
    let robot = |level| Account {
        robot_level: level,
        ..Account::person(robot_account(level), robot_name(level), created_at)
    };
    (1..=ROBOT_LEVEL_MAX).map(robot).collect()
}

/// The level of a robot that somebody asks for.
pub fn asked_level(asked: u32) -> Result<u8> {
    let level = u8::try_from(asked).ok().filter(|level| (1..=ROBOT_LEVEL_MAX).contains(level));
    level.ok_or_else(|| Problem::invalid_argument(format!("robots have levels from 1 to {ROBOT_LEVEL_MAX}")))
}

/// The account of a robot that somebody asks for: the same one however often they ask.
pub fn robot_asked_for(request: RequestId) -> AccountId {
    AccountId(Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("astragal:robot:request:{request}").as_bytes()))
}

/// How the robot of a level is called.
pub fn robot_name(level: u8) -> String {
    format!("Robot {level}")
}
