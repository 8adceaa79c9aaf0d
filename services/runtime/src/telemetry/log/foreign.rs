//! What crates of others may write into the log. They know no secrets: at their finest they write whole frames, with the
//! tokens and hands in them. So they say what is worth a line, more only where the filter names them, and never that.

use tracing::{Level, Metadata};
use tracing_subscriber::filter::{EnvFilter, FilterFn, filter_fn};

/// How the targets of this program begin.
const OURS: &str = "astragal";

/// How targets of others begin that the filter names.
pub(super) struct Foreign {
    named: Vec<String>,
}

impl Foreign {
    /// Those of a filter such as `debug,h2=debug`.
    pub(super) fn of(filter: &EnvFilter) -> Self {
        let directives = filter.to_string();
        let targets = directives.split(',').filter_map(|directive| directive.split_once('='));
        Self { named: targets.map(|(target, _)| target.to_owned()).collect() }
    }

    /// Beside the filter, which decides first.
    pub(super) fn layer(self) -> FilterFn<impl Fn(&Metadata<'_>) -> bool> {
        filter_fn(move |line| self.may_say(line))
    }

    fn may_say(&self, line: &Metadata<'_>) -> bool {
        let target = line.target();
        let most = if target.starts_with(OURS) {
            Level::TRACE
        } else if self.named.iter().any(|named| target.starts_with(named.as_str())) {
            Level::DEBUG
        } else {
            Level::INFO
        };
        *line.level() <= most
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Page;
    use super::*;
    use tracing_subscriber::layer::SubscriberExt;

    fn lines(filter: &str) -> String {
        let (page, filter) = (Page::default(), EnvFilter::new(filter));
        let (writer, foreign) = (page.clone(), Foreign::of(&filter).layer());
        let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(move || writer.clone());
        tracing::subscriber::with_default(lines.finish().with(foreign), || {
            tracing::trace!(target: "tungstenite::protocol", "a frame");
            tracing::debug!(target: "tungstenite::protocol", "a close");
            tracing::debug!(target: "h2::codec", "a window");
            tracing::info!(target: "h2::codec", "a beginning");
            tracing::trace!(target: "astragal_engine::tables", "a step");
        });
        page.text()
    }

    /// G5: whole frames, with tokens and hands, come into no log, whatever the filter says.
    #[test]
    fn g5_no_filter_lets_others_write_frames_into_the_log() {
        for filter in ["trace", "tungstenite=trace", "info,tungstenite::protocol=trace", "log=trace,trace"] {
            assert!(!lines(filter).contains("a frame"), "{filter}");
        }
    }

    /// O1: the own lines come as asked for; those of others in detail where they are named.
    #[test]
    fn o1_others_say_more_where_they_are_named() {
        let all = lines("trace");
        assert!(all.contains("a step") && all.contains("a beginning"), "{all}");
        assert!(!all.contains("a close") && !all.contains("a window"), "{all}");
        let named = lines("info,tungstenite=debug");
        assert!(named.contains("a close") && named.contains("a beginning"), "{named}");
        assert!(!named.contains("a window") && !named.contains("a step"), "{named}");
    }
}
