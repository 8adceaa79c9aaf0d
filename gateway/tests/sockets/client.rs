//! A client of text frames.

use std::net::SocketAddr;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

pub(crate) struct Client(WebSocketStream<TcpStream>);

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        Self(tokio_tungstenite::client_async(format!("ws://{address}/v1/ws"), stream).await.unwrap().0)
    }

    /// Asks for a connection through a proxy that says from where; the status of the answer.
    pub(crate) async fn knock(address: SocketAddr, from: &str) -> u16 {
        let stream = TcpStream::connect(address).await.unwrap();
        let mut request = format!("ws://{address}/v1/ws").into_client_request().unwrap();
        request.headers_mut().insert("x-forwarded-for", from.parse().unwrap());
        match tokio_tungstenite::client_async(request, stream).await {
            Ok((_, response)) => response.status().as_u16(),
            Err(Error::Http(response)) => response.status().as_u16(),
            Err(other) => panic!("no answer: {other}"),
        }
    }

    /// Sends an operation, an object with one key, under an id.
    pub(crate) async fn send(&mut self, id: &str, mut operation: Value) {
        operation["id"] = id.into();
        self.0.send(Message::text(operation.to_string())).await.unwrap();
    }

    /// Sends a frame that this subprotocol doesn't have, so that the gateway closes the socket.
    pub(crate) async fn break_protocol(&mut self) {
        self.0.send(Message::binary(vec![0])).await.unwrap();
    }

    /// Sends a frame of so many bytes.
    pub(crate) async fn send_bulk(&mut self, bytes: usize) {
        self.0.send(Message::text("x".repeat(bytes))).await.unwrap();
    }

    /// For how long the connection stands after something came, if this side answers nothing.
    pub(crate) async fn stands_after_last_word(&mut self) -> Duration {
        let (mut buffer, mut heard_at) = ([0; 1_024], None);
        // It may end by a reset, since the gateway has not read what it can't.
        while let Ok(1..) = self.0.get_mut().read(&mut buffer).await {
            heard_at.get_or_insert_with(Instant::now);
        }
        heard_at.unwrap().elapsed()
    }

    /// The next frame.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(close) => panic!("closed: {close:?}"),
                _ => {}
            }
        }
    }

    /// The next answer; events before it are dropped.
    pub(crate) async fn next_answer(&mut self) -> Value {
        loop {
            let frame = self.next().await;
            if frame.get("replyTo").is_some() {
                return frame;
            }
        }
    }

    /// Whether the opponent came or went; all other frames are dropped.
    pub(crate) async fn next_presence(&mut self) -> bool {
        loop {
            let frame = self.next().await;
            if let Some(change) = frame.get("onPresence") {
                return change["online"] == true;
            }
        }
    }

    /// The next number of viewers; all other frames are dropped.
    pub(crate) async fn next_viewers(&mut self) -> u64 {
        loop {
            if let Some(change) = self.next().await.get("onViewers") {
                return change["viewers"].as_u64().unwrap();
            }
        }
    }

    /// Reads until the gateway closes the socket.
    pub(crate) async fn close_code(&mut self) -> u16 {
        loop {
            if let Message::Close(close) = self.0.next().await.unwrap().unwrap() {
                return close.unwrap().code.into();
            }
        }
    }
}
