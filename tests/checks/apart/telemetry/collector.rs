//! A collector of traces that keeps them in memory. It knows no span by name.

use anyhow::{Context, Result, bail};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Request, Response, Status};

/// How long spans may be under way.
const PATIENCE: Duration = Duration::from_mins(1);
/// The status code of a span that failed.
const FAILED: i32 = 2;

/// A span, as the collector was told of it.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) service: String,
    pub(super) name: String,
    pub(super) trace: String,
    pub(super) id: String,
    /// Empty at the beginning of a trace.
    pub(super) parent: String,
    /// The reason, if it failed.
    pub(super) failure: Option<String>,
    started_ns: u64,
    took_us: u64,
}

/// A collector that runs.
pub(super) struct Collector {
    url: String,
    requests: watch::Receiver<Vec<ExportTraceServiceRequest>>,
    serving: JoinHandle<()>,
}

struct Keeper(Arc<watch::Sender<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Keeper {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.send_modify(|requests| requests.push(request.into_inner()));
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    /// Starts one on a free port.
    pub(super) async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let (sender, requests) = watch::channel(Vec::new());
        let service = TraceServiceServer::new(Keeper(Arc::new(sender)));
        let served =
            Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener));
        let serving = tokio::spawn(async move { served.await.unwrap_or(()) });
        Ok(Self { url, requests, serving })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Everything that came, word for word.
    pub(super) fn heard(&self) -> String {
        format!("{:?}", *self.requests.borrow())
    }

    /// All spans so far.
    pub(super) fn spans(&self) -> Vec<Span> {
        self.requests.borrow().iter().flat_map(spans).collect()
    }

    /// Waits until the spans so far have what is looked for.
    pub(super) async fn find<T>(&self, look: impl Fn(&[Span]) -> Option<T>) -> Result<T> {
        let mut requests = self.requests.clone();
        let looking = async {
            loop {
                if let Some(found) = look(&self.spans()) {
                    return anyhow::Ok(found);
                }
                requests.changed().await.context("the collector has ended")?;
            }
        };
        match tokio::time::timeout(PATIENCE, looking).await {
            Ok(found) => found,
            Err(_) => bail!("the spans that came are not those:\n{}", tree(&self.spans())),
        }
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn spans(request: &ExportTraceServiceRequest) -> Vec<Span> {
    let mut found = Vec::new();
    for resource in &request.resource_spans {
        let attributes = resource.resource.iter().flat_map(|resource| &resource.attributes);
        let named = attributes.filter(|attribute| attribute.key == "service.name");
        let service = named.filter_map(|name| match name.value.as_ref()?.value.as_ref()? {
            Value::StringValue(name) => Some(name.clone()),
            _ => None,
        });
        let service: String = service.collect();
        for span in resource.scope_spans.iter().flat_map(|scope| &scope.spans) {
            let status = span.status.as_ref().filter(|status| status.code == FAILED);
            found.push(Span {
                service: service.clone(),
                name: span.name.clone(),
                trace: hex::encode(&span.trace_id),
                id: hex::encode(&span.span_id),
                parent: hex::encode(&span.parent_span_id),
                failure: status.map(|status| status.message.clone()),
                started_ns: span.start_time_unix_nano,
                took_us: span.end_time_unix_nano.saturating_sub(span.start_time_unix_nano) / 1_000,
            });
        }
    }
    found
}

/// Spans as an indented list, each under the one that it is part of.
pub(super) fn tree(spans: &[Span]) -> String {
    let mut text = String::new();
    let mut ordered: Vec<_> = spans.iter().collect();
    ordered.sort_by_key(|span| span.started_ns);
    let is_root =
        |span: &Span| !spans.iter().any(|other| other.id == span.parent && other.trace == span.trace);
    for root in ordered.iter().filter(|span| is_root(span)) {
        branch(&ordered, root, 0, &mut text);
    }
    text
}

fn branch(all: &[&Span], span: &Span, depth: usize, text: &mut String) {
    let failure = span.failure.as_deref().unwrap_or_default();
    let Span { service, name, took_us, .. } = span;
    let _ = writeln!(text, "{:indent$}{name} ({service}, {took_us} us) {failure}", "", indent = 2 * depth);
    for child in all.iter().filter(|child| child.trace == span.trace && child.parent == span.id) {
        branch(all, child, depth + 1, text);
    }
}
