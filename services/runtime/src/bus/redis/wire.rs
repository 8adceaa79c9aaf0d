//! The names of the channels, and messages as bytes: the protobuf form of the event alone, since the channel says its kind.

use std::sync::Arc;

use bytes::Bytes;
use prost::{DecodeError, Message as _};

use crate::bus::{Message, Topic};

/// The channels of one installation.
#[derive(Debug)]
pub(super) struct Channels {
    table: String,
    account: String,
    lobby: String,
    draw: String,
    /// On this channel a publisher says that it has lost messages.
    pub(super) gaps: String,
}

impl Channels {
    pub(super) fn new(prefix: &str) -> Self {
        Self {
            table: format!("{prefix}:table:"),
            account: format!("{prefix}:account:"),
            lobby: format!("{prefix}:lobby"),
            draw: format!("{prefix}:draw:"),
            gaps: format!("{prefix}:gaps"),
        }
    }

    /// The channel of a topic.
    pub(super) fn of(&self, topic: Topic) -> String {
        match topic {
            Topic::Table(table) => format!("{}{table}", self.table),
            Topic::Account(account) => format!("{}{account}", self.account),
            Topic::Lobby => self.lobby.clone(),
            Topic::Draw(game) => format!("{}{game}", self.draw),
        }
    }

    /// The topic of a channel.
    pub(super) fn topic(&self, channel: &str) -> Option<Topic> {
        if let Some(table) = channel.strip_prefix(&self.table) {
            table.parse().ok().map(Topic::Table)
        } else if let Some(account) = channel.strip_prefix(&self.account) {
            account.parse().ok().map(Topic::Account)
        } else if let Some(game) = channel.strip_prefix(&self.draw) {
            game.parse().ok().map(Topic::Draw)
        } else {
            (channel == self.lobby).then_some(Topic::Lobby)
        }
    }
}

/// A message as bytes.
pub(super) fn encode(message: &Message) -> Vec<u8> {
    match message {
        Message::Table(event) => event.encode_to_vec(),
        Message::Account(event) => event.encode_to_vec(),
        Message::Lobby(event) => event.encode_to_vec(),
        Message::Draw(event) => event.encode_to_vec(),
    }
}

/// The message of a topic.
pub(super) fn decode(topic: Topic, bytes: Bytes) -> Result<Message, DecodeError> {
    Ok(match topic {
        Topic::Table(_) => Message::Table(Arc::new(prost::Message::decode(bytes)?)),
        Topic::Account(_) => Message::Account(Arc::new(prost::Message::decode(bytes)?)),
        Topic::Lobby => Message::Lobby(Arc::new(prost::Message::decode(bytes)?)),
        Topic::Draw(_) => Message::Draw(Arc::new(prost::Message::decode(bytes)?)),
    })
}
