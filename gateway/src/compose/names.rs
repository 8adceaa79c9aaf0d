//! Display names of accounts, kept for a while: every table shows them, and they seldom change.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use astragal_proto::matchmaking::v1::{self as matchmaking, FindAccountsRequest, GetProfilesRequest};
use astragal_runtime::error::Result;
use astragal_runtime::id::AccountId;
use moka::future::Cache;

use crate::roles::Roles;

const NAMES_MAX: u64 = 100_000;
const NAMES_FOR: Duration = Duration::from_mins(1);

/// Accounts in one request, as matchmaking bounds them.
pub(crate) const BATCH_MAX: usize = 100;

/// How an account is shown.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    pub(crate) name: Arc<str>,
}

/// The cache of names; cheap to clone.
#[derive(Clone)]
pub(crate) struct Names {
    roles: Roles,
    cache: Cache<AccountId, Profile>,
}

impl Names {
    pub(crate) fn new(roles: Roles) -> Self {
        Self { roles, cache: Cache::builder().max_capacity(NAMES_MAX).time_to_live(NAMES_FOR).build() }
    }

    /// The profile if it is at hand; never asks anyone.
    pub(crate) async fn known(&self, account: AccountId) -> Option<Profile> {
        self.cache.get(&account).await
    }

    /// Keeps what was just said about an account.
    pub(crate) async fn note(&self, account: AccountId, name: &str) {
        self.cache.insert(account, Profile { name: name.into() }).await;
    }

    /// Asks anew when the account is shown next.
    pub(crate) async fn forget(&self, account: AccountId) {
        self.cache.invalidate(&account).await;
    }

    /// The accounts that are called so, with their names.
    pub(crate) async fn called(&self, name: &str) -> Result<Vec<(String, String)>> {
        let request = FindAccountsRequest { name: name.to_owned() };
        let found = self.roles.answer(self.roles.accounts().find_accounts(request)).await?;
        Ok(found.profiles.into_iter().map(|profile| (profile.account_id, profile.name)).collect())
    }

    /// The profiles of those accounts that exist.
    pub(crate) async fn get(&self, accounts: &[AccountId]) -> Result<HashMap<AccountId, Profile>> {
        let mut found = HashMap::with_capacity(accounts.len());
        let mut missing = Vec::new();
        for account in accounts {
            match self.known(*account).await {
                Some(profile) => _ = found.insert(*account, profile),
                None => missing.push(*account),
            }
        }
        missing.sort();
        missing.dedup();
        for batch in missing.chunks(BATCH_MAX) {
            for (account, profile) in profiles(&self.roles, batch).await? {
                let profile = Profile { name: profile.name.into() };
                self.cache.insert(account, profile.clone()).await;
                found.insert(account, profile);
            }
        }
        Ok(found)
    }
}

/// What matchmaking knows of at most [`BATCH_MAX`] accounts; asked anew each time.
pub(crate) async fn profiles(
    roles: &Roles,
    accounts: &[AccountId],
) -> Result<HashMap<AccountId, matchmaking::Profile>> {
    let account_ids = accounts.iter().map(ToString::to_string).collect();
    let answer = roles.answer(roles.accounts().get_profiles(GetProfilesRequest { account_ids })).await?;
    let known = |profile: matchmaking::Profile| Some((profile.account_id.parse().ok()?, profile));
    Ok(answer.profiles.into_iter().filter_map(known).collect())
}
