//! Actions on their way to the engine: one long-lived stream carries those of all sockets.
//!
//! An answer goes to the outbox of the socket that asked, whenever it comes, so nobody waits in line for a commit.
//! When the stream breaks, whatever was under way is sent once more under the same request id.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use astragal_proto::engine::v1::play_stream_response::Result as Answered;
use astragal_proto::engine::v1::{PlayRefusal, PlayRequest, PlayStreamRequest, PlayStreamResponse};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use crate::roles::Roles;
use crate::socket::outbox::{Mail, Outbox};

/// An action is sent a second time when the stream breaks, but not a third.
const SENDS_MAX: u8 = 2;
const RECONNECT_AFTER: Duration = Duration::from_millis(50);
const RECONNECT_AFTER_MAX: Duration = Duration::from_secs(1);
const DEADLINES_EVERY: Duration = Duration::from_millis(500);

/// The link to the engine; cheap to clone.
#[derive(Clone)]
pub(crate) struct PlayLink {
    state: Arc<Mutex<State>>,
    in_flight_max: usize,
    deadline: Duration,
}

/// What became of an action; goes to the socket that asked for it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The id of the client's frame.
    pub(crate) id: String,
    pub(crate) table: TableId,
    /// What was asked; sent again if the caller finds a reason to.
    pub(crate) request: PlayRequest,
    /// The revision of the table after the action.
    pub(crate) result: Result<u32>,
}

#[derive(Default)]
struct State {
    last_tag: u64,
    /// By tag, which is the order of sending and of deadlines.
    pending: BTreeMap<u64, Pending>,
    /// Absent while the stream is broken.
    stream: Option<mpsc::Sender<PlayStreamRequest>>,
}

struct Pending {
    id: String,
    table: TableId,
    request: PlayRequest,
    outbox: Outbox,
    deadline: Instant,
    sends: u8,
}

impl PlayLink {
    pub(crate) fn new(in_flight_max: usize, deadline: Duration) -> Self {
        Self { state: Arc::default(), in_flight_max, deadline }
    }

    /// Sends an action on its way; its answer comes to `outbox`.
    pub(crate) fn send(
        &self,
        id: String,
        table: TableId,
        request: PlayRequest,
        outbox: Outbox,
    ) -> Result<()> {
        let mut state = self.state();
        if state.pending.len() >= self.in_flight_max {
            return Err(Problem::unavailable("too many moves are under way; send the same frame again"));
        }
        state.last_tag += 1;
        let tag = state.last_tag;
        let mut pending =
            Pending { id, table, request, outbox, deadline: Instant::now() + self.deadline, sends: 0 };
        if let Some(stream) = &state.stream {
            pending.send(tag, stream);
        }
        state.pending.insert(tag, pending);
        Ok(())
    }

    /// Keeps the stream open and hands out the answers, until `stop`.
    pub(crate) async fn run(&self, roles: &Roles, stop: &CancellationToken) {
        let mut pause = RECONNECT_AFTER;
        loop {
            let (sender, receiver) = mpsc::channel(2 * self.in_flight_max);
            let mut engine = roles.engine();
            let connected = tokio::select! {
                () = stop.cancelled() => return,
                connected = engine.play_stream(ReceiverStream::new(receiver)) => connected,
            };
            match connected {
                Ok(answers) => {
                    self.connected(sender);
                    pause = RECONNECT_AFTER;
                    tokio::select! {
                        () = stop.cancelled() => return,
                        broken = self.receive(answers.into_inner()) => {
                            tracing::warn!(status = ?broken.map(|status| status.code()), "the stream to the engine broke");
                        }
                    }
                    self.disconnected();
                }
                Err(status) => {
                    tracing::warn!(status = ?status.code(), "the engine does not take a stream");
                    self.expire();
                }
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(RECONNECT_AFTER_MAX),
            }
        }
    }

    /// Hands out answers until the stream ends, with the status if there is one.
    async fn receive(&self, mut answers: Streaming<PlayStreamResponse>) -> Option<Status> {
        let mut deadlines = tokio::time::interval(DEADLINES_EVERY);
        loop {
            tokio::select! {
                answer = answers.message() => match answer {
                    Ok(Some(answer)) => self.answered(answer),
                    Ok(None) => return None,
                    Err(status) => return Some(status),
                },
                _ = deadlines.tick() => self.expire(),
            }
        }
    }

    /// Whether there is a stream to the engine.
    pub(crate) fn is_connected(&self) -> bool {
        self.state().stream.is_some()
    }

    fn answered(&self, answer: PlayStreamResponse) {
        // An answer without its question came after the deadline, or twice.
        let Some(pending) = self.state().pending.remove(&answer.tag) else { return };
        pending.finish(match answer.result {
            Some(Answered::Response(response)) => Ok(response.revision),
            Some(Answered::Refusal(refusal)) => Err(problem(refusal)),
            None => Err(Problem::new(Code::Internal, "something went wrong on our side; try again")),
        });
    }

    fn connected(&self, stream: mpsc::Sender<PlayStreamRequest>) {
        let mut state = self.state();
        for (tag, pending) in &mut state.pending {
            pending.send(*tag, &stream);
        }
        state.stream = Some(stream);
    }

    fn disconnected(&self) {
        let mut state = self.state();
        state.stream = None;
        for (_, pending) in state.pending.extract_if(.., |_, pending| pending.sends >= SENDS_MAX) {
            pending.finish(Err(no_answer()));
        }
    }

    fn expire(&self) {
        let now = Instant::now();
        let mut state = self.state();
        while state.pending.first_key_value().is_some_and(|(_, oldest)| oldest.deadline <= now) {
            if let Some((_, oldest)) = state.pending.pop_first() {
                oldest.finish(Err(no_answer()));
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    /// A stream that is full or broken leaves the action to the next stream, or to its deadline.
    fn send(&mut self, tag: u64, stream: &mpsc::Sender<PlayStreamRequest>) {
        let message = PlayStreamRequest { tag, request: Some(self.request.clone()) };
        if stream.try_send(message).is_ok() {
            self.sends += 1;
        }
    }

    fn finish(self, result: Result<u32>) {
        let answer = Answer { id: self.id, table: self.table, request: self.request, result };
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
