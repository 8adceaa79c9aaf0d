//! A client that was generated from the protocol of the build before rematches, in text and in binary
//! frames. It knows that protocol alone, and what it doesn't know it ignores.

use crate::finished::Finished;
use anyhow::{Context, Result, bail, ensure};
use astragal_tests::client::Wire;
use astragal_tests::http::{Http, host_of};
use astragal_tests::server::Server;
use futures::{SinkExt, StreamExt};
use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

const PROTOCOL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/protocol-2026-11-29");
/// How long the next frame may take.
const WAIT_MAX: Duration = Duration::from_mins(1);

/// Doubles without a fraction as whole numbers, as the languages of clients print them.
fn whole_numbers(json: Value) -> Value {
    match json {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "content of kalah is small")]
            Some(double) if double.fract() == 0.0 => Value::from(double as i64),
            _ => Value::Number(number),
        },
        Value::Array(values) => values.into_iter().map(whole_numbers).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, whole_numbers(value))).collect(),
        other => other,
    }
}

struct OlderClient {
    socket: WebSocketStream<TcpStream>,
    wire: Wire,
    client_frame: MessageDescriptor,
    server_frame: MessageDescriptor,
    events: VecDeque<Value>,
    frames_sent: u32,
    /// Whether a text frame had fields that came after this client.
    has_met_unknown: bool,
}

impl OlderClient {
    async fn enter(url: &str, name: &str, wire: Wire) -> Result<Self> {
        let set = protox::compile(["astragal/gateway/v1/frames.proto"], [PROTOCOL])?;
        let pool = DescriptorPool::from_file_descriptor_set(set)?;
        let descriptor = |name| pool.get_message_by_name(name).context("a protocol without frames");
        let host = host_of(url)?;
        let mut request = format!("ws://{host}/v1/ws").into_client_request()?;
        let subprotocol = if wire == Wire::Json { "astragal.v1.json" } else { "astragal.v1.proto" };
        request.headers_mut().insert("sec-websocket-protocol", subprotocol.parse()?);
        let (socket, _response) =
            tokio_tungstenite::client_async(request, TcpStream::connect(host).await?).await?;
        let mut client = Self {
            socket,
            wire,
            client_frame: descriptor("astragal.gateway.v1.ClientFrame")?,
            server_frame: descriptor("astragal.gateway.v1.ServerFrame")?,
            events: VecDeque::new(),
            frames_sent: 0,
            has_met_unknown: false,
        };
        let guest = Http::connect(url).await?.sign_up(name).await?;
        let welcome = client.call(json!({ "hello": { "token": guest.token } })).await?;
        ensure!(welcome["welcome"]["name"] == name, "{welcome}");
        Ok(client)
    }

    /// Sends an operation and waits for its answer; a refusal is an error.
    async fn call(&mut self, operation: Value) -> Result<Value> {
        self.frames_sent += 1;
        let id = format!("019343f0-0000-7000-8000-{:012}", self.frames_sent);
        let mut frame = operation.clone();
        frame["id"] = id.as_str().into();
        let frame = DynamicMessage::deserialize(self.client_frame.clone(), frame)?;
        self.socket
            .send(match self.wire {
                Wire::Json => Message::text(whole_numbers(serde_json::to_value(&frame)?).to_string()),
                Wire::Binary => Message::binary(frame.encode_to_vec()),
            })
            .await?;
        loop {
            let frame = self.receive().await?;
            if frame["replyTo"] == id.as_str() {
                ensure!(frame.get("error").is_none(), "{operation} was refused: {frame}");
                return Ok(frame);
            }
            ensure!(frame.get("replyTo").is_none(), "an answer to nobody: {frame}");
            self.events.push_back(frame);
        }
    }

    async fn event(&mut self) -> Result<Value> {
        match self.events.pop_front() {
            Some(event) => Ok(event),
            None => self.receive().await,
        }
    }

    /// The next event of a name; others before it are dropped.
    async fn event_named(&mut self, name: &str) -> Result<Value> {
        loop {
            if let Some(event) = self.event().await?.get_mut(name) {
                return Ok(event.take());
            }
        }
    }

