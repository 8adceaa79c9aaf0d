//! How often somebody may try to sign in under one name, whether anybody has that name or not.
//!
//! Each process counts for itself; addresses are counted by gateways.

use std::num::NonZeroU32;
use std::sync::Arc;

use astragal_runtime::error::{Code, Problem, Result};
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::settings::Pace;

/// Names that are counted before those are forgotten who have waited long enough.
const NAMES_MAX: usize = 10_000;

/// The attempts of late; cheap to clone.
#[derive(Clone)]
pub struct Attempts(Arc<RateLimiter<String, HashMapStateStore<String>, DefaultClock>>);

impl Attempts {
    /// So many.
    pub fn new(pace: Pace) -> Self {
        let burst = NonZeroU32::new(pace.burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(pace.every).unwrap_or_else(|| Quota::per_second(burst));
        Self(Arc::new(RateLimiter::hashmap(quota.allow_burst(burst))))
    }

    /// One more under a name.
    pub fn attempt(&self, name: &str) -> Result<()> {
        if self.0.len() >= NAMES_MAX {
            self.0.retain_recent();
        }
        let why = "this name was tried too often; wait some minutes and try again";
        self.0.check_key(&name.to_owned()).map_err(|_| Problem::new(Code::RateLimited, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn g6_a_name_can_be_tried_so_often() {
        let attempts = Attempts::new(Pace { burst: 3, every: Duration::from_hours(1) });
        assert!((0..3).all(|_| attempts.attempt("ada").is_ok()));
        assert_eq!(attempts.attempt("ada").map_err(|problem| problem.code), Err(Code::RateLimited));
        assert!(attempts.attempt("bob").is_ok());
    }
}
