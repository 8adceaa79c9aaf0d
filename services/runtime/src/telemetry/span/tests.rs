//! What is recorded, and what is not.

use super::super::tracer::Recorder;
use super::*;
use crate::entropy::ScriptedEntropy;
use crate::error::Problem;
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps what is recorded.
#[derive(Clone, Default)]
pub(in super::super) struct Records(Arc<Mutex<Vec<Finished>>>);

impl Recorder for Records {
    fn record(&self, span: Finished) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(span);
    }
}

impl Records {
    pub(in super::super) fn take(&self) -> Vec<Finished> {
        std::mem::take(&mut self.0.lock().expect("records"))
    }
}

pub(in super::super) fn tracer(share: f64) -> (Tracer, Records) {
    let records = Records::default();
    let entropy = ScriptedEntropy::expanded([1; 32]);
    let tracer = Tracer::new(share, Some(Box::new(records.clone())), &entropy).expect("a tracer");
    (tracer, records)
}

fn refused() -> Result<()> {
    Err(Problem::unavailable("not now"))
}

#[tokio::test]
async fn o1_parts_of_a_sampled_trace_name_what_they_are_part_of() {
    let (tracer, records) = tracer(1.0);
    let root = tracer.root("frame");
    let root_context = root.context().expect("a context");
    root.run(
        async {
            let inner = part("decide");
            tokio::task::yield_now().await;
            inner.end(None);
            tokio::spawn(carried(async { part("append").end(None) })).await.expect("a task");
        },
        |()| None,
    )
    .await;
    let records = records.take();
    let names: Vec<_> = records.iter().map(|span| &*span.name).collect();
    assert_eq!(names, ["decide", "append", "frame"]);
    assert!(records.iter().all(|span| span.context.trace_id == root_context.trace_id));
    assert!(records.iter().all(|span| !span.abandoned && span.failure.is_none()));
    assert_eq!(records[0].parent, Some(root_context.span_id));
    assert_eq!(records[1].parent, Some(root_context.span_id));
    assert_eq!(records[2].parent, None);
    assert_eq!(current(), None);
}

#[tokio::test]
async fn o1_a_trace_that_is_not_sampled_is_recorded_along_its_failure_only() {
    let (tracer, records) = tracer(0.0);
    let serving = tracer.root("frame");
    let asked = serving.run(
        async {
            part("look-up").end(None);
            part("append").run(async { refused() }, code_of).await
        },
        code_of,
    );
    assert!(asked.await.is_err());
    let records = records.take();
    let found: Vec<_> = records.iter().map(|span| (&*span.name, span.failure)).collect();
    assert_eq!(found, [("append", Some(Code::Unavailable)), ("frame", Some(Code::Unavailable))]);
    assert_eq!(records[0].parent, Some(records[1].context.span_id));
}

#[tokio::test]
async fn a_failure_that_is_told_on_the_way_is_recorded_whatever_comes_out() {
    let (tracer, records) = tracer(0.0);
    tracer.root("frame").run(async { fail(Code::IllegalMove) }, |()| None).await;
    tracer.root("another").run(async {}, |()| None).await;
    let failures: Vec<_> = records.take().iter().map(|span| span.failure).collect();
    assert_eq!(failures, [Some(Code::IllegalMove)]);
}

#[test]
fn a_span_that_is_dropped_was_given_up() {
    let (tracer, records) = tracer(1.0);
    drop(tracer.root("frame"));
    assert!(records.take()[0].abandoned);
}

#[test]
fn an_answer_is_part_of_its_callers_trace_and_follows_its_sampling() {
    let (tracer, records) = tracer(0.0);
    let caller = TraceContext { trace_id: 7, span_id: 8, sampled: true };
    tracer.serve("call", Some(caller)).end(None);
    tracer.serve("call", Some(TraceContext { sampled: false, ..caller })).end(None);
    let records = records.take();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].context.trace_id, records[0].parent), (7, Some(8)));
    assert!(records[0].parent_is_remote && records[0].kind == Kind::Server);
}

#[test]
fn o1_about_the_share_that_was_asked_for_is_sampled() {
    let (tracer, _) = tracer(0.25);
    let sampled = (0..4_000).filter(|_| tracer.root("frame").is_sampled()).count();
    assert!((900..1_100).contains(&sampled), "{sampled} of 4,000");
}

#[test]
fn ids_are_told_apart() {
    let (tracer, _) = tracer(0.0);
    let mut ids: Vec<_> = (0..1_000).filter_map(|_| tracer.root("frame").context()).collect();
    ids.sort_by_key(|context| context.trace_id);
    ids.dedup_by_key(|context| context.trace_id);
    assert_eq!(ids.len(), 1_000);
}

#[test]
fn without_a_tracer_there_is_nothing() {
    let span = Tracer::default().root("frame");
    assert_eq!(span.context(), None);
    assert_eq!(span.enter(current), None);
    assert_eq!(part("decide").context(), None);
}
