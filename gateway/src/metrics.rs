//! What the gateway counts. Every instrument is looked up once, when the gateway starts, but those of plain
//! HTTP, which knows its address only when it comes.

use std::time::Duration;

use astragal_runtime::error::Code;
use astragal_runtime::telemetry::metrics::{Errors, Metrics, seconds};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

const ROLE: &str = "gateway";

/// The instruments; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct GatewayMetrics {
    /// What clients were refused.
    pub(crate) errors: Errors,
    /// Connections that are open.
    pub(crate) sockets: Gauge,
    /// Frames that clients have sent and that could be read.
    pub(crate) frames: Counter,
    /// Actions on their way to the engines.
    pub(crate) actions: ActionMetrics,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Histogram,
}

/// Instruments of the way to the engines and back.
#[derive(Clone, Debug)]
pub(crate) struct ActionMetrics {
    /// Actions that are not answered yet.
    pub(crate) under_way: Gauge,
    /// How long an action took from its frame to the answer of its table.
    pub(crate) seconds: Histogram,
}

/// The address is the pattern that it matched, so that it holds nobody's id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u16,
}

impl GatewayMetrics {
    pub(crate) fn new(metrics: &Metrics) -> Self {
        let gateway = Self {
            errors: metrics.errors(ROLE),
            sockets: Gauge::default(),
            frames: Counter::default(),
            actions: ActionMetrics { under_way: Gauge::default(), seconds: seconds() },
            requests: Family::default(),
            request_seconds: seconds(),
        };
        let actions = &gateway.actions;
        metrics.register("sockets", "Connections of clients that are open", &gateway.sockets);
        metrics.register("frames", "Frames that clients have sent", &gateway.frames);
        metrics.register("actions_under_way", "Actions without an answer of their table", &actions.under_way);
        metrics.register("action_seconds", "From a frame to the answer of its table", &actions.seconds);
        metrics.register("http_requests", "Requests of clients over plain HTTP", &gateway.requests);
        metrics.register("http_request_seconds", "How long the answers took", &gateway.request_seconds);
        gateway
    }

    /// A request over plain HTTP was answered.
    pub(crate) fn answered(&self, route: &str, status: u16, failure: Option<Code>, took: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), status }).inc();
        self.request_seconds.observe(took.as_secs_f64());
        if let Some(code) = failure {
            self.errors.count(code);
        }
    }
}
