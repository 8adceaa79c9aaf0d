//! Passwords: hashed with Argon2id and compared, on threads that do nothing else, and never more at once than these
//! bear.
//!
//! A password has no `Debug` and is in no error; what is kept of it is its hash alone.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Problem, Result};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

/// The shortest password, in characters.
pub const PASSWORD_MIN: usize = 8;
/// The longest password, in characters.
pub const PASSWORD_MAX: usize = 128;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;

/// Passwords that are hashed at once, each with its memory.
const AT_ONCE_MAX: usize = 2;
/// Passwords that wait for that, or are hashed.
const WAITING_MAX: usize = 64;

/// A hash of no password: comparing with it takes as long as with any other one.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$YXN0cmFnYWwtZGVjb3kx$\
    VGhpcyBpcyBub2JvZHkncyBwYXNzd29yZCBhdCBhbGw";

/// A password, as somebody has typed it. It can't be printed.
pub struct Password(String);

impl Password {
    /// What is typed to sign in; whatever it is, it is right or wrong. Accents are composed, since keyboards differ.
    pub fn typed(text: &str) -> Self {
        Self(text.nfc().collect())
    }

    /// A password that is chosen.
    pub fn chosen(text: &str) -> Result<Self> {
        let password = Self::typed(text);
        match password.0.chars().count() {
            PASSWORD_MIN..=PASSWORD_MAX => Ok(password),
            _ => Err(Problem::invalid_argument(format!(
                "a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters; choose another one"
            ))),
        }
    }
}

/// Where passwords are hashed; cheap to clone.
#[derive(Clone)]
pub struct Passwords {
    hasher: Argon2<'static>,
    at_once: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Passwords {
    /// A place for this process.
    pub fn open() -> Result<Self> {
        let params =
            Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|cause| Problem::internal(&cause))?;
        Ok(Self {
            hasher: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            at_once: Arc::new(Semaphore::new(AT_ONCE_MAX)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
        })
    }

    /// What is kept of a password.
    pub async fn hash(&self, password: Password, entropy: &dyn Entropy) -> Result<String> {
        let mut salt = [0; SALT_BYTES];
        entropy.fill(&mut salt)?;
        let hasher = self.hasher.clone();
        self.apart(move || {
            let hash = hasher.hash_password_with_salt(password.0.as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(|cause| Problem::internal(&cause))
        })
        .await?
    }

    /// Whether a password is the one that a hash was made of. Without a hash it is not, and that takes as long.
    pub async fn fits(&self, password: Password, hash: Option<String>) -> Result<bool> {
        let hasher = self.hasher.clone();
        self.apart(move || {
            let kept = PasswordHash::new(hash.as_deref().unwrap_or(DECOY));
            let kept = kept.map_err(|cause| Problem::internal(&cause))?;
            Ok(hasher.verify_password(password.0.as_bytes(), &kept).is_ok() && hash.is_some())
        })
        .await?
    }

    async fn apart<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let busy = || Problem::unavailable("too many sign in at once; wait a moment and try again");
        let waits = self.waiting.clone().try_acquire_owned().map_err(|_| busy())?;
        let begun = self.at_once.clone().acquire_owned().await.map_err(|_| busy())?;
        // Whoever asked may go away; the permits stay with the work.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((begun, waits));
            done
        });
        done.await.map_err(|cause| Problem::internal(&cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_runtime::entropy::ScriptedEntropy;
    use astragal_runtime::error::Code;

    #[tokio::test]
    async fn g8_a_password_fits_its_own_hash_alone() {
        let passwords = Passwords::open().expect("a place");
        let entropy = ScriptedEntropy::expanded([5; 32]);
        let chosen = || Password::chosen("pa\u{308}ssword").expect("a password");
        let (first, second) =
            (passwords.hash(chosen(), &entropy).await, passwords.hash(chosen(), &entropy).await);
        let (first, second) = (first.expect("a hash"), second.expect("a hash"));
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second, "each has a salt of its own");
        for (typed, fits) in [("pässword", true), ("passw\u{f6}rd", false), ("", false)] {
            assert_eq!(
                passwords.fits(Password::typed(typed), Some(first.clone())).await,
                Ok(fits),
                "{typed}"
            );
        }
    }

    #[tokio::test]
    async fn g8_who_has_no_password_is_compared_with_just_as_long() {
        let passwords = Passwords::open().expect("a place");
        assert_eq!(passwords.fits(Password::typed("anything"), None).await, Ok(false));
        let decoy = PasswordHash::new(DECOY).expect("a hash");
        let (decoy, own) = (Params::try_from(&decoy).expect("its costs"), passwords.hasher.params());
        assert_eq!((decoy.m_cost(), decoy.t_cost(), decoy.p_cost()), (MEMORY_KIB, PASSES, LANES));
        assert_eq!((own.m_cost(), own.t_cost(), own.p_cost()), (MEMORY_KIB, PASSES, LANES));
    }

    #[test]
    fn g8_a_password_has_bounds() {
        for (text, good) in
            [("1234567", false), ("12345678", true), (&*"x".repeat(128), true), (&*"x".repeat(129), false)]
        {
            let chosen = Password::chosen(text).map_err(|problem| problem.code).err();
            assert_eq!(chosen, (!good).then_some(Code::InvalidArgument), "{}", text.len());
        }
    }

    #[tokio::test]
    async fn g6_more_passwords_than_can_wait_are_refused() {
        let passwords = Passwords::open().expect("a place");
        let _all = passwords.waiting.clone().acquire_many_owned(WAITING_MAX as u32).await;
        let refused = passwords.fits(Password::typed("anything"), None).await;
        assert_eq!(refused.map_err(|problem| problem.code), Err(Code::Unavailable));
    }
}
