//! The ids of tables, accounts and requests, as types that can't be mixed up.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Problem, Result};

/// The strongest robot.
pub const ROBOT_LEVEL_MAX: u8 = 5;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type,
        )]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A fresh id; later ones sort after earlier ones.
            #[expect(clippy::new_without_default, reason = "no id is the default one")]
            pub fn new() -> Self {
                Self(fresh())
            }

            /// Reads an id that came from outside as the field `field`.
            pub fn parse(field: &str, text: &str) -> Result<Self> {
                parse(field, text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> std::result::Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    };
}

id! {
    /// A table, which is a game from its opening on.
    TableId
}
id! {
    /// Somebody who plays: a person or a robot.
    AccountId
}
id! {
    /// Games that follow each other at the same seats; a game alone is a series of one.
    SeriesId
}
id! {
    /// A request of one account, by which a repetition is known.
    RequestId
}

impl AccountId {
    /// The account whose place in a draw is held until somebody comes.
    pub const PLACEHOLDER: Self = Self(Uuid::nil());

    /// Who a part of the system is when it calls another one: nobody who could sit anywhere.
    pub const SYSTEM: Self = Self(Uuid::max());
}

/// The account of the robot of a level; the same one in every installation.
pub fn robot_account(level: u8) -> AccountId {
    AccountId(Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("astragal:robot:{level}").as_bytes()))
}

/// The level of a robot's account, or nothing for a person's.
pub fn robot_level(account: AccountId) -> Option<u8> {
    (1..=ROBOT_LEVEL_MAX).find(|level| robot_account(*level) == account)
}

#[expect(clippy::disallowed_methods, reason = "the one place that makes ids")]
fn fresh() -> Uuid {
    Uuid::now_v7()
}

fn parse(field: &str, text: &str) -> Result<Uuid> {
    match text.parse() {
        Ok(id) if Uuid::is_nil(&id) => {
            Err(Problem::invalid_argument(format!("{field} must be a UUID other than the nil one")))
        }
        Ok(id) => Ok(id),
        Err(_) => Err(Problem::invalid_argument(format!("{field} must be a UUID"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn an_id_reads_back_and_sorts_by_age() {
        let (first, second) = (TableId::new(), TableId::new());
        assert!(first < second);
        assert_eq!(TableId::parse("gameId", &first.to_string()), Ok(first));
        assert_eq!(serde_json::to_value(first).ok(), Some(first.to_string().into()));
    }

    #[test]
    fn an_id_that_cannot_be_read_names_its_field() {
        for text in ["", "7", "00000000-0000-0000-0000-000000000000", "not-a-uuid"] {
            let problem = AccountId::parse("accountIds", text).expect_err("no id");
            assert_eq!(problem.code, Code::InvalidArgument);
            assert!(problem.message.contains("accountIds"), "{}", problem.message);
            // The nil one is a UUID, so that is not what is said of it.
            assert_eq!(problem.message.contains("other than the nil one"), text.starts_with("0000"));
        }
    }

    #[test]
    fn robots_have_the_same_accounts_everywhere() {
        for level in 1..=ROBOT_LEVEL_MAX {
            assert_eq!(robot_level(robot_account(level)), Some(level));
        }
        assert_eq!(robot_level(AccountId::new()), None);
        assert_ne!(robot_account(1), robot_account(2));
    }
}
