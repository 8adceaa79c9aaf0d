//! What operators see of a process: log lines, traces and metrics.
//!
//! A trace is begun where a client's request comes in and follows it through every role to the commit.
//! Nothing of what is watched here is a secret: names of spans and labels are words of this program, and
//! their values are numbers or words of closed sets. Traces are pushed, metrics are asked for.

pub mod calls;
pub mod context;
pub mod export;
pub mod log;
pub mod metrics;
pub mod span;
pub mod tracer;

use std::sync::Arc;

use self::metrics::Metrics;
use self::tracer::Tracer;

/// What a role needs to be seen; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Telemetry {
    /// Begins traces.
    pub tracer: Tracer,
    /// Counts.
    pub metrics: Arc<Metrics>,
}
