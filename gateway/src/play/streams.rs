//! The streams to the engines: one to each that there is, opened again whenever it breaks.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use astragal_proto::engine::v1::PlayStreamResponse;
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_runtime::channel::Member;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use super::PlayLink;
use crate::roles::Roles;

const RECONNECT_AFTER: Duration = Duration::from_millis(50);
const RECONNECT_AFTER_MAX: Duration = Duration::from_secs(1);
const DEADLINES_EVERY: Duration = Duration::from_millis(500);
/// How long an engine may take to accept a stream.
const ACCEPT_MAX: Duration = Duration::from_secs(3);

impl PlayLink {
    /// Keeps a stream open to every engine and hands out the answers, until `stop`.
    pub(crate) async fn run(&self, roles: &Roles, stop: &CancellationToken) {
        let mut engines = roles.engines();
        let mut running: HashMap<String, CancellationToken> = HashMap::new();
        let mut streams = JoinSet::new();
        let mut deadlines = tokio::time::interval(DEADLINES_EVERY);
        let mut unknown = false;
        loop {
            let now = engines.borrow_and_update().clone();
            running.retain(|name, stop| {
                let stays = now.iter().any(|engine| engine.name() == name);
                if !stays {
                    stop.cancel();
                }
                stays
            });
            for engine in now.iter() {
                running.entry(engine.name().to_owned()).or_insert_with(|| {
                    let end = stop.child_token();
                    let (link, engine, ended) = (self.clone(), engine.clone(), end.clone());
                    streams.spawn(async move { link.keep_open(engine, &ended).await });
                    end
                });
            }
            loop {
                tokio::select! {
                    () = stop.cancelled() => {
                        streams.join_all().await;
                        return;
                    }
                    changed = engines.changed(), if !unknown => {
                        // Engines that are never looked up again stay as they are.
                        unknown = changed.is_err();
                        break;
                    }
                    Some(_ended) = streams.join_next() => {}
                    _ = deadlines.tick() => self.expire(),
                }
            }
        }
    }

    /// Keeps the stream to one engine open.
    async fn keep_open(&self, engine: Arc<Member>, stop: &CancellationToken) {
        let mut pause = RECONNECT_AFTER;
        let mut reported = false;
        loop {
            match self.open(&engine, stop).await {
                Opened::Stopped => return,
                Opened::Broke(status) => {
                    let code = status.map(|status| status.code());
                    tracing::warn!(engine = engine.name(), status = ?code, "the stream to an engine broke");
                    (pause, reported) = (RECONNECT_AFTER, false);
                }
                Opened::Refused(status) => {
                    // Once, not at every attempt of a long absence.
                    if !reported {
                        tracing::warn!(engine = engine.name(), status = ?status.code(), "an engine takes no stream");
                    }
                    reported = true;
                }
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(RECONNECT_AFTER_MAX),
            }
        }
    }

    /// Opens a stream and follows it to its end.
    async fn open(&self, engine: &Arc<Member>, stop: &CancellationToken) -> Opened {
        let (sender, receiver) = mpsc::channel(2 * self.in_flight_max);
        let mut client = EngineServiceClient::new(engine.channel());
        let opening = tokio::time::timeout(ACCEPT_MAX, client.play_stream(ReceiverStream::new(receiver)));
        let answers = tokio::select! {
            () = stop.cancelled() => return Opened::Stopped,
            opened = opening => match opened {
                Ok(Ok(answers)) => answers.into_inner(),
                Ok(Err(status)) => return Opened::Refused(status),
                Err(_) => return Opened::Refused(Status::deadline_exceeded("no answer")),
            },
        };
        self.connected(engine.clone(), sender);
        let end = tokio::select! {
            () = stop.cancelled() => Opened::Stopped,
            broken = self.receive(answers) => Opened::Broke(broken),
        };
        self.disconnected(engine.name());
        end
    }

    /// Hands out answers until the stream ends, with the status if there is one.
    async fn receive(&self, mut answers: Streaming<PlayStreamResponse>) -> Option<Status> {
        loop {
            match answers.message().await {
                Ok(Some(answer)) => self.answered(answer),
                Ok(None) => return None,
                Err(status) => return Some(status),
            }
        }
    }
}

/// How an attempt to hold a stream ended.
enum Opened {
    Stopped,
    Broke(Option<Status>),
    Refused(Status),
}
