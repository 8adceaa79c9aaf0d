//! Where a piece of work belongs: its trace, and the span that it is part of. Travels between processes as
//! the W3C `traceparent` header, and as numbers on the stream of moves.

use std::fmt;
use std::str::FromStr;

use astragal_proto::engine::v1::TraceContext as WireContext;

/// The header of a call.
pub const TRACEPARENT: &str = "traceparent";
/// The only version of the header that there is.
const VERSION: &str = "00";
const SAMPLED: u8 = 1;

/// A place in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    /// The trace; never 0.
    pub trace_id: u128,
    /// The span; never 0.
    pub span_id: u64,
    /// Whether every span of the trace is recorded. Where it isn't, spans that end in an error are.
    pub sampled: bool,
}

/// The text of no place in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a traceparent of version 00")]
pub struct NoContext;

impl TraceContext {
    /// The place, if the numbers name one.
    fn new(trace_id: u128, span_id: u64, sampled: bool) -> Option<Self> {
        (trace_id != 0 && span_id != 0).then_some(Self { trace_id, span_id, sampled })
    }

    /// As it came on the stream of moves.
    pub fn of_wire(wire: &WireContext) -> Option<Self> {
        let trace_id = u128::from(wire.trace_id_high) << 64 | u128::from(wire.trace_id_low);
        Self::new(trace_id, wire.span_id, wire.sampled)
    }

    /// For the stream of moves.
    pub const fn to_wire(self) -> WireContext {
        WireContext {
            trace_id_high: (self.trace_id >> 64) as u64,
            trace_id_low: self.trace_id as u64,
            span_id: self.span_id,
            sampled: self.sampled,
        }
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = if self.sampled { SAMPLED } else { 0 };
        write!(formatter, "{VERSION}-{:032x}-{:016x}-{flags:02x}", self.trace_id, self.span_id)
    }
}

impl FromStr for TraceContext {
    type Err = NoContext;

    fn from_str(text: &str) -> Result<Self, NoContext> {
        let mut parts = text.split('-');
        let mut part = |digits: usize| parts.next().filter(|part| is_hex(part, digits)).ok_or(NoContext);
        let version = part(2)?;
        let trace_id = u128::from_str_radix(part(32)?, 16).map_err(|_| NoContext)?;
        let span_id = u64::from_str_radix(part(16)?, 16).map_err(|_| NoContext)?;
        let flags = u8::from_str_radix(part(2)?, 16).map_err(|_| NoContext)?;
        if version != VERSION || parts.next().is_some() {
            return Err(NoContext);
        }
        Self::new(trace_id, span_id, flags & SAMPLED != 0).ok_or(NoContext)
    }
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn o1_a_context_survives_both_ways_between_processes() {
        let context: TraceContext = HEADER.parse().expect("a context");
        assert!(context.sampled);
        assert_eq!(context.to_string(), HEADER);
        assert_eq!(TraceContext::of_wire(&context.to_wire()), Some(context));
        let silent = TraceContext { sampled: false, ..context };
        assert_eq!(silent.to_string().parse(), Ok(silent));
        assert_eq!(TraceContext::of_wire(&silent.to_wire()), Some(silent));
    }

    #[test]
    fn what_is_no_context_is_none() {
        for text in [
            "",
            "00",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-+bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        ] {
            assert_eq!(text.parse::<TraceContext>(), Err(NoContext), "{text}");
        }
        assert_eq!(TraceContext::of_wire(&WireContext::default()), None);
    }
}
