//! How often one address, or one account, may begin something here.
//!
//! Each gateway counts for itself. What is begun and then done too much of is bounded where it is done.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;

use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::AccountId;
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::settings::{GatewaySettings, Pace};

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// The paces of everyone who came lately.
pub(crate) struct Limits {
    guests: Limiter<IpAddr>,
    passwords: Limiter<IpAddr>,
    sockets: Limiter<IpAddr>,
    sessions: Limiter<AccountId>,
}

impl Limits {
    pub(crate) fn new(settings: &GatewaySettings) -> Self {
        Self {
            guests: limiter(settings.guests_per_address),
            passwords: limiter(settings.passwords_per_address),
            sockets: limiter(settings.sockets_per_address),
            sessions: limiter(settings.sessions_per_account),
        }
    }

    /// Somebody wants to sign up.
    pub(crate) fn guest(&self, address: Option<IpAddr>) -> Result<()> {
        check(&self.guests, address, "too many guests sign up from your address; wait a moment and try again")
    }

    /// Somebody sends a password.
    pub(crate) fn password(&self, address: Option<IpAddr>) -> Result<()> {
        let why = "too many sign in from your address; wait a moment and try again";
        check(&self.passwords, address, why)
    }

    /// Somebody wants a connection.
    pub(crate) fn socket(&self, address: Option<IpAddr>) -> Result<()> {
        check(&self.sockets, address, "too many connections from your address; wait a moment and try again")
    }

    /// An account says hello.
    pub(crate) fn session(&self, account: AccountId) -> Result<()> {
        check(&self.sessions, Some(account), "this account connects too often; wait a moment and try again")
    }

    /// Forgets everyone whose pace would be the usual one again.
    pub(crate) fn forget(&self) {
        self.guests.retain_recent();
        self.passwords.retain_recent();
        self.sockets.retain_recent();
        self.sessions.retain_recent();
    }
}

fn limiter<K: Hash + Eq + Clone>(pace: Pace) -> Limiter<K> {
    let burst = NonZeroU32::new(pace.burst).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(pace.every).unwrap_or_else(|| Quota::per_second(burst));
    RateLimiter::hashmap(quota.allow_burst(burst))
}

fn check<K: Hash + Eq + Clone>(limiter: &Limiter<K>, who: Option<K>, why: &str) -> Result<()> {
    match who {
        Some(who) if limiter.check_key(&who).is_err() => Err(Problem::new(Code::RateLimited, why)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn g6_each_address_and_each_account_has_a_pace_of_its_own() {
        let pace = Pace { burst: 2, every: Duration::from_hours(1) };
        let limits = Limits::new(&GatewaySettings {
            guests_per_address: pace,
            passwords_per_address: pace,
            sockets_per_address: pace,
            sessions_per_account: pace,
            ..GatewaySettings::default()
        });
        let [one, other] = [[192, 0, 2, 1], [192, 0, 2, 2]].map(|address| Some(IpAddr::from(address)));
        for limit in [Limits::guest, Limits::password, Limits::socket] {
            assert!(limit(&limits, one).is_ok() && limit(&limits, one).is_ok());
            assert_eq!(limit(&limits, one).unwrap_err().code, Code::RateLimited);
            assert!(limit(&limits, other).is_ok());
            assert!((0..9).all(|_| limit(&limits, None).is_ok()), "nobody's address is not limited");
        }
        let (account, another) = (AccountId::new(), AccountId::new());
        assert!(limits.session(account).is_ok() && limits.session(account).is_ok());
        assert_eq!(limits.session(account).unwrap_err().code, Code::RateLimited);
        assert!(limits.session(another).is_ok());
        limits.forget();
        assert!(limits.session(account).is_err(), "who came lately is not forgotten");
    }
}
