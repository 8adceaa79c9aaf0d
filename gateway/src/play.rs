//! Actions on their way to the engines: one long-lived stream to each carries those of all sockets.
//!
//! A table's actions go to the engine that is preferred for it, as long as that one is there; any other is slower,
//! never wrong. An answer goes to the outbox of the socket that asked, whenever it comes, so nobody waits in line for
//! a commit. When a stream breaks, whatever was under way on it is sent once more, elsewhere, under the same request id.

pub(crate) mod action;
mod streams;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use astragal_proto::engine::v1::play_stream_response::Result as Answered;
use astragal_proto::engine::v1::{PlayRefusal, PlayStreamRequest, PlayStreamResponse};
use astragal_runtime::channel::Member;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::telemetry::context::TraceContext;
use tokio::sync::mpsc;
use tokio::time::Instant;

use self::action::{Action, Answer};
use crate::metrics::ActionMetrics;
use crate::socket::outbox::{Mail, Outbox};

/// An action is sent a second time when its stream breaks, but not a third.
const SENDS_MAX: u8 = 2;

/// The link to the engines; cheap to clone.
#[derive(Clone)]
pub(crate) struct PlayLink {
    state: Arc<Mutex<State>>,
    in_flight_max: usize,
    deadline: Duration,
    metrics: ActionMetrics,
}

#[derive(Default)]
struct State {
    last_tag: u64,
    /// By tag, which is the order of sending and of deadlines.
    pending: BTreeMap<u64, Pending>,
    /// The streams that are open, by the name of their engine.
    streams: HashMap<String, Stream>,
}

struct Stream {
    engine: Arc<Member>,
    requests: mpsc::Sender<PlayStreamRequest>,
}

struct Pending {
    action: Box<Action>,
    outbox: Outbox,
    taken_at: Instant,
    sends: u8,
    /// The engine that has to answer.
    sent_to: Option<Arc<Member>>,
}

impl PlayLink {
    pub(crate) fn new(in_flight_max: usize, deadline: Duration, metrics: ActionMetrics) -> Self {
        Self { state: Arc::default(), in_flight_max, deadline, metrics }
    }

    /// Sends an action on its way; its answer comes to `outbox`.
    pub(crate) fn send(&self, action: Box<Action>, outbox: Outbox) {
        let mut pending = Pending { action, outbox, taken_at: Instant::now(), sends: 0, sent_to: None };
        let mut state = self.state();
        if state.pending.len() >= self.in_flight_max {
            let busy = Problem::unavailable("too many moves are under way; send the same frame again");
            return pending.finish(Err(busy));
        }
        state.last_tag += 1;
        let tag = state.last_tag;
        pending.send(tag, &state.streams);
        state.pending.insert(tag, pending);
        self.count(&state);
    }

    /// Whether there is a stream to any engine.
    pub(crate) fn is_connected(&self) -> bool {
        !self.state().streams.is_empty()
    }

    fn answered(&self, answer: PlayStreamResponse) {
        // An answer without its question came after the deadline, or twice.
        let pending = {
            let mut state = self.state();
            let Some(pending) = state.pending.remove(&answer.tag) else { return };
            self.count(&state);
            pending
        };
        self.metrics.seconds.observe(pending.taken_at.elapsed().as_secs_f64());
        pending.finish(match answer.result {
            Some(Answered::Response(response)) => Ok(response.revision),
            Some(Answered::Refusal(refusal)) => Err(problem(refusal)),
            None => Err(Problem::new(Code::Internal, "something went wrong on our side; try again")),
        });
    }

    /// Whatever waits for an engine goes to the one that is there now.
    fn connected(&self, engine: Arc<Member>, requests: mpsc::Sender<PlayStreamRequest>) {
        let mut state = self.state();
        let State { pending, streams, .. } = &mut *state;
        streams.insert(engine.name().to_owned(), Stream { engine, requests });
        for (tag, waiting) in pending.iter_mut().filter(|(_, pending)| pending.sent_to.is_none()) {
            waiting.send(*tag, streams);
        }
    }

    /// Whatever the engine has not answered goes to another one, at once or when there is one.
    fn disconnected(&self, engine: &str) {
        let mut state = self.state();
        let State { pending, streams, .. } = &mut *state;
        streams.remove(engine);
        let is_lost = |pending: &Pending| pending.sent_to.as_ref().is_some_and(|to| to.name() == engine);
        for (_, pending) in
            pending.extract_if(.., |_, pending| is_lost(pending) && pending.sends >= SENDS_MAX)
        {
            pending.finish(Err(no_answer()));
        }
        for (tag, pending) in pending.iter_mut().filter(|(_, pending)| is_lost(pending)) {
            pending.send(*tag, streams);
        }
    }

    fn count(&self, state: &State) {
        self.metrics.under_way.set(i64::try_from(state.pending.len()).unwrap_or(i64::MAX));
    }

    fn expire(&self) {
        let mut state = self.state();
        let is_over = |oldest: &Pending| oldest.taken_at.elapsed() >= self.deadline;
        while state.pending.first_key_value().is_some_and(|(_, oldest)| is_over(oldest)) {
            if let Some((_, oldest)) = state.pending.pop_first() {
                oldest.finish(Err(no_answer()));
            }
        }
        self.count(&state);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    /// A stream that is full or broken leaves the action to the next stream, or to its deadline.
    fn send(&mut self, tag: u64, streams: &HashMap<String, Stream>) {
        self.sent_to = None;
        let key = self.action.table.0.into_bytes();
        let Some(stream) = streams.values().max_by_key(|stream| stream.engine.weight(&key)) else { return };
        // Only what passes here: the clocks of two machines are never compared.
        let held_ms = u32::try_from(self.taken_at.elapsed().as_millis()).unwrap_or(u32::MAX);
        let message = PlayStreamRequest {
            tag,
            request: Some(self.action.request(held_ms)),
            trace: self.action.span.context().map(TraceContext::to_wire),
        };
        if stream.requests.try_send(message).is_ok() {
            self.sends += 1;
            self.sent_to = Some(stream.engine.clone());
        }
    }

    fn finish(self, result: Result<u32>) {
        let answer = Answer { action: self.action, result };
        self.outbox.push(Mail::Answer(Box::new(answer)));
    }
}

fn no_answer() -> Problem {
    Problem::unavailable("the table does not answer; send the same frame again to learn what became of it")
}

fn problem(refusal: PlayRefusal) -> Problem {
    let code = refusal.code.parse().unwrap_or(Code::Internal);
    Problem::new(code, refusal.message)
}
