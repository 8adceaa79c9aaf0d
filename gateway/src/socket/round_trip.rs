//! The way to a client and back, measured with ping frames of the WebSocket: never taken from what a
//! client says. A client can only answer late, and what that is worth is bounded where it counts.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

/// What is known of the way to one client.
#[derive(Debug, Default)]
pub(crate) struct RoundTrip {
    /// How many pings were sent; the newest is named by it.
    pings: u64,
    /// When the newest ping was sent, until it is answered.
    sent_at: Option<Instant>,
    measured: Option<Duration>,
}

impl RoundTrip {
    /// The payload of a ping that is sent now.
    pub(crate) fn ping(&mut self, now: Instant) -> Bytes {
        self.pings += 1;
        self.sent_at = Some(now);
        Bytes::copy_from_slice(&self.pings.to_be_bytes())
    }

    /// A pong came. One that answers no ping, an older one, or the same one again says nothing.
    pub(crate) fn pong(&mut self, payload: &[u8], now: Instant) {
        if payload == self.pings.to_be_bytes()
            && let Some(sent_at) = self.sent_at.take()
        {
            self.measured = Some(now.saturating_duration_since(sent_at));
        }
    }

    /// In milliseconds, rounded up; 0 while nothing was measured.
    pub(crate) fn ms(&self) -> u32 {
        let micros = self.measured.map_or(0, |measured| measured.as_micros().max(1));
        u32::try_from(micros.div_ceil(1_000)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    #[test]
    fn g3_a_round_trip_is_the_time_until_the_answer() {
        let start = Instant::now();
        let mut way = RoundTrip::default();
        assert_eq!(way.ms(), 0);
        let ping = way.ping(start);
        way.pong(&ping, after(start, 120));
        assert_eq!(way.ms(), 120);
        let ping = way.ping(after(start, 20_000));
        assert_eq!(way.ms(), 120, "the last one counts until the next is measured");
        way.pong(&ping, after(start, 20_000));
        assert_eq!(way.ms(), 1);
    }

    /// Forged client lag gave time (lila #10300).
    #[test]
    fn g3_a_pong_that_answers_no_ping_says_nothing() {
        let start = Instant::now();
        let mut way = RoundTrip::default();
        way.pong(b"", after(start, 900));
        way.pong(&0_u64.to_be_bytes(), after(start, 900));
        let (old, new) = (way.ping(start), way.ping(after(start, 10)));
        for forged in [&old[..], b"", b"900", &9_u64.to_be_bytes()] {
            way.pong(forged, after(start, 900));
            assert_eq!(way.ms(), 0);
        }
        way.pong(&new, after(start, 40));
        way.pong(&new, after(start, 900));
        assert_eq!(way.ms(), 30);
    }
}
