//! `astragal dev`: every role in one process, on embedded databases. The wiring is the one of
//! production with other settings.

use anyhow::Result;
use clap::Args;

/// Where to listen and where to keep the data.
#[derive(Args)]
pub struct DevSettings {}

/// Runs until a signal asks it to stop.
pub fn run(_settings: DevSettings) -> Result<()> {
    Ok(())
}
