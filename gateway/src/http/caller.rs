//! From which address somebody calls, as far as that tells one caller from another.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::HeaderMap;
use http::request::Parts;

use crate::gateway::Gateway;

/// What proxies write the addresses of their callers into.
const FORWARDED: &str = "x-forwarded-for";

/// Half of an IPv6 address is the caller's own to choose.
const PREFIX: u128 = !0 << 64;

/// The caller's address; none on this machine itself, which is not one caller: a proxy calls from there, and a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caller(pub(crate) Option<IpAddr>);

impl FromRequestParts<Gateway> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let trusted_proxies = gateway.settings().trusted_proxies;
        Ok(Self(peer(parts).and_then(|peer| caller(peer.ip(), &parts.headers, trusted_proxies))))
    }
}

/// Who is at the other end of the connection: the caller, or the last proxy before us.
pub(crate) fn peer(parts: &Parts) -> Option<SocketAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer)
}

/// Each proxy adds the address that called it at the end; what stands before those that are trusted is hearsay.
fn caller(peer: IpAddr, headers: &HeaderMap, trusted_proxies: usize) -> Option<IpAddr> {
    let lines = headers.get_all(FORWARDED).iter().filter_map(|line| line.to_str().ok());
    let written: Vec<&str> = lines.flat_map(|line| line.split(',')).collect();
    let from = trusted_proxies.checked_sub(1).and_then(|skipped| written.iter().rev().nth(skipped));
    let address = from.and_then(|address| address.trim().parse().ok()).unwrap_or(peer).to_canonical();
    match address {
        address if address.is_loopback() => None,
        IpAddr::V4(_) => Some(address),
        IpAddr::V6(address) => Some(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & PREFIX))),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn seen(peer: &str, forwarded: &'static [&'static str], trusted_proxies: usize) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED, HeaderValue::from_static(line));
        }
        caller(peer.parse().unwrap(), &headers, trusted_proxies).map(|ip| ip.to_string()).unwrap_or_default()
    }

    #[test]
    fn g6_a_caller_is_known_by_what_trusted_proxies_say_and_nothing_else() {
        assert_eq!(seen("192.0.2.1", &[], 0), "192.0.2.1");
        assert_eq!(seen("192.0.2.1", &["198.51.100.7"], 0), "192.0.2.1");
        assert_eq!(seen("192.0.2.1", &["203.0.113.9, 198.51.100.7"], 1), "198.51.100.7");
        assert_eq!(seen("192.0.2.1", &["203.0.113.9", "198.51.100.7"], 2), "203.0.113.9");
        assert_eq!(seen("192.0.2.1", &["nonsense"], 1), "192.0.2.1");
        assert_eq!(seen("192.0.2.1", &[], 1), "192.0.2.1");
    }

    #[test]
    fn g6_an_address_tells_callers_apart() {
        assert_eq!(seen("2001:db8:1:2:3:4:5:6", &[], 0), "2001:db8:1:2::");
        assert_eq!(seen("::ffff:192.0.2.1", &[], 0), "192.0.2.1");
        for own in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(seen(own, &[], 0), "");
        }
    }
}
