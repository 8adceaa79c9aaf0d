//! The port of a role.

use crate::listen;
use anyhow::Result;
use clap::Args;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// Where a role listens. Each subcommand gives the address a default of its own.
#[derive(Args)]
pub(crate) struct ListeningFlags {
    /// Where this role is called.
    #[arg(long, env = "ASTRAGAL_LISTEN")]
    listen: SocketAddr,
}

impl ListeningFlags {
    /// Takes the port.
    pub(crate) async fn bind(&self) -> Result<TcpListener> {
        listen::bind(self.listen, "--listen").await
    }
}
