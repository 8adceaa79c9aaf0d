//! Where a role listens, as it is written in a setting: `http://HOST:PORT`, or `https://HOST:PORT`.

use std::net::SocketAddr;
use std::str::FromStr;

use http::Uri;

use super::names::Names;
use crate::error::{Problem, Result};

/// A host that may be a name, a port, and whether that speaks TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) encrypted: bool,
    pub(super) host: String,
    port: u16,
}

impl FromStr for Address {
    type Err = Problem;

    fn from_str(url: &str) -> Result<Self> {
        let refusal = || {
            Problem::invalid_argument(format!(
                "{url:?} is not an address; write http://HOST:PORT or https://HOST:PORT"
            ))
        };
        let uri: Uri = url.trim().parse().map_err(|_| refusal())?;
        match (uri.scheme_str(), uri.host(), uri.port_u16(), uri.path()) {
            (Some(scheme @ ("http" | "https")), Some(host), Some(port), "" | "/") => {
                let host = host.trim_matches(['[', ']']).to_owned();
                Ok(Self { encrypted: scheme == "https", host, port })
            }
            _ => Err(refusal()),
        }
    }
}

impl Address {
    /// The address, if it needs no look-up.
    pub(super) fn literal(&self) -> Option<SocketAddr> {
        self.host.parse().ok().map(|ip| SocketAddr::new(ip, self.port))
    }

    /// Every process behind the name. Of a name with addresses of both families those of IPv4 count,
    /// because the others are the same processes again.
    pub(super) async fn resolve(&self, names: &impl Names) -> std::io::Result<Vec<SocketAddr>> {
        if let Some(literal) = self.literal() {
            return Ok(vec![literal]);
        }
        let mut found = names.look_up(&self.host, self.port).await?;
        if found.iter().any(SocketAddr::is_ipv4) {
            found.retain(SocketAddr::is_ipv4);
        }
        Ok(found)
    }
}
