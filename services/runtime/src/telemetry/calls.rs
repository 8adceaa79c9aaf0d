//! Calls between roles, as both sides see them: the caller's span names its trace in a header, the answer is a
//! span of that trace, and is counted by method and code.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};

use astragal_proto::DESCRIPTORS;
use futures::FutureExt;
use http::{HeaderMap, HeaderValue, Request, Response};
use prost::Message;
use prost_types::FileDescriptorSet;
use tokio::time::Instant;
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::Telemetry;
use super::context::TRACEPARENT;
use super::metrics::{Errors, Metrics};
use super::span::{self, Span};
use crate::error::Code;

/// What a method is called that no service of ours has, since a caller may choose any name.
const OTHER: &str = "other";

/// `package.Service/Method` of every method that there is.
static METHODS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let files = FileDescriptorSet::decode(DESCRIPTORS).unwrap_or_default().file;
    let methods = files.iter().flat_map(|file| {
        file.service.iter().flat_map(move |service| {
            let (package, service) = (file.package(), service);
            let name = move |method: &str| format!("{package}.{}/{method}", service.name());
            service.method.iter().map(move |method| name(method.name()))
        })
    });
    methods.collect()
});

fn method(path: &str) -> &'static str {
    path.strip_prefix('/').and_then(|path| METHODS.get(path)).map_or(OTHER, String::as_str)
}

/// The span of a call that is about to be made, named in its header; none where nothing is traced.
pub(crate) fn ask<B>(request: &mut Request<B>) -> Option<Span> {
    span::current()?;
    let span = span::question(method(request.uri().path()));
    let header = HeaderValue::from_str(&span.context()?.to_string()).ok()?;
    request.headers_mut().insert(TRACEPARENT, header);
    Some(span)
}

/// Why a call failed, if it did. A stream that breaks later tells nothing here.
pub(crate) fn failure(headers: &HeaderMap) -> Option<Code> {
    let status = Status::from_header_map(headers)?;
    (status.code() != tonic::Code::Ok).then(|| Code::of_status(&status))
}

/// The layer in front of the services of a role; cheap to clone.
#[derive(Clone, Debug)]
pub struct Calls {
    telemetry: Telemetry,
    errors: Errors,
}

impl Calls {
    /// Watches the calls that `role` answers.
    pub fn of(role: &'static str, telemetry: &Telemetry) -> Self {
        Self { telemetry: telemetry.clone(), errors: telemetry.metrics.errors(role) }
    }

    /// What they are counted with.
    pub const fn metrics(&self) -> &Arc<Metrics> {
        &self.telemetry.metrics
    }

    fn answered(&self, method: &'static str, began: Instant, failure: Option<Code>) {
        self.telemetry.metrics.calls.count(method, failure, began.elapsed());
        if let Some(code) = failure {
            self.errors.count(code);
        }
    }
}

impl<S> Layer<S> for Calls {
    type Service = Watched<S>;

    fn layer(&self, service: S) -> Watched<S> {
        Watched { service, calls: self.clone() }
    }
}

/// A service whose calls are watched.
#[derive(Clone, Debug)]
pub struct Watched<S> {
    service: S,
    calls: Calls,
}

impl<S, B> Service<Request<B>> for Watched<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let method = method(request.uri().path());
        let caller = request.headers().get(TRACEPARENT).and_then(|header| header.to_str().ok()?.parse().ok());
        let span = self.calls.telemetry.tracer.serve(method, caller);
        let (calls, began) = (self.calls.clone(), Instant::now());
        let failure_of = |answer: &Result<Response<Body>, S::Error>| {
            answer.as_ref().ok().and_then(|response| failure(response.headers()))
        };
        let answer = span.run(self.service.call(request), failure_of);
        Box::pin(answer.inspect(move |answer| calls.answered(method, began, failure_of(answer))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::span::Finished;
    use super::super::span::tests::tracer;
    use super::*;
    use crate::channel::RoleChannel;
    use crate::error::Problem;
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;

    #[test]
    fn methods_have_names_of_a_closed_set() {
        assert_eq!(
            method("/astragal.engine.v1.EngineService/OpenTable"),
            "astragal.engine.v1.EngineService/OpenTable"
        );
        assert_eq!(method("/astragal.engine.v1.EngineService/0193-some-table"), OTHER);
        assert_eq!(method(""), OTHER);
    }

    #[test]
    fn a_failure_is_named_by_our_own_code() {
        let refused = Status::from(Problem::new(Code::NotYourTurn, "wait")).into_http::<Body>();
        assert_eq!(failure(refused.headers()), Some(Code::NotYourTurn));
        let foreign = Status::unimplemented("no").into_http::<Body>();
        assert_eq!(failure(foreign.headers()), Some(Code::Unavailable));
        assert_eq!(failure(&HeaderMap::new()), None);
    }

    #[tokio::test]
    async fn o1_a_call_is_one_trace_on_both_sides_and_is_counted() {
        let (tracer, records) = tracer(1.0);
        let telemetry = Telemetry { tracer: tracer.clone(), ..Telemetry::default() };
        let (_reporter, server) = tonic_health::server::health_reporter();
        let channel = RoleChannel::local(Calls::of("engine", &telemetry).layer(server));
        let mut client = HealthClient::new(channel);
        let root = tracer.root("work");
        let context = root.context().expect("a context");
        let unknown = HealthCheckRequest { service: "chairs".into() };
        root.run(async { client.check(unknown).await.expect_err("no chairs") }, |_| None).await;
        // Outside of any trace the answer begins one.
        client.check(HealthCheckRequest::default()).await.expect("an answer");

        let records = records.take();
        let trace = |span: &Finished| (span.context.trace_id, span.parent);
        let [answered, asked, work, alone] = &records[..] else { panic!("{records:?}") };
        assert_eq!(trace(asked), (context.trace_id, Some(context.span_id)));
        assert_eq!(trace(answered), (context.trace_id, Some(asked.context.span_id)));
        assert_eq!((answered.failure, asked.failure), (Some(Code::NotFound), Some(Code::NotFound)));
        assert_eq!((work.failure, alone.parent), (None, None));
        let page = telemetry.metrics.page().expect("a page");
        assert!(
            page.contains("astragal_grpc_calls_total{method=\"other\",code=\"NOT_FOUND\"} 1\n"),
            "{page}"
        );
        assert!(page.contains("astragal_errors_total{role=\"engine\",code=\"NOT_FOUND\"} 1\n"), "{page}");
        assert!(page.contains("astragal_grpc_call_seconds_count{method=\"other\"} 2\n"), "{page}");
    }
}
