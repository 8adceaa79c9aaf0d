//! A client of the protocol over one WebSocket, in text or binary frames. It keeps answers and
//! events apart and in order, and can send anything at all. It knows no game.

use crate::ask;
use crate::http::{Guest, Http, host_of};
use anyhow::{Context, Result, bail};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{ClientFrame, Hello, ServerFrame, Welcome};
use futures::{SinkExt, StreamExt};
use prost::Message as _;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use uuid::Uuid;

/// How long an answer or an awaited event may take; a busy machine is slow.
const WAIT_MAX: Duration = Duration::from_mins(2);
/// How long something may be unavailable, and how often it is asked for again.
const UNAVAILABLE_MAX: Duration = Duration::from_mins(2);
const ASK_EVERY: Duration = Duration::from_millis(100);

/// The form of the frames, which the subprotocol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Text frames.
    Json,
    /// Binary frames.
    Binary,
}

impl Wire {
    const fn subprotocol(self) -> &'static str {
        match self {
            Self::Json => "astragal.v1.json",
            Self::Binary => "astragal.v1.proto",
        }
    }
}

/// The code of what may be done when it is asked for again.
const UNAVAILABLE: &str = "UNAVAILABLE";

/// An operation that the server refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of the closed set of codes.
    pub code: String,
    /// What was wrong.
    pub message: String,
}

/// What came back for an operation.
pub type Answer = std::result::Result<Event, Refusal>;

/// One socket of one account.
pub struct Client {
    socket: WebSocketStream<TcpStream>,
    wire: Wire,
    answers: HashMap<String, Event>,
    events: VecDeque<Event>,
    transcript: Option<Vec<Vec<u8>>>,
    closed: Option<u16>,
    gone: bool,
}

impl Client {
    /// Opens a socket, not yet signed in.
    pub async fn connect(url: &str, wire: Wire) -> Result<Self> {
        let host = host_of(url)?;
        let stream = TcpStream::connect(host).await.with_context(|| format!("nothing answers at {url}"))?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{host}/v1/ws").into_client_request()?;
        request.headers_mut().insert("sec-websocket-protocol", wire.subprotocol().parse()?);
        let (socket, _response) = tokio_tungstenite::client_async(request, stream).await?;
        Ok(Self {
            socket,
            wire,
            answers: HashMap::new(),
            events: VecDeque::new(),
            transcript: None,
            closed: None,
            gone: false,
        })
    }

    /// Opens a socket and signs an account in.
    pub async fn enter(url: &str, guest: &Guest, wire: Wire) -> Result<(Self, Welcome)> {
        let mut client = Self::connect(url, wire).await?;
        let welcome = client.hello(&guest.token).await?;
        Ok((client, welcome))
    }

    /// Signs a new guest up and opens a socket for them.
    pub async fn guest(url: &str, name: &str, wire: Wire) -> Result<(Self, Guest)> {
        let guest = Http::connect(url).await?.sign_up(name).await?;
        let (client, _welcome) = Self::enter(url, &guest, wire).await?;
        Ok((client, guest))
    }

    /// Signs in on an open socket.
    pub async fn hello(&mut self, token: &str) -> Result<Welcome> {
        // Who is refused is hung up on, so that there is nothing to insist on.
        match self.call(Operation::Hello(Hello { token: token.to_owned() })).await? {
            Ok(Event::Welcome(welcome)) => Ok(welcome),
            Ok(other) => bail!("hello was answered by {other:?}"),
            Err(refusal) => bail!("hello was refused: {refusal:?}"),
        }
    }

    /// Keeps every byte that comes in from now on, for a scan.
    pub fn keep_transcript(&mut self) {
        self.transcript = Some(Vec::new());
    }

    /// What came in since [`Client::keep_transcript`], a frame an element.
    pub fn transcript(&self) -> &[Vec<u8>] {
        self.transcript.as_deref().unwrap_or_default()
    }

