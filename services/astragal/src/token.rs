//! `astragal token`: signs a token with the key of the installation, for a process, an operator or
//! a tournament system.

use crate::flags::durations;
use crate::flags::keys::SigningKeyFlag;
use anyhow::{Result, ensure};
use astragal_runtime::auth::Role;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::id::AccountId;
use clap::{Args, ValueEnum};
use std::time::Duration;

/// Ten years, longer than any installation keeps its key.
const LIFETIME_MAX: Duration = Duration::from_hours(87_660);

/// Who the token is for, and for how long.
#[derive(Args)]
pub(crate) struct TokenSettings {
    /// What its bearer may do.
    #[arg(long)]
    role: RoleName,
    /// Whose it is; only a player's token needs one.
    #[arg(long)]
    account: Option<AccountId>,
    /// How long it counts, such as `30d` or `12h`.
    #[arg(long, value_parser = lifetime, default_value = "30d")]
    lifetime: Duration,
    #[command(flatten)]
    key: SigningKeyFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RoleName {
    /// Looks behind the scenes.
    Admin,
    /// Runs tournaments.
    Tournament,
    /// Is a part of the system.
    Service,
    /// Plays.
    Player,
}

fn lifetime(text: &str) -> std::result::Result<Duration, String> {
    durations::between(text, Duration::from_secs(1), LIFETIME_MAX)
}

/// Prints the token.
#[expect(clippy::print_stdout, reason = "the token is what the command is for")]
pub(crate) fn run(settings: &TokenSettings) -> Result<()> {
    ensure!(
        settings.role != RoleName::Player || settings.account.is_some(),
        "a player's token names an account; add --account UUID"
    );
    let role = match settings.role {
        RoleName::Admin => Role::Admin,
        RoleName::Tournament => Role::Tournament,
        RoleName::Service => Role::Service,
        RoleName::Player => Role::Player,
    };
    let lifetime = chrono::Duration::from_std(settings.lifetime)?;
    let account = settings.account.unwrap_or(AccountId::SYSTEM);
    println!("{}", settings.key.key()?.signer()?.sign(account, role, SystemClock.now(), lifetime)?);
    Ok(())
}
