//! `astragal probe`: asks the operators' port of a process how it is, for orchestrators that run a
//! command inside the image, which holds no other program to ask with.

use anyhow::{Context, Result, ensure};
use axum::body::Body;
use axum::http::{Request, header};
use clap::Args;
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpStream;

/// An orchestrator asks again soon, so a slow answer is none.
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// Whom to ask, and what.
#[derive(Args)]
pub(crate) struct ProbeSettings {
    /// The operators' port of the process, as that one was given it.
    #[arg(long, env = "ASTRAGAL_ADMIN_LISTEN")]
    admin_listen: SocketAddr,
    /// Ask whether it lives; without this, whether it can serve.
    #[arg(long)]
    alive: bool,
}

/// Fails unless the answer is yes.
#[tokio::main(flavor = "current_thread")]
pub(crate) async fn run(settings: &ProbeSettings) -> Result<()> {
    let address = reachable(settings.admin_listen);
    let path = if settings.alive { "/healthz" } else { "/readyz" };
    let answer = tokio::time::timeout(ANSWER_MAX, ask(address, path)).await;
    let answer = answer.unwrap_or_else(|_| Err(anyhow::anyhow!("no answer within {ANSWER_MAX:?}")));
    answer.with_context(|| format!("the process at {address} isn't there or not ready"))
}

async fn ask(address: SocketAddr, path: &str) -> Result<()> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    let request = Request::get(path).header(header::HOST, address.to_string()).body(Body::empty())?;
    let asking = sender.send_request(request);
    // The connection's own end says nothing that the answer doesn't.
    let answer = tokio::select! {
        answer = asking => answer?,
        closed = connection => {
            closed?;
            anyhow::bail!("it closed the connection")
        }
    };
    ensure!(answer.status().is_success(), "{path} was answered {}", answer.status());
    Ok(())
}

/// Where a process that listens everywhere is reached from beside it.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let address = match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    SocketAddr::new(address, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_listens_everywhere_is_asked_here() -> Result<()> {
        for (listens, asked) in
            [("0.0.0.0:9090", "127.0.0.1:9090"), ("[::]:9090", "[::1]:9090"), ("127.0.0.2:1", "127.0.0.2:1")]
        {
            assert_eq!(reachable(listens.parse()?), asked.parse()?);
        }
        Ok(())
    }
}
