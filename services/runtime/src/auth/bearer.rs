//! The token that a process of the system shows when it calls another one.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::Duration;
use http::HeaderValue;

use super::{Role, TokenSigner, TokenVerifier};
use crate::clock::{Clock, Timestamp};
use crate::error::{Problem, Result};
use crate::id::AccountId;

/// How long a token counts that a process signs for itself.
const LIFETIME: Duration = Duration::minutes(10);
/// A token with less than this left is replaced.
const LEFT_MIN: Duration = Duration::minutes(5);
/// From when on the log says that a given token runs out, and how often.
const WARNED_BEFORE: Duration = Duration::days(30);
const WARNED_EVERY: Duration = Duration::days(1);

/// What goes into the header of a call; cheap to clone.
#[derive(Clone)]
pub struct Bearer(Arc<Source>);

enum Source {
    Given { header: HeaderValue, expires_at: Timestamp, clock: Arc<dyn Clock>, warn_at: Mutex<Timestamp> },
    Signed { signer: TokenSigner, clock: Arc<dyn Clock>, last: Mutex<Option<(HeaderValue, Timestamp)>> },
}

impl Bearer {
    /// A token that was signed elsewhere, for a process that does not have the key. One that others would refuse is
    /// refused here already.
    pub fn given(token: &str, verifier: &TokenVerifier, clock: Arc<dyn Clock>) -> Result<Self> {
        let token = token.trim();
        let refusal = |why: String| Problem::invalid_argument(why);
        let claims = verifier.read(token, clock.now()).map_err(|fault| refusal(fault.to_string()))?;
        if claims.role != Role::Service {
            let role = claims.role;
            return Err(refusal(format!(
                "the token is of the role {role}; make one with `astragal token --role service`"
            )));
        }
        let expires_at = claims.expires_at;
        let warn_at = Mutex::new(expires_at - WARNED_BEFORE);
        Ok(Self(Arc::new(Source::Given { header: header(token)?, expires_at, clock, warn_at })))
    }

    /// Short-lived tokens of the role `service`, signed as they are needed.
    pub fn signed(signer: TokenSigner, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Source::Signed { signer, clock, last: Mutex::default() }))
    }

    /// The value of the header `authorization`.
    pub fn header(&self) -> Result<HeaderValue> {
        match &*self.0 {
            Source::Given { header, expires_at, clock, warn_at } => {
                let now = clock.now();
                let mut warn_at = warn_at.lock().unwrap_or_else(PoisonError::into_inner);
                if now >= *warn_at {
                    *warn_at = now + WARNED_EVERY;
                    tracing::warn!(
                        at = %expires_at,
                        "the service token runs out; make a new one with `astragal token` and start again with it"
                    );
                }
                Ok(header.clone())
            }
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
    let mut header = HeaderValue::from_str(&format!("Bearer {}", token.trim()))
        .map_err(|_| Problem::invalid_argument("the token is not one; make it with `astragal token`"))?;
    header.set_sensitive(true);
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::TokenKey;
    use crate::clock::ManualClock;
    use crate::entropy::ScriptedEntropy;
    use crate::telemetry::log::tests::Page;

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

    fn given(role: Role, lifetime: Duration, clock: &Arc<ManualClock>) -> Result<Bearer> {
        let key = TokenKey::generate(&ScriptedEntropy::expanded([1; 32])).expect("a key");
        let signer = key.signer().expect("a signer");
        let token = signer.sign(AccountId::SYSTEM, role, clock.now(), lifetime).expect("a token");
        clock.advance(Duration::hours(1));
        Bearer::given(&format!("{token}\n"), &key.verifier(), clock.clone())
    }

    fn refusal(given: Result<Bearer>) -> String {
        given.map(drop).expect_err("a refusal").message
    }

    /// O3: a token that every other process would refuse is refused at the start, with what to do.
    #[test]
    fn o3_a_given_token_is_one_of_the_role_service_that_counts() {
        let clock = Arc::new(ManualClock::default());
        assert!(given(Role::Service, Duration::days(1), &clock).is_ok());
        let expired = refusal(given(Role::Service, Duration::minutes(1), &clock));
        assert!(expired.contains("expired") && expired.contains("`astragal token`"), "{expired}");
        let player = refusal(given(Role::Player, Duration::days(1), &clock));
        assert!(player.contains("role player") && player.contains("--role service"), "{player}");
        let stranger = TokenKey::generate(&ScriptedEntropy::expanded([2; 32])).expect("a key").verifier();
        let foreign = refusal(Bearer::given("eyJ.e30.e30", &stranger, clock));
        assert!(foreign.contains("not one of this installation"), "{foreign}");
    }

    /// O1: a given token that runs out is in the log in time, once a day.
    #[test]
    fn o1_a_given_token_that_runs_out_is_in_the_log_once_a_day() {
        let (page, clock) = (Page::default(), Arc::new(ManualClock::default()));
        let writer = page.clone();
        let lines = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
        let warnings = || page.text().matches("the service token runs out").count();
        tracing::subscriber::with_default(lines, || {
            let bearer = given(Role::Service, Duration::days(40), &clock).expect("a bearer");
            bearer.header().expect("a header");
            assert_eq!(warnings(), 0, "it is good for long");
            clock.advance(Duration::days(10));
            for _ in 0..3 {
                bearer.header().expect("a header");
            }
            assert_eq!(warnings(), 1);
            clock.advance(Duration::days(1));
            bearer.header().expect("a header");
            assert_eq!(warnings(), 2);
        });
    }
}
