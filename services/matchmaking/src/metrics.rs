//! What matchmaking counts.

use astragal_runtime::telemetry::metrics::Metrics;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::game::Origin;

/// The instruments; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchmakingMetrics {
    draws: Counter,
    opened: Family<OriginLabels, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OriginLabels {
    origin: &'static str,
}

impl MatchmakingMetrics {
    pub(crate) fn new(metrics: &Metrics) -> Self {
        let instruments = Self::default();
        metrics.register("draws", "Draws that decided who goes first", &instruments.draws);
        metrics.register(
            "games_opened",
            "Games that were opened, by how they came about",
            &instruments.opened,
        );
        instruments
    }

    /// A game was opened, with the draw that decided its seats.
    pub(crate) fn opened(&self, origin: Origin) {
        self.draws.inc();
        self.opened.get_or_create(&OriginLabels { origin: origin.as_str() }).inc();
    }
}
