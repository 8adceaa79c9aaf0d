//! Signing up, and the names of accounts.

use std::sync::Arc;

use astragal_runtime::auth::{Role, TokenSigner};
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::AccountId;
use chrono::Duration;

use crate::account::Account;
use crate::name::guest_name;
use crate::settings::Settings;
use crate::store::MatchmakingStore;

/// The most accounts that are asked for at once.
const PROFILES_MAX: usize = 100;

/// Who people are.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) signer: TokenSigner,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) settings: Arc<Settings>,
}

/// A session that has begun. Its token is shown to its owner only, so this has no `Debug`.
pub struct Session {
    /// Whose it is.
    pub account: Account,
    /// The proof.
    pub token: String,
    /// Until when.
    pub expires_at: Timestamp,
}

impl Accounts {
    /// Signs a guest up.
    pub async fn create_guest(&self, asked_name: &str) -> Result<Session> {
        let name = guest_name(asked_name, &*self.entropy)?;
        let now = self.clock.now();
        let account = Account { id: AccountId::new(), name, robot_level: 0, created_at: now };
        self.store.add_accounts(std::slice::from_ref(&account)).await?;

        self.session(account)
    }

    /// A new session of an account whose old one still counts.
    pub async fn renew_session(&self, id: AccountId) -> Result<Session> {
        let found = self.store.accounts(&[id]).await?.pop();
        let gone = || Problem::unauthenticated("this account no longer exists; sign up again");
        self.session(found.filter(|account| account.robot_level == 0).ok_or_else(gone)?)
    }

    fn session(&self, account: Account) -> Result<Session> {
        let now = self.clock.now();
        let lifetime =
            Duration::from_std(self.settings.session_lifetime).map_err(|cause| Problem::internal(&cause))?;
        let token = self.signer.sign(account.id, Role::Player, now, lifetime)?;
        Ok(Session { account, token, expires_at: now + lifetime })
    }

    /// The accounts among these that exist.
    pub async fn profiles(&self, ids: &[AccountId]) -> Result<Vec<Account>> {
        if ids.len() > PROFILES_MAX {
            let message = format!("at most {PROFILES_MAX} accounts can be asked for at once; ask again");
            return Err(Problem::invalid_argument(message));
        }
        Ok(self.store.accounts(ids).await?)
    }
}