    /// Reads one frame by the older descriptors, as JSON in which nothing is left out.
    async fn receive(&mut self) -> Result<Value> {
        let descriptor = self.server_frame.clone();
        let frame = loop {
            let message = tokio::time::timeout(WAIT_MAX, self.socket.next());
            let message = message.await.context("the server said nothing for too long")?;
            match (self.wire, message.context("the server closed the connection")??) {
                (_, Message::Ping(_) | Message::Pong(_)) => {}
                (Wire::Json, Message::Text(text)) => {
                    let json: Value = serde_json::from_str(&text)?;
                    self.has_met_unknown |= DynamicMessage::deserialize(descriptor.clone(), &json).is_err();
                    let options = DeserializeOptions::new().deny_unknown_fields(false);
                    break DynamicMessage::deserialize_with_options(descriptor, &json, &options)?;
                }
                (Wire::Binary, Message::Binary(bytes)) => break DynamicMessage::decode(descriptor, bytes)?,
                (_, other) => bail!("no frame of this subprotocol: {other:?}"),
            }
        };
        let options = SerializeOptions::new().skip_default_fields(false);
        Ok(whole_numbers(frame.serialize_with_options(serde_json::value::Serializer, &options)?))
    }

    /// The table as it stands.
    async fn watch(&mut self, game_id: &Value) -> Result<Value> {
        Ok(self.call(json!({ "watch": { "gameId": game_id } })).await?["table"].take())
    }
}

/// A seat of one of them: the table with all that has come since.
struct Seat<'a> {
    client: &'a mut OlderClient,
    table: Value,
    end: Option<Value>,
}

impl<'a> Seat<'a> {
    async fn at(client: &'a mut OlderClient, game_id: &Value) -> Result<Self> {
        let table = client.watch(game_id).await?;
        Ok(Self { client, table, end: None })
    }

    fn is_to_move(&self) -> bool {
        self.table["toMove"].as_array().is_some_and(|seats| seats.contains(&self.table["yourSeat"]))
    }

    /// Takes the next event in, if it is news of this table.
    async fn follow(&mut self) -> Result<()> {
        let mut event = self.client.event().await?;
        for name in ["onGameUpdate", "onSeatTaken", "onClock", "onGameEnd"] {
            let Some(news) = event.get_mut(name).filter(|news| news["gameId"] == self.table["gameId"]) else {
                continue;
            };
            if name == "onGameEnd" {
                ensure!(news["revision"] == self.table["revision"], "{news}");
                self.end = Some(news.take());
            } else if news["revision"].as_u64() > self.table["revision"].as_u64() {
                ensure!(
                    news["revision"].as_u64() == self.table["revision"].as_u64().map(|now| now + 1),
                    "{news}"
                );
                self.table["revision"] = news["revision"].take();
                if name == "onGameUpdate" {
                    for field in ["view", "toMove", "legalMoves"] {
                        self.table[field] = news[field].take();
                    }
                }
            }
            return Ok(());
        }
        Ok(())
    }

    /// Makes the last of the legal moves.
    async fn make_move(&mut self) -> Result<()> {
        let content = self.table["legalMoves"].as_array().and_then(|moves| moves.last());
        let content = content.context("to move without a legal move")?;
        let (game_id, revision) = (&self.table["gameId"], &self.table["revision"]);
        let operation = json!({ "move": { "gameId": game_id, "revision": revision, "move": content } });
        let ack = self.client.call(operation).await?["ack"].take();
        while self.table["revision"].as_u64() < ack["revision"].as_u64() {
            self.follow().await?;
        }
        Ok(())
    }
}

/// Two of them, and a game that both sit at.
struct Pair {
    clients: [OlderClient; 2],
    game_id: Value,
}

impl Pair {
    async fn at(url: &str) -> Result<Self> {
        let ada = OlderClient::enter(url, "Ada", Wire::Json).await?;
        let blaise = OlderClient::enter(url, "Blaise", Wire::Binary).await?;
        let mut pair = Self { clients: [ada, blaise], game_id: Value::Null };
        pair.begin().await?;
        Ok(pair)
    }

    /// One opens a game and the other joins.
    async fn begin(&mut self) -> Result<()> {
        let [ada, blaise] = &mut self.clients;
        let searching = ada.call(json!({ "newFriendGame": { "game": "kalah" } })).await?["searching"].take();
        self.game_id = searching["gameId"].clone();
        let joined = blaise.call(json!({ "joinGame": { "gameId": self.game_id } })).await?;
        ensure!(joined["onGameStart"]["table"]["gameId"] == self.game_id, "{joined}");
        Ok(())
    }

