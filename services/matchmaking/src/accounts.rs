//! Signing up, signing in, and the end of both: who people are, and which of their sessions count.
//!
//! A token is good until it runs out or its account begins the next epoch of sessions. Gateways ask for the epoch; the
//! news of a change make them close sockets at once.

use std::sync::Arc;

use astragal_runtime::auth::TokenSigner;
use astragal_runtime::bus::Bus;
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::AccountId;
use chrono::Duration;

use crate::account::Account;
use crate::attempts::Attempts;
use crate::error::LobbyError;
use crate::lobby::Lobby;
use crate::name::keys::NameKeys;
use crate::name::own::{OwnName, is_reserved};
use crate::name::{FORMER, guest_name};
use crate::news;
use crate::password::{Password, Passwords};
use crate::settings::Settings;
use crate::store::MatchmakingStore;

/// The most accounts that are asked for at once.
const PROFILES_MAX: usize = 100;

/// Who people are.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) lobby: Lobby,
    pub(crate) bus: Bus,
    pub(crate) signer: TokenSigner,
    pub(crate) passwords: Passwords,
    pub(crate) attempts: Attempts,
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

/// A name that a guest takes, with what is kept of the password.
pub struct Naming {
    /// Who takes it.
    pub account: AccountId,
    /// The name.
    pub name: OwnName,
    /// As a PHC string.
    pub password_hash: String,
}

impl Accounts {
    /// Signs a guest up, under any name that is nobody's own.
    pub async fn create_guest(&self, asked_name: &str) -> Result<Session> {
        let name = guest_name(asked_name, &*self.entropy)?;
        if !asked_name.is_empty() {
            let keys = NameKeys::of(&name);
            if is_reserved(&keys) || self.store.is_name_taken(&keys).await? {
                return Err(LobbyError::NameTaken.into());
            }
        }
        let account = Account::person(AccountId::new(), name, self.clock.now());
        self.store.add_accounts(std::slice::from_ref(&account)).await?;
        self.session(account)
    }

    /// Gives a guest a name of their own and a password.
    pub async fn name(&self, id: AccountId, asked_name: &str, password: &str) -> Result<Session> {
        let name = OwnName::read(asked_name)?;
        let chosen = Password::chosen(password)?;
        if self.store.is_name_taken(&name.keys).await? {
            return self.named_before(id, &name, password).await;
        }
        let password_hash = self.passwords.hash(chosen, &*self.entropy).await?;
        let naming = Naming { account: id, name, password_hash };
        let account = self.store.name_account(&naming).await?;
        news::tell_account(&self.bus, &account);
        self.session(account)
    }

    /// Whoever did not hear the answer asks again.
    async fn named_before(&self, id: AccountId, name: &OwnName, password: &str) -> Result<Session> {
        match self.owner(&name.keys, password, &id.to_string()).await?.filter(|owner| owner.id == id) {
            Some(owner) => self.session(owner),
            None => Err(LobbyError::NameTaken.into()),
        }
    }

    /// A session for who knows the name and the password of an account. Whether the name or the password is wrong
    /// shows neither in the answer nor in its time.
    pub async fn open_session(&self, name: &str, password: &str, address: &str) -> Result<Session> {
        match self.owner(&NameKeys::of(name), password, address).await? {
            Some(owner) => self.session(owner),
            None => Err(Problem::unauthenticated("name or password is wrong; try again")),
        }
    }

    /// Whose own a name is, for who knows the password; `caller` is who tries, or where.
    async fn owner(&self, name: &NameKeys, password: &str, caller: &str) -> Result<Option<Account>> {
        self.attempts.attempt(&name.folded, caller).await?;
        let (account, hash) = self.store.credentials(&name.folded).await?.unzip();
        let fits = self.passwords.fits(Password::typed(password), hash).await?;
        Ok(account.filter(|_| fits))
    }

    /// Another password for whoever knows the one that the account has; every other session of it ends.
    pub async fn change_password(&self, id: AccountId, old: &str, new: &str) -> Result<Session> {
        let chosen = Password::chosen(new)?;
        let account = self.store.accounts(&[id]).await?.pop().ok_or(LobbyError::UnknownAccount)?;
        let folded = NameKeys::of(&account.name).folded;
        let kept = self.store.credentials(&folded).await?.filter(|(account, _)| account.id == id);
        let (account, before) = kept.ok_or_else(|| {
            Problem::failed_precondition("this account has no password; take a name of your own first")
        })?;
        self.attempts.attempt(&folded, &id.to_string()).await?;
        if !self.passwords.fits(Password::typed(old), Some(before.clone())).await? {
            // A call that was sent twice has changed it already.
            if self.passwords.fits(Password::typed(new), Some(before)).await? {
                return self.session(account);
            }
            return Err(Problem::permission_denied("the old password is wrong; try again"));
        }
        let after = self.passwords.hash(chosen, &*self.entropy).await?;
        let changed = self.store.change_password(id, &before, &after).await?.ok_or_else(|| {
            Problem::failed_precondition("the password was changed elsewhere meanwhile; sign in again")
        })?;
        news::tell_account(&self.bus, &changed);
        self.session(changed)
    }

    /// A new session of an account whose old one still counts.
    pub async fn renew_session(&self, id: AccountId, session_epoch: u32) -> Result<Session> {
        let found = self.store.accounts(&[id]).await?.pop();
        let over = || Problem::unauthenticated("this session was ended; sign in again");
        self.session(found.filter(|account| account.admits(session_epoch)).ok_or_else(over)?)
    }

    /// Ends every session of an account.
    pub async fn end_sessions(&self, id: AccountId) -> Result<()> {
        let account = self.store.end_sessions(id).await?.ok_or(LobbyError::UnknownAccount)?;
        news::tell_account(&self.bus, &account);
        Ok(())
    }

    /// Takes name, password and sessions from an account for good, and cancels what it waits for. Its games stay.
    pub async fn delete(&self, id: AccountId) -> Result<()> {
        let now = self.clock.now();
        let account = self.store.delete_account(id, FORMER, now).await?.ok_or(LobbyError::UnknownAccount)?;
        news::tell_account(&self.bus, &account);
        // From here on it can begin no search. What is left undone the sweeper does.
        self.lobby.end_searches_of(id).await
    }

    fn session(&self, account: Account) -> Result<Session> {
        let now = self.clock.now();
        let lifetime =
            Duration::from_std(self.settings.session_lifetime).map_err(|cause| Problem::internal(&cause))?;
        let token = self.signer.sign_session(account.id, account.session_epoch, now, lifetime)?;
        Ok(Session { account, token, expires_at: now + lifetime })
    }

    /// Accounts that are called exactly so.
    pub async fn called(&self, name: &str) -> Result<Vec<Account>> {
        Ok(self.store.accounts_called(name).await?)
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