    /// As [`Client::transcript`], which begins anew.
    pub fn take_transcript(&mut self) -> Vec<Vec<u8>> {
        self.transcript.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Sends an operation under a new id, which is returned.
    pub async fn send(&mut self, operation: Operation) -> Result<String> {
        #[expect(clippy::disallowed_methods, reason = "a client makes up its request ids itself")]
        let id = Uuid::now_v7().to_string();
        self.send_as(&id, operation).await?;
        Ok(id)
    }

    /// Sends an operation under a given id.
    pub async fn send_as(&mut self, id: &str, operation: Operation) -> Result<()> {
        let frame = ClientFrame { id: id.to_owned(), operation: Some(operation) };
        let message = match self.wire {
            Wire::Json => Message::text(serde_json::to_string(&frame)?),
            Wire::Binary => Message::binary(frame.encode_to_vec()),
        };
        self.send_raw(message).await
    }

    /// Sends any message, garbage too.
    pub async fn send_raw(&mut self, message: Message) -> Result<()> {
        let sent = self.socket.send(message).await;
        self.gone |= sent.is_err();
        Ok(sent?)
    }

    /// Waits for the answer to an id.
    pub async fn answer(&mut self, id: &str) -> Result<Answer> {
        loop {
            if let Some(event) = self.answers.remove(id) {
                return Ok(match event {
                    Event::Error(error) => Err(Refusal { code: error.code, message: error.message }),
                    event => Ok(event),
                });
            }
            self.receive().await?;
        }
    }

    /// Whether the server answers a ping in time; what else comes meanwhile is kept.
    pub async fn is_answered(&mut self, within: Duration) -> bool {
        matches!(tokio::time::timeout(within, self.call(ask::ping())).await, Ok(Ok(Ok(_))))
    }

    /// Sends an operation and waits for its answer.
    pub async fn call(&mut self, operation: Operation) -> Result<Answer> {
        let id = self.send(operation).await?;
        self.answer(&id).await
    }

    /// As [`Client::call`]. What is unavailable for a moment, as all may be on a busy machine, is sent again under the
    /// same id, which is what clients are told to do.
    pub async fn insist(&mut self, operation: Operation) -> Result<Answer> {
        let id = self.send(operation.clone()).await?;
        // In a box, since nearly every check holds one of these.
        Box::pin(self.insist_as(&id, operation)).await
    }

    /// The answer to an operation that was sent under an id, and is sent again while it is unavailable.
    pub async fn insist_as(&mut self, id: &str, operation: Operation) -> Result<Answer> {
        let (begin, mut pace) = (Instant::now(), tokio::time::interval(ASK_EVERY));
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            match self.answer(id).await? {
                Err(refusal) if refusal.code == UNAVAILABLE && begin.elapsed() < UNAVAILABLE_MAX => {
                    pace.tick().await;
                    self.send_as(id, operation.clone()).await?;
                }
                answer => return Ok(answer),
            }
        }
    }

    /// As [`Client::insist`]; a refusal is an error.
    pub async fn done(&mut self, operation: Operation) -> Result<Event> {
        let what = format!("{operation:?}");
        match self.insist(operation).await? {
            Ok(event) => Ok(event),
            Err(refusal) => bail!("{what} was refused: {refusal:?}"),
        }
    }

    /// As [`Client::call`]; anything but a refusal is an error.
    pub async fn refused(&mut self, operation: Operation) -> Result<Refusal> {
        let what = format!("{operation:?}");
        match self.call(operation).await? {
            Ok(event) => bail!("{what} was not refused: {event:?}"),
            Err(refusal) => Ok(refusal),
        }
    }

    /// The next event, in the order of arrival. Answers are no events.
    pub async fn event(&mut self) -> Result<Event> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            self.receive().await?;
        }
    }

    /// Events that have come and were not asked for yet.
    pub fn unread(&self) -> impl Iterator<Item = &Event> {
        self.events.iter()
    }

    /// Takes the events that have come, without waiting for more.
    pub fn take_unread(&mut self) -> VecDeque<Event> {
        std::mem::take(&mut self.events)
    }

    /// Whether the connection has ended, so that an error was no fault of a frame.
    pub const fn is_gone(&self) -> bool {
        self.gone
    }

    /// The next event that a function accepts; others before it are dropped.
    pub async fn event_where<T>(&mut self, mut pick: impl FnMut(Event) -> Option<T>) -> Result<T> {
        loop {
            if let Some(found) = pick(self.event().await?) {
                return Ok(found);
            }
        }
    }

    /// Reads until the server closes the socket; the close code.
    pub async fn close_code(&mut self) -> Result<u16> {
        while self.closed.is_none() {
            match self.receive().await {
                Ok(()) => {}
                Err(_) if self.closed.is_some() => {}
                Err(error) => return Err(error),
            }
        }
        self.closed.context("the socket closed without a code")
    }

    /// Closes the socket as a leaving browser does.
    pub async fn close(mut self) -> Result<()> {
        Ok(self.socket.close(None).await?)
    }

    /// Reads one frame and sorts it in. The server's pings are no news, and don't prolong the wait.
    async fn receive(&mut self) -> Result<()> {
        let message = tokio::time::timeout(WAIT_MAX, self.next_message());
        let message = message.await.context("the server said nothing for too long")??;
        let frame = match &message {
            Message::Text(text) => {
                serde_json::from_str(text).with_context(|| format!("unreadable: {text}"))?
            }
            Message::Binary(bytes) => ServerFrame::decode(bytes.clone())?,
            Message::Close(close) => {
                self.gone = true;
                self.closed = Some(close.as_ref().map_or(1005, |CloseFrame { code, .. }| (*code).into()));
                bail!("the server closed the socket: {close:?}");
            }
            other => bail!("no frame of the protocol: {other:?}"),
        };
        if message.is_text() != (self.wire == Wire::Json) {
            bail!("a frame of the other subprotocol: {message:?}");
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.push(message.into_data().to_vec());
        }
        self.sort(frame)
    }

    async fn next_message(&mut self) -> Result<Message> {
        loop {
            let message = self.socket.next().await;
            self.gone |= !matches!(message, Some(Ok(_)));
            let message = message.context("the server closed the connection")??;
            if !matches!(message, Message::Ping(_) | Message::Pong(_)) {
                return Ok(message);
            }
        }
    }

    fn sort(&mut self, frame: ServerFrame) -> Result<()> {
        let event = frame.event.context("a frame without an event")?;
        match frame.reply_to {
            Some(id) => {
                self.answers.insert(id, event);
            }
            None => self.events.push_back(event),
        }
        Ok(())
    }
}
