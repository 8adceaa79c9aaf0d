//! The names of the channels, and messages as bytes: the protobuf form of the event alone, since the channel says its kind.

use std::sync::Arc;

use prost::{DecodeError, Message as _};

use crate::bus::{Message, Topic};

const TABLE: &str = "astragal:table:";
const ACCOUNT: &str = "astragal:account:";
const LOBBY: &str = "astragal:lobby";
/// On this channel a publisher says that it has lost messages.
pub(super) const GAPS: &str = "astragal:gaps";

/// The channel of a topic.
pub(super) fn channel(topic: Topic) -> String {
    match topic {
        Topic::Table(table) => format!("{TABLE}{table}"),
        Topic::Account(account) => format!("{ACCOUNT}{account}"),
        Topic::Lobby => LOBBY.to_owned(),
    }
}

/// The topic of a channel.
pub(super) fn topic(channel: &str) -> Option<Topic> {
    if let Some(table) = channel.strip_prefix(TABLE) {
        table.parse().ok().map(Topic::Table)
    } else if let Some(account) = channel.strip_prefix(ACCOUNT) {
        account.parse().ok().map(Topic::Account)
    } else {
        (channel == LOBBY).then_some(Topic::Lobby)
    }
}

/// A message as bytes.
pub(super) fn encode(message: &Message) -> Vec<u8> {
    match message {
        Message::Table(event) => event.encode_to_vec(),
        Message::Account(event) => event.encode_to_vec(),
        Message::Lobby(event) => event.encode_to_vec(),
    }
}

/// The message of a topic.
pub(super) fn decode(topic: Topic, bytes: &[u8]) -> Result<Message, DecodeError> {
    Ok(match topic {
        Topic::Table(_) => Message::Table(Arc::new(prost::Message::decode(bytes)?)),
        Topic::Account(_) => Message::Account(Arc::new(prost::Message::decode(bytes)?)),
        Topic::Lobby => Message::Lobby(Arc::new(prost::Message::decode(bytes)?)),
    })
}
