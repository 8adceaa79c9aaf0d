//! Ports for servers that are told where to listen before they do, or come back where they were.
//!
//! The system gives out ports of its own range to whoever connects anywhere or asks for any port, and so it gives
//! away a port of that range that nobody listens at for a moment. These are from below it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering};

/// The first of them.
const FIRST: u32 = 10_240;
/// Where the system's own begin, unless it says otherwise.
const SYSTEM_FIRST: u32 = 32_768;
/// How far apart two test processes begin to look; no divisor of the number of ports.
const STRIDE: u32 = 1_009;

/// An address on this machine, which is free and is given to nobody else.
pub fn free_address() -> SocketAddr {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let count = system_first().saturating_sub(FIRST).max(1);
    let begin = std::process::id().wrapping_mul(STRIDE);
    let mut candidates = (0..count).map(|_| {
        let number = begin.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % count;
        SocketAddr::from((Ipv4Addr::LOCALHOST, (FIRST + number) as u16))
    });
    candidates.find(|address| TcpListener::bind(address).is_ok()).expect("a free port")
}

fn system_first() -> u32 {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok();
    let first = range.and_then(|range| range.split_whitespace().next()?.parse().ok());
    first.filter(|first| (FIRST + STRIDE..=u32::from(u16::MAX)).contains(first)).unwrap_or(SYSTEM_FIRST)
}

#[cfg(test)]
mod tests {
    use super::free_address;
    use std::collections::HashSet;

    #[test]
    fn nobody_is_given_a_port_of_another_one_or_of_the_system() {
        let given: HashSet<_> = (0..100).map(|_| free_address()).collect();
        assert_eq!(given.len(), 100);
        assert!(given.iter().all(|address| u32::from(address.port()) < super::system_first()), "{given:?}");
    }
}
