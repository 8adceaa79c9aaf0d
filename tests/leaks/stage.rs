//! Who plays: accounts with two sockets each, and one that only watches.

use anyhow::Result;
use astragal_matchmaking::account::Account;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::AccountId;

/// Seats take them in this order; the last one has none.
const ACCOUNTS: [&str; 5] = [
    "01936f5e-0000-7000-8000-0000000000a0",
    "01936f5e-0000-7000-8000-0000000000b0",
    "01936f5e-0000-7000-8000-0000000000c0",
    "01936f5e-0000-7000-8000-0000000000d0",
    "01936f5e-0000-7000-8000-0000000000e0",
];

/// The place of the spectator among the accounts.
pub(crate) const SPECTATOR: usize = ACCOUNTS.len() - 1;

pub(crate) fn accounts() -> Result<Vec<AccountId>> {
    ACCOUNTS.iter().map(|id| Ok(AccountId::parse("account", id)?)).collect()
}

/// The accounts as they are in both worlds.
pub(crate) fn people(since: Timestamp) -> Result<Vec<Account>> {
    let named = accounts()?.into_iter().zip(["ada", "blaise", "cleo", "dora", "emil"]);
    Ok(named.map(|(id, name)| Account::person(id, name.to_owned(), since)).collect())
}
