//! A signed-in socket: one loop over everything that can happen to it.
//!
//! Operations are awaited in line, so their answers come before their events; actions at a table are not, so that
//! a client may send the next one before the last is committed. All frames leave through this task, in its order.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use astragal_proto::gateway::v1::Draining;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::telemetry::span;
use tokio::time::{Instant, MissedTickBehavior};

use super::hello::SignedIn;
use super::outbox::{Inbox, Mail};
use super::seen::{Seen, Started};
use super::wire::{Ending, Incoming, Wire};
use crate::gateway::Gateway;

/// Intervals of the ping after which a silent client counts as gone.
const SILENT_PINGS_MAX: u32 = 3;

/// A client comes back between one and six seconds after `draining`.
const RECONNECT_AFTER: Duration = Duration::from_secs(1);
const RECONNECT_SPREAD_MS: u64 = 5_000;

/// A signed-in socket.
pub(super) struct Session {
    pub(super) gateway: Gateway,
    pub(super) wire: Wire,
    inbox: Inbox,
    pub(super) account: AccountId,
    /// Of which of the account's epochs of sessions it is.
    pub(super) epoch: u32,
    /// When the token runs out that it said hello with.
    expires_at: Timestamp,
    pub(super) tables: HashMap<TableId, Seen>,
    pub(super) started: Started,
    /// The game whose open games are watched; empty: every game.
    pub(super) lobby: Option<String>,
    /// Actions that are not answered yet.
    pub(super) acting: usize,
    /// The gateway stops.
    draining: bool,
    /// When it came to the doors.
    pub(super) came: Instant,
}

impl Session {
    pub(super) fn new(gateway: Gateway, wire: Wire, inbox: Inbox, who: &SignedIn) -> Self {
        Self {
            gateway,
            wire,
            inbox,
            account: who.account,
            epoch: who.epoch,
            expires_at: who.expires_at,
            tables: HashMap::new(),
            started: Started::default(),
            lobby: None,
            acting: 0,
            draining: false,
            came: Instant::now(),
        }
    }

    /// Serves the socket until it ends.
    pub(super) async fn run(&mut self, hello: &str) -> Ending {
        let ending = match self.greet(hello).await {
            Ok(()) => self.serve().await,
            Err(ending) => ending,
        };
        let gateway = self.gateway.clone();
        Box::pin(gateway.doors().pass(self.depart())).await;
        ending
    }

    /// Takes the socket out of everything that it was part of.
    async fn depart(&mut self) {
        let socket = self.wire.outbox.socket();
        let hub = self.gateway.hub();
        for table in std::mem::take(&mut self.tables).into_keys() {
            hub.unwatch(table, socket).await;
        }
        if self.lobby.is_some() {
            hub.unwatch_lobby(socket).await;
        }
        hub.leave(self.account, socket).await;
    }

    /// Gives the socket back, to say goodbye.
    pub(super) fn into_wire(self) -> Wire {
        self.wire
    }

    async fn greet(&mut self, hello: &str) -> std::result::Result<(), Ending> {
        let span = self.gateway.tracer().serve("frame hello", None);
        let gateway = self.gateway.clone();
        let welcome = span.run(self.welcome(), span::code_of);
        match Box::pin(gateway.doors().pass(welcome)).await {
            Ok(welcome) => {
                self.answer(hello, welcome).await?;
                self.wire.ping().await?;
                self.wire.flush().await
            }
            Err(problem) => {
                let ending = match problem.code {
                    Code::Unauthenticated => Ending::Close(1008, "this session doesn't count; sign in again"),
                    _ => Ending::Close(1013, "the session could not begin; try again"),
                };
                self.refuse(Some(hello), problem).await?;
                self.wire.flush().await?;
                Err(ending)
            }
        }
    }

    /// The loop; returns why it ended.
    async fn serve(&mut self) -> Ending {
        let interval = self.gateway.settings().ping_interval;
        let mut ping = tokio::time::interval_at(Instant::now() + interval, interval);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut silent = 0;
        // A socket that joined after the others were told to drain finds it out by itself.
        self.draining |= self.gateway.sockets().is_stopping();
        loop {
            if self.draining {
                return self.drain().await.unwrap_or_else(|ending| ending);
            }
            if self.wire.outbox.has_overflowed() {
                return Ending::Slow;
            }
            let done = tokio::select! {
                biased;
                mail = self.inbox.take() => self.deliver(mail).await,
                incoming = self.wire.read() => match incoming {
                    Ok(incoming) => {
                        silent = 0;
                        self.hear(incoming).await
                    }
                    Err(ending) => Err(ending),
                },
                _ = ping.tick() => {
                    silent += 1;
                    self.ping(silent).await
                }
            };
            let done = match done {
                Ok(()) => self.wire.flush().await,
                Err(ending) => Err(ending),
            };
            if let Err(ending) = done {
                return ending;
            }
        }
    }

