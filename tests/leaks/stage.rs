//! Who plays: accounts with two sockets each, and one that only watches.

use anyhow::Result;
use astragal_runtime::id::AccountId;

pub(crate) const ADA: &str = "01936f5e-0000-7000-8000-0000000000a0";
pub(crate) const BLAISE: &str = "01936f5e-0000-7000-8000-0000000000b0";
/// Seats take them in this order; the last one has none.
const ACCOUNTS: [&str; 5] = [
    ADA,
    BLAISE,
    "01936f5e-0000-7000-8000-0000000000c0",
    "01936f5e-0000-7000-8000-0000000000d0",
    "01936f5e-0000-7000-8000-0000000000e0",
];

/// The place of the spectator among the accounts.
pub(crate) const SPECTATOR: usize = ACCOUNTS.len() - 1;

pub(crate) fn accounts() -> Result<Vec<AccountId>> {
    ACCOUNTS.iter().map(|id| Ok(AccountId::parse("account", id)?)).collect()
}
