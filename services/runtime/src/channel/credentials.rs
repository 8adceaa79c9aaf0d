//! What a process shows to those whom it calls, and whom of them it believes.

use super::address::Address;
use crate::auth::bearer::Bearer;
use crate::error::{Problem, Result};
use crate::tls::CallerTls;

/// All of it may be missing, where a port asks for nothing.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The token that goes with each call.
    pub bearer: Option<Bearer>,
    /// How ports are called that speak TLS.
    pub tls: Option<CallerTls>,
}

impl Credentials {
    /// Refuses an address that these can't be used with.
    pub(super) fn check(&self, address: &Address) -> Result<()> {
        match (address.encrypted, &self.tls) {
            (true, None) => Err(Problem::invalid_argument(
                "an address with https:// needs the authority that signed its certificate; give it with --tls-ca",
            )),
            // A token must not go out in the clear because of a missing letter.
            (false, Some(_)) => Err(Problem::invalid_argument(
                "with --tls-ca every address is one with TLS; write https://HOST:PORT",
            )),
            _ => Ok(()),
        }
    }
}
