//! The two forms of a frame: text (canonical protobuf JSON) and binary, chosen by the subprotocol.

use astragal_proto::frame::{Unreadable, read_binary, read_text};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Error, ServerFrame};
use astragal_runtime::error::Problem;
use axum::extract::ws::Message;
use http::HeaderValue;
use prost::Message as _;

/// The subprotocols, the preferred one first.
pub(crate) const SUBPROTOCOLS: [&str; 2] = ["astragal.v1.json", "astragal.v1.proto"];

/// Ids of frames are echoed, so they are bounded.
const ID_BYTES_MAX: usize = 64;

/// A decoder names every message around the one that it can't read, and may quote what it read.
const REASON_CHARS_MAX: usize = 200;

/// The form of the frames of one socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Binary,
}

/// A client's frame: its id and what it asks for.
pub(crate) type Request = (String, Operation);

impl Format {
    /// The format of the selected subprotocol; text if the client named none.
    pub(crate) fn of(subprotocol: Option<&HeaderValue>) -> Self {
        if subprotocol.is_some_and(|name| name == SUBPROTOCOLS[1]) { Self::Binary } else { Self::Text }
    }

    /// Writes an answer.
    pub(crate) fn answer(self, id: &str, event: Event) -> Message {
        self.write(ServerFrame { reply_to: Some(id.to_owned()), event: Some(event) })
    }

    /// Writes an event.
    pub(crate) fn event(self, event: Event) -> Message {
        self.write(ServerFrame { reply_to: None, event: Some(event) })
    }

    /// Writes a refusal; without an id if the frame that is refused had none.
    pub(crate) fn error(self, id: Option<&str>, problem: Problem) -> Message {
        let event = error(problem);
        let reply_to = id.filter(|id| is_id(id)).map(str::to_owned);
        self.write(ServerFrame { reply_to, event: Some(event) })
    }

    fn write(self, frame: ServerFrame) -> Message {
        match self {
            Self::Binary => Message::Binary(frame.encode_to_vec().into()),
            Self::Text => Message::Text(text(frame).into()),
        }
    }

    /// Reads a message as a frame; nothing if it is of the other kind, which this subprotocol doesn't have.
    pub(crate) fn read(self, message: &Message) -> Option<Result<Request, Unreadable>> {
        let read = match (self, message) {
            (Self::Text, Message::Text(text)) => read_text(text),
            (Self::Binary, Message::Binary(bytes)) => read_binary(bytes),
            _ => return None,
        };
        let read = read.map_err(|Unreadable { id, reason }| Unreadable { id, reason: shortened(reason) });
        Some(read.and_then(|(id, operation)| {
            if is_id(&id) {
                Ok((id, operation))
            } else {
                Err(Unreadable { id: None, reason: "id must have 1 to 64 bytes".to_owned() })
            }
        }))
    }
}

fn is_id(id: &str) -> bool {
    (1..=ID_BYTES_MAX).contains(&id.len())
}

fn shortened(reason: String) -> String {
    match reason.char_indices().nth(REASON_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason,
    }
}

fn error(problem: Problem) -> Event {
    Event::Error(Error { code: problem.code.as_str().to_owned(), message: problem.message, details: None })
}

fn text(frame: ServerFrame) -> String {
    match serde_json::to_string(&frame) {
        Ok(text) => text,
        Err(cause) => {
            // Only content that another role wrote can fail, and an error frame has none.
            let event = Some(error(Problem::internal(&cause)));
            serde_json::to_string(&ServerFrame { reply_to: frame.reply_to, event }).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G6: a client gets no more text back than a sentence, however it nests what can't be read.
    #[test]
    fn g6_what_a_decoder_says_of_a_frame_is_bounded() {
        // A text that is none, in a list in a list, thirty times, as the options of newGame.
        let mut frame = vec![0x1a, 1, 0xff];
        for field in std::iter::repeat_n([0x0a, 0x32], 30).flatten().chain([0x22, 0x1a]) {
            let mut outer = vec![field];
            prost::encoding::encode_varint(frame.len() as u64, &mut outer);
            outer.append(&mut frame);
            frame = outer;
        }
        let texts = [
            (Format::Binary, Message::Binary(frame.into())),
            (
                Format::Text,
                Message::Text(format!(r#"{{"newGame":{{"seats":"{}"}}}}"#, "ü".repeat(5_000)).into()),
            ),
        ];
        for (format, message) in texts {
            let refused = format.read(&message).expect("its own kind").expect_err("unreadable");
            assert!(refused.reason.starts_with("the frame can't be read"), "{refused}");
            assert!(refused.reason.chars().count() <= REASON_CHARS_MAX + 1, "{refused}");
        }
    }
}
