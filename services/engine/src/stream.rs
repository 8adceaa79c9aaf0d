//! Many actions on one stream: answers in any order, one table's requests in order, and a bound on
//! what is under way.
//!
//! One task drives a whole stream. A request's future is polled before the next request is read, so
//! requests of one table queue for its lock in the order in which they came; a table that has to be
//! loaded first holds up nobody else.

use crate::pulse::Arrival;
use crate::tables::Tables;
use crate::wire;
use astragal_proto::engine::v1::play_stream_response::Result as Answer;
use astragal_proto::engine::v1::{
    PlayRefusal, PlayRequest, PlayResponse, PlayStreamRequest, PlayStreamResponse,
};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::telemetry::context::TraceContext;
use astragal_runtime::telemetry::span;
use futures::stream::FuturesUnordered;
use futures::{Stream, StreamExt};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::Status;

/// The most requests of one stream that are under way.
pub const IN_FLIGHT_MAX: usize = 1_024;

/// The answers that wait for a slow reader; when there is no room for more, no request is read.
pub(crate) const ANSWERS_MAX: usize = 2 * IN_FLIGHT_MAX;

/// What travels back.
pub(crate) type Answers = mpsc::Sender<std::result::Result<PlayStreamResponse, Status>>;

/// Serves a stream until it ends or the process stops; what is under way is answered first.
pub(crate) async fn serve(
    tables: Arc<Tables>,
    mut requests: impl Stream<Item = std::result::Result<PlayStreamRequest, Status>> + Unpin,
    answers: Answers,
    stop: CancellationToken,
) {
    let mut stopped = std::pin::pin!(stop.cancelled());
    let mut under_way = FuturesUnordered::new();
    let mut open = true;
    loop {
        // Whatever is under way has room for its answer, so sending one never waits.
        let room = answers.capacity() > under_way.len();
        tokio::select! {
            biased;
            Some(answer) = under_way.next() => send(&answers, answer),
            () = &mut stopped, if open => open = false,
            request = requests.next(), if open && room => match request {
                Some(Ok(asked)) if under_way.len() < IN_FLIGHT_MAX => {
                    let arrival = tables.pulse.arrival();
                    under_way.push(answer(Arc::clone(&tables), asked, arrival));
                }
                Some(Ok(asked)) => {
                    let why = "too many requests are under way; send it again when one is answered";
                    send(&answers, answer_of(&tables, asked.tag, Err(Problem::unavailable(why))));
                }
                Some(Err(_)) | None => open = false,
            },
            read = answers.reserve(), if open && !room && under_way.is_empty() => open = read.is_ok(),
            else => break,
        }
    }
    if stop.is_cancelled() {
        let why = "this process stops; send what is unanswered to another one";
        let _ = answers.try_send(Err(Problem::unavailable(why).into()));
    }
}

fn send(answers: &Answers, answer: PlayStreamResponse) {
    // It fails only when the reader is gone, who then asks again elsewhere.
    let _ = answers.try_send(Ok(answer));
}

async fn answer(tables: Arc<Tables>, asked: PlayStreamRequest, arrival: Arrival) -> PlayStreamResponse {
    let caller = asked.trace.as_ref().and_then(TraceContext::of_wire);
    let span = tables.tracer.serve("play", caller);
    let played = span.run(play(&tables, asked.request, arrival), span::code_of).await;
    answer_of(&tables, asked.tag, played)
}

async fn play(tables: &Tables, request: Option<PlayRequest>, arrival: Arrival) -> Result<u32> {
    let request = request.ok_or_else(|| Problem::invalid_argument("the message has no request"))?;
    tables.play(wire::command(request, arrival)?).await
}

fn answer_of(tables: &Tables, tag: u64, played: Result<u32>) -> PlayStreamResponse {
    let result = match played {
        Ok(revision) => Answer::Response(PlayResponse { revision }),
        Err(Problem { code, message }) => {
            tables.metrics.errors.count(code);
            Answer::Refusal(PlayRefusal { code: code.as_str().to_owned(), message })
        }
    };
    PlayStreamResponse { tag, result: Some(result) }
}
