//! Where log lines go: to standard error, as text or as JSON, filtered by `ASTRAGAL_LOG`. A JSON line names
//! the trace that it was written in.

mod foreign;

use std::fmt;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use self::foreign::Foreign;
use super::span;
use crate::error::{Problem, Result};

/// The variable that holds the filter, such as `info` or `astragal_engine=debug,warn`.
const FILTER: &str = "ASTRAGAL_LOG";

/// How a log line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For collectors: an object a line.
    Json,
}

/// Starts logging; once in a process, before anything else.
pub fn init(format: Format) -> Result<()> {
    let filter = EnvFilter::builder()
        .with_env_var(FILTER)
        .with_default_directive(tracing::Level::INFO.into())
        .from_env()
        .map_err(|cause| {
            Problem::invalid_argument(format!("{FILTER} can't be read ({cause}); write info or debug"))
        })?;
    let foreign = Foreign::of(&filter).layer();
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        Format::Text => lines.with_target(false).finish().with(foreign).try_init(),
        Format::Json => lines.event_format(JsonLines).finish().with(foreign).try_init(),
    };
    started.map_err(|_| Problem::failed_precondition("logging has been started already; start it once"))
}

/// One flat object a line; what belongs to a trace has `traceId` and `spanId`.
struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Line::default();
        event.record(&mut line);
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        // Last, so that no field of an event takes their place.
        line.set("time", time);
        line.set("level", event.metadata().level().as_str());
        line.set("target", event.metadata().target());
        if let Some(context) = span::current() {
            line.set("traceId", format!("{:032x}", context.trace_id));
            line.set("spanId", format!("{:016x}", context.span_id));
        }
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

#[derive(Default)]
struct Line(Map<String, Value>);

impl Line {
    fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field.name(), value);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::tracer::Tracer;
    use super::*;
    use crate::entropy::ScriptedEntropy;
    use std::io::Write;
    use std::sync::{Arc, Mutex, PoisonError};

    #[derive(Clone, Default)]
    pub(crate) struct Page(Arc<Mutex<Vec<u8>>>);

    impl Page {
        pub(crate) fn text(&self) -> String {
            let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            String::from_utf8(bytes).expect("text")
        }
    }

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn logging_starts_once() {
        assert_eq!(init(Format::Text), Ok(()));
        assert!(init(Format::Json).is_err());
    }

    #[test]
    fn o1_a_json_line_is_one_object_and_names_its_trace() {
        let page = Page::default();
        let writer = page.clone();
        let lines = tracing_subscriber::fmt().event_format(JsonLines).with_writer(move || writer.clone());
        let tracer = Tracer::new(0.0, None, &ScriptedEntropy::expanded([1; 32])).expect("a tracer");
        let span = tracer.root("work");
        let context = span.context().expect("a context");
        tracing::subscriber::with_default(lines.finish(), || {
            span.enter(|| tracing::info!(entries = 3, why = "two\nlines", time = "mine", "a \"batch\""));
            tracing::warn!("outside");
        });
        let text = page.text();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        let [within, outside] = &lines[..] else { panic!("two lines were expected, not {text}") };
        assert_eq!(within["message"], "a \"batch\"");
        assert_eq!((&within["entries"], &within["why"]), (&3.into(), &"two\nlines".into()));
        assert_eq!((&within["level"], &outside["level"]), (&"INFO".into(), &"WARN".into()));
        assert_ne!(within["time"], "mine");
        assert_eq!(within["traceId"], format!("{:032x}", context.trace_id));
        assert_eq!(within["spanId"], format!("{:016x}", context.span_id));
        assert!(outside.get("traceId").is_none());
    }
}
