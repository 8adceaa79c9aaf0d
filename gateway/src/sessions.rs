//! Whether sessions still count: an account may have ended them, or be gone.
//!
//! Matchmaking alone knows, and is asked anew each time, so that an ended session opens nothing anywhere from then on.
//! Whoever comes while a question is under way is asked about together with all others who come then.

use astragal_proto::matchmaking::v1::Profile;
use astragal_runtime::auth::Claims;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::gather::{Gate, Gathering, gather};
use astragal_runtime::id::AccountId;

use crate::compose::names::{BATCH_MAX, Names, profiles};
use crate::roles::Roles;

/// Sessions that wait for an answer.
const WAITING_MAX: usize = 32_768;

/// What is known of an account; none: there is no such account.
type Answer = Result<Option<Profile>>;

/// The way to ask; cheap to clone.
#[derive(Clone)]
pub(crate) struct Sessions(Gate<AccountId, Answer>);

impl Sessions {
    /// Asks until every clone of it is gone. Must be called inside a runtime.
    pub(crate) fn open(roles: Roles, names: Names) -> Self {
        let (gate, gathering) = gather(WAITING_MAX, BATCH_MAX);
        tokio::spawn(work(roles, names, gathering));
        Self(gate)
    }

    /// The account's name, once it is known that the session of a token counts.
    pub(crate) async fn check(&self, account: AccountId, epoch: u32) -> Result<String> {
        match self.0.ask(account, "too many sign in at once; try again").await? {
            Some(profile) if admits(&profile, epoch) => Ok(profile.name),
            Some(profile) if !profile.deleted => Err(ended()),
            _ => Err(Problem::unauthenticated("this account no longer exists; sign up again")),
        }
    }

    /// As [`Self::check`], for what a token says.
    pub(crate) async fn of(&self, claims: Claims) -> Result<Claims> {
        self.check(claims.account, claims.epoch).await.map(|_| claims)
    }
}

/// Whether a token of an epoch counts.
fn admits(profile: &Profile, epoch: u32) -> bool {
    !profile.deleted && profile.robot_level == 0 && profile.session_epoch == epoch
}

/// Says that a session was ended before its time.
fn ended() -> Problem {
    Problem::unauthenticated("this session was ended; sign in again")
}

async fn work(roles: Roles, names: Names, mut gathering: Gathering<AccountId, Answer>) {
    while let Some(jobs) = gathering.next().await {
        let mut accounts: Vec<AccountId> = jobs.iter().map(|job| job.what).collect();
        accounts.sort();
        accounts.dedup();
        let known = profiles(&roles, &accounts).await;
        if let Ok(known) = &known {
            for (account, profile) in known {
                names.note(*account, &profile.name).await;
            }
        }
        for job in jobs {
            let answer = known.as_ref().map(|known| known.get(&job.what).cloned()).map_err(Problem::clone);
            job.answer(answer);
        }
    }
}