    /// Plays the game to its end; the table of one of them as it was first, the last view, and the end.
    async fn play(&mut self) -> Result<(Value, Value, Value)> {
        let [one, other] = &mut self.clients;
        let mut seats = [Seat::at(one, &self.game_id).await?, Seat::at(other, &self.game_id).await?];
        let table = seats[0].table.clone();
        while seats.iter().any(|seat| seat.end.is_none()) {
            if let Some(mover) = seats.iter().position(Seat::is_to_move) {
                seats[mover].make_move().await?;
                let revision = seats[mover].table["revision"].as_u64();
                while seats[1 - mover].table["revision"].as_u64() < revision {
                    seats[1 - mover].follow().await?;
                }
            } else {
                for seat in seats.iter_mut().filter(|seat| seat.end.is_none()) {
                    seat.follow().await?;
                }
            }
        }
        let [one, other] = seats;
        ensure!(one.end == other.end && one.table["view"] == other.table["view"], "they saw two ends");
        Ok((table, one.table["view"].clone(), one.end.context("no end")?))
    }

    /// One asks for a rematch and the other accepts.
    async fn rematch(&mut self, asker: usize) -> Result<()> {
        let operation = json!({ "rematch": { "gameId": self.game_id } });
        let ack = self.clients[asker].call(operation.clone()).await?["ack"].take();
        let request = self.clients[1 - asker].event_named("onRematchRequest").await?;
        ensure!(request["gameId"] == self.game_id && request["expiresAt"] == ack["expiresAt"], "{request}");
        ensure!(request["expiresAt"].is_string(), "{request}");
        let accepted = self.clients[1 - asker].call(operation).await?["onGameStart"]["table"].take();
        let started = self.clients[asker].event_named("onGameStart").await?["table"].take();
        ensure!(started["gameId"] == accepted["gameId"] && started["gameId"] != self.game_id, "{started}");
        self.game_id = started["gameId"].clone();
        Ok(())
    }
}

#[tokio::test]
async fn r5_g1_older_clients_play_a_game_a_rematch_and_a_series_in_text_and_binary() -> Result<()> {
    let server = Server::start()?;
    let mut pair = Pair::at(server.url()).await?;
    // The draw of a game that was aborted stands, and the next one says so in a field that they don't know.
    pair.clients[0].call(json!({ "abortGame": { "gameId": pair.game_id } })).await?;
    pair.begin().await?;
    pair.clients[0].watch(&pair.game_id).await?;
    ensure!(pair.clients[0].has_met_unknown, "nothing was new to them, so nothing was ignored");

    let mut http = Http::connect(server.url()).await?;
    let mut played: Vec<Value> = Vec::new();
    let (mut series_id, mut first_seat) = (Value::Null, Value::Null);
    for game in 0..3 {
        let (table, view, end) = pair.play().await?;
        ensure!(table["series"]["games"] == Value::from(played.clone()), "{table}");
        if game > 0 {
            ensure!(table["series"]["id"] == series_id, "another series: {table}");
            ensure!(table["firstSeat"] != first_seat, "the first seat did not move on: {table}");
        }
        (series_id, first_seat) = (table["series"]["id"].clone(), table["firstSeat"].clone());

        let outcome = &end["outcome"];
        ensure!(outcome["reason"] == "finished" && outcome["scores"] == view["stores"], "{end} {view}");
        ensure!(end["rematch"] == "available" && end["rematchUntil"].is_string(), "{end}");
        let mut entry = json!({ "gameId": pair.game_id, "firstSeat": first_seat, "reason": "finished" });
        entry["scores"] = outcome["scores"].clone();
        if let Some(winner) = outcome.get("winner") {
            entry["winner"] = winner.clone();
        }
        played.push(entry);
        ensure!(end["series"] == json!({ "id": series_id, "games": played }), "{end}");

        let commitment = table["commitment"].as_str().context("no commitment")?;
        let id = pair.game_id.as_str().context("no id")?;
        let finished = Finished::download(&mut http, id, commitment).await?;
        ensure!(finished.view == view, "the log replays to another board");
        if game < 2 {
            pair.rematch(game).await?;
        }
    }
    Ok(())
}
