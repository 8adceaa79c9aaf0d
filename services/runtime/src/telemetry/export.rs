//! Spans on their way to a collector: OTLP over gRPC, in batches, by a thread of its own. When the collector
//! is away or slow, spans are lost and nothing else is.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::trace::{Link, SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue, Value};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, SpanData, SpanEvents, SpanLinks, SpanProcessor,
};

use super::context::TraceContext;
use super::span::{Finished, Kind, Note};
use super::tracer::Recorder;
use crate::error::{Problem, Result};

/// How the address of a collector may begin.
const SCHEMES: [&str; 2] = ["http://", "https://"];
/// Spans that wait to be sent; one more is dropped.
const QUEUE_MAX: usize = 8_192;
const SEND_EVERY: Duration = Duration::from_secs(1);
/// How long the collector may take for a batch.
const SEND_MAX: Duration = Duration::from_secs(3);
/// How long the last batch may take when the process stops.
const FLUSH_MAX: Duration = Duration::from_secs(2);

/// Sends spans to a collector; cheap to clone.
#[derive(Clone, Debug)]
pub struct Exporter {
    batches: Arc<BatchSpanProcessor>,
    scope: InstrumentationScope,
}

impl Exporter {
    /// Of a process that plays `role`, to the collector at `endpoint`. Connects when there is something to
    /// send. Must be called inside a runtime.
    pub fn open(endpoint: &str, role: &'static str) -> Result<Self> {
        let refusal = |why: &str| {
            Problem::invalid_argument(format!("traces can't be sent there: {why}; write http://HOST:PORT"))
        };
        if !SCHEMES.iter().any(|scheme| endpoint.starts_with(scheme)) {
            return Err(refusal("the address is none of HTTP"));
        }
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(SEND_MAX);
        let exporter = exporter.build().map_err(|cause| refusal(&cause.to_string()))?;
        let config = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE_MAX)
            .with_scheduled_delay(SEND_EVERY)
            .build();
        let mut batches = BatchSpanProcessor::new(exporter, config);
        let service = Resource::builder_empty().with_service_name(format!("astragal-{role}"));
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        batches.set_resource(&service.with_attribute(version).build());
        let scope = InstrumentationScope::builder("astragal").build();
        Ok(Self { batches: Arc::new(batches), scope })
    }

    /// Sends what is left. Blocks for up to two seconds.
    pub fn close(&self) {
        if let Err(error) = self.batches.shutdown_with_timeout(FLUSH_MAX) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

impl Recorder for Exporter {
    fn record(&self, span: Finished) {
        let notes = span.notes.into_iter().map(|(name, note)| KeyValue::new(name, value(note)));
        let mut attributes: Vec<_> = notes.collect();
        if span.abandoned {
            attributes.push(KeyValue::new("abandoned", true));
        }
        if let Some(code) = span.failure {
            attributes.push(KeyValue::new("error.type", code.as_str()));
        }
        let mut links = SpanLinks::default();
        links.links = span.links.iter().map(|context| Link::with_context(shown(*context))).collect();
        self.batches.on_end(SpanData {
            span_context: shown(span.context),
            parent_span_id: span.parent.map_or(SpanId::INVALID, SpanId::from),
            parent_span_is_remote: span.parent_is_remote,
            span_kind: match span.kind {
                Kind::Inner => SpanKind::Internal,
                Kind::Server => SpanKind::Server,
                Kind::Client => SpanKind::Client,
            },
            name: span.name,
            start_time: span.started,
            end_time: span.ended,
            attributes,
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links,
            status: match span.failure {
                Some(code) => Status::Error { description: Cow::Borrowed(code.as_str()) },
                None => Status::Unset,
            },
            instrumentation_scope: self.scope.clone(),
        });
    }
}

/// Whatever is sent counts as sampled, also an error of a trace that otherwise isn't.
fn shown(context: TraceContext) -> SpanContext {
    let (trace, span) = (TraceId::from(context.trace_id), SpanId::from(context.span_id));
    SpanContext::new(trace, span, TraceFlags::SAMPLED, false, TraceState::default())
}

fn value(note: Note) -> Value {
    match note {
        Note::Count(count) => Value::I64(i64::try_from(count).unwrap_or(i64::MAX)),
        Note::Word(word) => Value::String(word.into()),
    }
}
