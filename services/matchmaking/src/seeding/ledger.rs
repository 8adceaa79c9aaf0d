//! The ledger of firsts: how often accounts have moved first in the games of one kind that began.
//!
//! A game counts from when its last seat is taken, unless it is aborted, which only the first move prevents. Nothing is
//! counted beside the games: the lines follow from the rows that stand.

use std::sync::Arc;

use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::AccountId;

use crate::ends::Ends;
use crate::store::draws::DrawStore;

/// Accounts in one question.
const ACCOUNTS_MAX: usize = 100;
/// The newest games that are asked about because nobody knows whether they have ended.
const UNENDED_MAX: u32 = 200;

/// What an account had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Whose.
    pub account: AccountId,
    /// Games in which it moved first.
    pub firsts: u32,
    /// Games in which another did.
    pub seconds: u32,
    /// The most firsts, or seconds, without another one between.
    pub longest_run: u32,
}

impl Line {
    /// The line of an account that moved first, or didn't, in these games, oldest first.
    pub fn of(account: AccountId, seatings: impl IntoIterator<Item = bool>) -> Self {
        let mut line = Self { account, firsts: 0, seconds: 0, longest_run: 0 };
        let mut run = (false, 0);
        for first in seatings {
            run = if run.0 == first { (first, run.1 + 1) } else { (first, 1) };
            line.longest_run = line.longest_run.max(run.1);
            *(if first { &mut line.firsts } else { &mut line.seconds }) += 1;
        }
        line
    }
}

/// Reads the ledger; cheap to clone.
#[derive(Clone)]
pub struct Ledger {
    pub(crate) draws: Arc<dyn DrawStore>,
    pub(crate) ends: Ends,
}

impl Ledger {
    /// The lines of accounts, in the order of asking, over the games of a name; the variant is empty for all of them.
    pub async fn lines(&self, accounts: &[AccountId], game: &str, variant: &str) -> Result<Vec<Line>> {
        if accounts.len() > ACCOUNTS_MAX {
            let why = format!("at most {ACCOUNTS_MAX} accounts can be asked for at once; ask again");
            return Err(Problem::invalid_argument(why));
        }
        // An abort that nobody has asked about yet would count.
        let unended = self.draws.unended(accounts, game, UNENDED_MAX).await?;
        self.ends.learn(&unended).await?;
        let seatings = self.draws.seatings(accounts, game, variant).await?;
        let line = |account: &AccountId| {
            let own = seatings.iter().filter(|(of, _)| of == account);
            Line::of(*account, own.map(|(_, first)| *first))
        };
        Ok(accounts.iter().map(line).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d14_a_line_counts_firsts_seconds_and_the_longest_run_of_either() {
        let account = AccountId::new();
        for (seatings, firsts, seconds, longest_run) in [
            ("", 0, 0, 0),
            ("1", 1, 0, 1),
            ("0", 0, 1, 1),
            ("1010", 2, 2, 1),
            ("1100010", 3, 4, 3),
            ("0111", 3, 1, 3),
            ("0000000000", 0, 10, 10),
        ] {
            let line = Line::of(account, seatings.chars().map(|seating| seating == '1'));
            assert_eq!(line, Line { account, firsts, seconds, longest_run }, "{seatings}");
        }
    }
}