    async fn hear(&mut self, incoming: Option<Incoming>) -> std::result::Result<(), Ending> {
        match incoming {
            None => Ok(()),
            Some(Ok((id, operation))) => {
                self.gateway.metrics().frames.inc();
                self.operate(id, operation).await
            }
            Some(Err(unreadable)) => {
                self.refuse(unreadable.id.as_deref(), Problem::invalid_argument(unreadable.reason)).await
            }
        }
    }

    async fn ping(&mut self, silent: u32) -> std::result::Result<(), Ending> {
        if silent > SILENT_PINGS_MAX {
            return Err(Ending::Close(1001, "the client is silent"));
        }
        if self.gateway.now() >= self.expires_at {
            return Err(Ending::Close(1008, "the session has expired; renew it before and say hello again"));
        }
        Box::pin(self.end_lingering()).await;
        self.wire.ping().await
    }

    async fn deliver(&mut self, batch: VecDeque<Mail>) -> std::result::Result<(), Ending> {
        for mail in batch {
            match mail {
                Mail::News(news) => {
                    let table = news.table;
                    if let Some(seen) = self.tables.get_mut(&table) {
                        seen.hold(news);
                        self.tell(table).await?;
                    }
                }
                Mail::Answer(answer) => self.acted(*answer).await?,
                Mail::Frame(frame) => self.wire.feed(*frame).await?,
                Mail::Event(event) => self.wire.feed(self.wire.format.event(*event)).await?,
                Mail::NextGame(led) => Box::pin(self.lead(led.0, led.1)).await?,
                Mail::Started(table) => Box::pin(self.start(table)).await?,
                Mail::Reload(table) => Box::pin(self.reload(table)).await?,
                Mail::SessionEnded => {
                    return Err(Ending::Close(1008, "this session was ended; sign in again"));
                }
                Mail::Drain => self.draining = true,
                Mail::Recheck => Box::pin(self.recheck()).await?,
            }
        }
        Ok(())
    }

    /// Sends the news of a table whose turn it is.
    pub(super) async fn tell(&mut self, table: TableId) -> std::result::Result<(), Ending> {
        let Some(seen) = self.tables.get_mut(&table) else { return Ok(()) };
        let mut over = false;
        while let Some(news) = seen.next() {
            for frame in [&news.frame, &news.end].into_iter().flatten() {
                self.wire.feed(frame.clone()).await?;
            }
            over |= news.end.is_some();
        }
        if over {
            self.linger(table).await;
        }
        Ok(())
    }

    /// Says that the gateway stops, and then only what is still due: the answers of the actions under way.
    async fn drain(&mut self) -> std::result::Result<Ending, Ending> {
        let spread = self.wire.outbox.socket().wrapping_mul(1_103) % RECONNECT_SPREAD_MS;
        let after = RECONNECT_AFTER + Duration::from_millis(spread);
        let draining = Event::Draining(Draining { reconnect_after: Some(after.into()) });
        self.wire.feed(self.wire.format.event(draining)).await?;
        self.wire.flush().await?;
        let patience = self.gateway.settings().drain_max;
        let rest = async {
            while self.acting > 0 {
                let mail = self.inbox.take().await;
                self.deliver(mail).await?;
                self.wire.flush().await?;
            }
            Ok(())
        };
        // Whatever is not answered by then is answered when the client sends it again.
        tokio::time::timeout(patience, rest).await.unwrap_or(Ok(()))?;
        Ok(Ending::Close(1001, "this gateway stops; come back in a moment"))
    }

    /// Writes an answer. Not async itself: the event is encoded at once, so that no socket keeps room for one.
    pub(super) fn answer(
        &mut self,
        id: &str,
        event: Event,
    ) -> impl Future<Output = std::result::Result<(), Ending>> {
        self.wire.feed(self.wire.format.answer(id, event))
    }

    pub(super) fn refuse(
        &mut self,
        id: Option<&str>,
        problem: Problem,
    ) -> impl Future<Output = std::result::Result<(), Ending>> {
        self.refused(&problem);
        self.wire.feed(self.wire.format.error(id, problem))
    }

    pub(super) fn answer_or_refuse(
        &mut self,
        id: &str,
        answer: Result<Event>,
    ) -> impl Future<Output = std::result::Result<(), Ending>> {
        let message = match answer {
            Ok(event) => self.wire.format.answer(id, event),
            Err(problem) => {
                self.refused(&problem);
                self.wire.format.error(Some(id), problem)
            }
        };
        self.wire.feed(message)
    }

    fn refused(&self, problem: &Problem) {
        self.gateway.metrics().errors.count(problem.code);
        span::fail(problem.code);
    }
}
