//! What a process counts, and the page on which Prometheus reads it. Each role makes its instruments once and
//! holds them, so that counting is one atomic addition. Labels have few values, all known to this program:
//! never a table, an account or anything that a client may choose.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};

use crate::error::Code;

/// What stands before every name.
const PREFIX: &str = "astragal";

/// The type of the page.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The code of a call that went well.
const OK: &str = "OK";

/// The upper bounds of times in seconds, from a tenth of a millisecond to more than anybody waits.
const SECONDS: [f64; 13] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// All instruments of a process.
pub struct Metrics {
    registry: Mutex<Registry>,
    errors: Family<ErrorLabels, Counter>,
    pub(super) calls: CallCounters,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ErrorLabels {
    role: &'static str,
    code: &'static str,
}

/// Calls between roles that this process has answered.
#[derive(Clone)]
pub(super) struct CallCounters {
    calls: Family<CallLabels, Counter>,
    seconds: Family<MethodLabels, Histogram, fn() -> Histogram>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    method: &'static str,
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct MethodLabels {
    method: &'static str,
}

impl CallCounters {
    fn new(registry: &mut Registry) -> Self {
        let counters =
            Self { calls: Family::default(), seconds: Family::new_with_constructor(seconds as fn() -> _) };
        registry.register(
            "grpc_calls",
            "Calls of other roles, by what they were answered",
            counters.calls.clone(),
        );
        registry.register("grpc_call_seconds", "How long the answers took", counters.seconds.clone());
        counters
    }

    pub(super) fn count(&self, method: &'static str, failure: Option<Code>, took: Duration) {
        let code = failure.map_or(OK, Code::as_str);
        self.calls.get_or_create(&CallLabels { method, code }).inc();
        self.seconds.get_or_create(&MethodLabels { method }).observe(took.as_secs_f64());
    }
}

/// A histogram of times.
pub fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

impl Metrics {
    /// Adds an instrument. A counter gets its ending `_total` by itself.
    pub fn register<M: Metric + Clone>(&self, name: &str, help: &str, instrument: &M) {
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        registry.register(name, help, instrument.clone());
    }

    /// The counters of what a role refuses.
    pub fn errors(&self, role: &'static str) -> Errors {
        Errors(Code::ALL.map(|code| {
            let code = code.as_str();
            self.errors.get_or_create_owned(&ErrorLabels { role, code })
        }))
    }

    /// The page.
    pub fn page(&self) -> Result<String, fmt::Error> {
        let mut page = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        text::encode(&mut page, &registry)?;
        Ok(page)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        let errors = Family::default();
        registry.register("errors", "Requests that were answered with an error", errors.clone());
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program that runs", build);
        let calls = CallCounters::new(&mut registry);
        Self { registry: Mutex::new(registry), errors, calls }
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Metrics")
    }
}

/// Errors that a role answers with, by code; cheap to clone.
#[derive(Clone, Debug)]
pub struct Errors([Counter; Code::ALL.len()]);

impl Errors {
    /// One more.
    pub fn count(&self, code: Code) {
        self.0[code as usize].inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o1_errors_are_counted_by_role_and_code() {
        let metrics = Metrics::default();
        let (engine, gateway) = (metrics.errors("engine"), metrics.errors("gateway"));
        for code in Code::ALL {
            engine.count(code);
        }
        gateway.count(Code::IllegalMove);
        gateway.count(Code::IllegalMove);
        let page = metrics.page().expect("a page");
        for code in Code::ALL {
            let line = format!("astragal_errors_total{{role=\"engine\",code=\"{code}\"}} 1\n");
            assert!(page.contains(&line), "{line} is not in {page}");
        }
        assert!(page.contains("{role=\"gateway\",code=\"ILLEGAL_MOVE\"} 2\n"), "{page}");
        assert!(page.ends_with("# EOF\n"));
    }
}
