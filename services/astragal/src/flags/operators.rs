//! The operators' port of any role.

use crate::listen;
use anyhow::Result;
use clap::Args;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// Where operators and their tools ask.
#[derive(Args)]
pub(crate) struct OperatorsFlag {
    /// Where `/healthz`, `/readyz` and `/metrics` are asked for; without it, nowhere.
    #[arg(long, env = "ASTRAGAL_ADMIN_LISTEN")]
    admin_listen: Option<SocketAddr>,
}

impl OperatorsFlag {
    /// Takes the port, if there is to be one.
    pub(crate) async fn bind(&self) -> Result<Option<TcpListener>> {
        match self.admin_listen {
            Some(address) => Ok(Some(listen::bind(address, "--admin-listen").await?)),
            None => Ok(None),
        }
    }
}
