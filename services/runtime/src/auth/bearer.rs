//! The token that a process of the system shows when it calls another one.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::Duration;
use http::HeaderValue;

use super::{Role, TokenSigner};
use crate::clock::{Clock, Timestamp};
use crate::error::{Problem, Result};
use crate::id::AccountId;

/// How long a token counts that a process signs for itself.
const LIFETIME: Duration = Duration::minutes(10);
/// A token with less than this left is replaced.
const LEFT_MIN: Duration = Duration::minutes(5);

/// What goes into the header of a call; cheap to clone.
#[derive(Clone)]
pub struct Bearer(Arc<Source>);

enum Source {
    Given(HeaderValue),
    Signed { signer: TokenSigner, clock: Arc<dyn Clock>, last: Mutex<Option<(HeaderValue, Timestamp)>> },
}

impl Bearer {
    /// A token that was signed elsewhere, for a process that does not have the key.
    pub fn given(token: &str) -> Result<Self> {
        Ok(Self(Arc::new(Source::Given(header(token)?))))
    }

    /// Short-lived tokens of the role `service`, signed as they are needed.
    pub fn signed(signer: TokenSigner, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Source::Signed { signer, clock, last: Mutex::default() }))
    }

    /// The value of the header `authorization`.
    pub fn header(&self) -> Result<HeaderValue> {
        match &*self.0 {
            Source::Given(header) => Ok(header.clone()),
            Source::Signed { signer, clock, last } => {
                let now = clock.now();
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((header, expires_at)) = &*last
                    && *expires_at - now >= LEFT_MIN
                {
                    return Ok(header.clone());
                }
                let token = signer.sign(AccountId::SYSTEM, Role::Service, now, LIFETIME)?;
                let header = header(&token)?;
                *last = Some((header.clone(), now + LIFETIME));
                Ok(header)
            }
        }
    }
}

fn header(token: &str) -> Result<HeaderValue> {
    let mut header = HeaderValue::from_str(&format!("Bearer {}", token.trim())).map_err(|_| {
        Problem::invalid_argument("the service token is not one; make it with `astragal token`")
    })?;
    header.set_sensitive(true);
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::TokenKey;
    use crate::clock::ManualClock;
    use crate::entropy::ScriptedEntropy;

    #[test]
    fn a_token_is_renewed_before_it_expires() {
        let key = TokenKey::generate(&ScriptedEntropy::expanded([1; 32])).expect("a key");
        let clock = Arc::new(ManualClock::default());
        let bearer = Bearer::signed(key.signer().expect("a signer"), clock.clone());
        let first = bearer.header().expect("a header");
        for minutes in 0..60 {
            let header = bearer.header().expect("a header");
            assert!(minutes > 5 || header == first, "it was renewed after {minutes} minutes");
            let token = header.to_str().expect("text").strip_prefix("Bearer ").expect("a bearer");
            let claims = key.verifier().verify(token, clock.now()).expect("claims");
            assert_eq!((claims.role, claims.account), (Role::Service, AccountId::SYSTEM));
            assert!(!format!("{header:?}").contains(token), "the header shows its token");
            clock.advance(Duration::minutes(1));
        }
        assert_ne!(bearer.header().expect("a header"), first);
    }
}
