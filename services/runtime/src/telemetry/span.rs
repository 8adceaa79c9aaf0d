//! A piece of work, timed: begun cheaply whether or not its trace is sampled, and recorded at its end if the
//! trace is, or if the work failed. An error travels up to where its request came in, so that the whole way to
//! it is recorded, although nobody could know of it at the beginning.
//!
//! A span is a plain value, not one of `tracing`: a move that is not recorded costs a few numbers and no
//! allocation, and it knows its trace all the same, for an error or a log line.

use std::borrow::Cow;
use std::cell::Cell;
use std::time::SystemTime;

use futures::FutureExt;

use super::context::TraceContext;
use super::tracer::Tracer;
use crate::error::{Code, Result};

tokio::task_local! {
    /// The span that the running code is part of.
    static CURRENT: Current;
}

struct Current {
    tracer: Tracer,
    context: TraceContext,
    failure: Cell<Option<Code>>,
}

/// Whose work a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A part of something larger in the same process.
    Inner,
    /// An answer to somebody else.
    Server,
    /// A question to somebody else.
    Client,
}

/// Something to say about a span: never anything that is hidden from anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// How many of something.
    Count(u64),
    /// A word of a closed set.
    Word(Cow<'static, str>),
}

/// A span that is over.
#[derive(Debug, Clone)]
pub struct Finished {
    /// What was done, in words of this program.
    pub name: Cow<'static, str>,
    /// Whose work it was.
    pub kind: Kind,
    /// Its place.
    pub context: TraceContext,
    /// The span that it is part of; none at the beginning of a trace.
    pub parent: Option<u64>,
    /// Whether that one is of another process.
    pub parent_is_remote: bool,
    /// From when on.
    pub started: SystemTime,
    /// Until when.
    pub ended: SystemTime,
    /// Why it failed, if it did.
    pub failure: Option<Code>,
    /// Whether it was given up before its end, as when a client goes away.
    pub abandoned: bool,
    /// What there was to say.
    pub notes: Vec<(&'static str, Note)>,
    /// Spans of other traces that it worked for as well.
    pub links: Vec<TraceContext>,
}

/// A piece of work that goes on.
#[derive(Debug)]
pub struct Span {
    tracer: Tracer,
    name: Cow<'static, str>,
    kind: Kind,
    context: Option<TraceContext>,
    parent: Option<u64>,
    pub(super) parent_is_remote: bool,
    started: SystemTime,
    failure: Option<Code>,
    ended: bool,
    notes: Vec<(&'static str, Note)>,
    links: Vec<TraceContext>,
}

/// The place of the running code, if it is in a trace.
pub fn current() -> Option<TraceContext> {
    CURRENT.try_with(|current| current.context).ok()
}

/// A part of what the running code does; of no trace, if that is in none.
pub fn part(name: impl Into<Cow<'static, str>>) -> Span {
    of_current(Kind::Inner, name.into())
}

/// A question of the running code to another role.
pub fn question(name: impl Into<Cow<'static, str>>) -> Span {
    of_current(Kind::Client, name.into())
}

/// A part of a span that is elsewhere, as when somebody works for several at once.
pub fn part_of(tracer: &Tracer, name: impl Into<Cow<'static, str>>, whole: TraceContext) -> Span {
    tracer.part(Kind::Inner, name.into(), whole)
}

fn of_current(kind: Kind, name: Cow<'static, str>) -> Span {
    match CURRENT.try_with(|current| (current.tracer.clone(), current.context)) {
        Ok((tracer, context)) => tracer.part(kind, name, context),
        Err(_) => Span::new(Tracer::default(), kind, name, None, None),
    }
}

/// Says that what the running code does has failed, whatever it returns.
pub fn fail(code: Code) {
    // In no trace there is nothing to be said.
    let _ = CURRENT.try_with(|current| current.failure.set(Some(code)));
}

/// A future that stays in the trace of the running code, also as a task of its own.
pub fn carried<F: Future>(future: F) -> impl Future<Output = F::Output> {
    let here = CURRENT.try_with(|current| (current.tracer.clone(), current.context)).ok();
    let current = here.map(|(tracer, context)| Current { tracer, context, failure: Cell::new(None) });
    scoped(current, future)
}

/// The code of a result that is an error.
pub fn code_of<T>(result: &Result<T>) -> Option<Code> {
    result.as_ref().err().map(|problem| problem.code)
}

fn scoped<F: Future>(current: Option<Current>, future: F) -> impl Future<Output = F::Output> {
    match current {
        Some(current) => CURRENT.scope(current, future).left_future(),
        None => future.right_future(),
    }
}

impl Span {
    pub(super) fn new(
        tracer: Tracer,
        kind: Kind,
        name: Cow<'static, str>,
        context: Option<TraceContext>,
        parent: Option<u64>,
    ) -> Self {
        let started = if context.is_some() { now() } else { SystemTime::UNIX_EPOCH };
        Self {
            tracer,
            name,
            kind,
            context,
            parent,
            parent_is_remote: false,
            started,
            failure: None,
            ended: false,
            notes: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Its place; none where nothing is traced.
    pub const fn context(&self) -> Option<TraceContext> {
        self.context
    }

    /// Says something about it, which is worked out only if it is recorded anyway.
    pub fn note(&mut self, name: &'static str, note: impl FnOnce() -> Note) {
        if self.is_sampled() {
            self.notes.push((name, note()));
        }
    }

    /// Names a span of another trace that it works for as well.
    pub fn link(&mut self, context: TraceContext) {
        if self.is_sampled() {
            self.links.push(context);
        }
    }

    /// Ends it.
    pub fn end(mut self, failure: Option<Code>) {
        self.failure = self.failure.or(failure);
        self.ended = true;
    }

    /// Runs code as part of it.
    pub fn enter<T>(&self, code: impl FnOnce() -> T) -> T {
        match self.current() {
            Some(current) => CURRENT.sync_scope(current, code),
            None => code(),
        }
    }

    /// Runs a future as part of it, and ends it with that: as a failure if `failure` finds one in what came
    /// out, or if [`fail`] was called.
    pub fn run<F: Future>(
        self,
        future: F,
        failure: impl FnOnce(&F::Output) -> Option<Code>,
    ) -> impl Future<Output = F::Output> {
        let current = self.current();
        // Not an async block: that would keep room for the future twice.
        let ending = future.map(move |output| {
            let said = CURRENT.try_with(|current| current.failure.get()).ok().flatten();
            self.end(said.or_else(|| failure(&output)));
            output
        });
        scoped(current, ending)
    }

    fn current(&self) -> Option<Current> {
        let context = self.context?;
        Some(Current { tracer: self.tracer.clone(), context, failure: Cell::new(None) })
    }

    fn is_sampled(&self) -> bool {
        self.context.is_some_and(|context| context.sampled)
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        let Some(context) = self.context else { return };
        if !context.sampled && self.failure.is_none() {
            return;
        }
        let Some(recorder) = self.tracer.recorder() else { return };
        recorder.record(Finished {
            name: std::mem::take(&mut self.name),
            kind: self.kind,
            context,
            parent: self.parent,
            parent_is_remote: self.parent_is_remote,
            started: self.started,
            ended: now(),
            failure: self.failure,
            abandoned: !self.ended,
            notes: std::mem::take(&mut self.notes),
            links: std::mem::take(&mut self.links),
        });
    }
}

#[expect(clippy::disallowed_methods, reason = "how long work takes is no business of any game's clock")]
fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
pub(super) mod tests;
