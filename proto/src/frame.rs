//! Frames as text and as binary, read so that even an unreadable frame can be answered.
//!
//! Doesn't know sockets, and doesn't judge what an operation says.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use prost::Message;
use serde::de::value::CowStrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error as _, IgnoredAny, MapAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::gateway::v1::client_frame::Operation;
use crate::gateway::v1::server_frame::Event;
use crate::gateway::v1::{ClientFrame, ServerFrame};

/// A client frame that can't be acted on, with its id where that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The id of the frame, to answer it; absent where even that can't be read.
    pub id: Option<String>,
    /// What is wrong with the frame.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unreadable {}

/// Reads a text frame; the frame's operation is there if this succeeds.
pub fn read_text(text: &str) -> Result<(String, Operation), Unreadable> {
    #[derive(Deserialize)]
    struct IdAlone {
        id: String,
    }
    match serde_json::from_str::<ClientFrame>(text) {
        Ok(frame) => with_operation(frame),
        Err(error) => Err(Unreadable {
            id: serde_json::from_str::<IdAlone>(text).ok().map(|frame| frame.id),
            reason: format!("the frame can't be read: {error}"),
        }),
    }
}

/// Reads a binary frame; the frame's operation is there if this succeeds.
pub fn read_binary(bytes: &[u8]) -> Result<(String, Operation), Unreadable> {
    #[derive(Clone, PartialEq, prost::Message)]
    struct IdAlone {
        #[prost(string, tag = "1")]
        id: String,
    }
    match ClientFrame::decode(bytes) {
        Ok(frame) => with_operation(frame),
        Err(error) => Err(Unreadable {
            id: IdAlone::decode(bytes).ok().map(|frame| frame.id).filter(|id| !id.is_empty()),
            reason: format!("the frame can't be read: {error}"),
        }),
    }
}

fn with_operation(frame: ClientFrame) -> Result<(String, Operation), Unreadable> {
    match frame.operation {
        Some(operation) => Ok((frame.id, operation)),
        None => Err(Unreadable {
            id: Some(frame.id).filter(|id| !id.is_empty()),
            reason: "the frame has no operation that this server knows".to_owned(),
        }),
    }
}

impl Serialize for ClientFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Text<'a> {
            id: &'a str,
            #[serde(flatten)]
            operation: Option<&'a Operation>,
        }
        Text { id: &self.id, operation: self.operation.as_ref() }.serialize(serializer)
    }
}

impl Serialize for ServerFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Text<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            reply_to: Option<&'a str>,
            #[serde(flatten)]
            event: Option<&'a Event>,
        }
        Text { reply_to: self.reply_to.as_deref(), event: self.event.as_ref() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ClientFrame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (id, operation) = deserializer.deserialize_map(FrameVisitor::<Operation>::new("id"))?;
        Ok(Self { id: id.unwrap_or_default(), operation })
    }
}

impl<'de> Deserialize<'de> for ServerFrame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (reply_to, event) = deserializer.deserialize_map(FrameVisitor::<Event>::new("replyTo"))?;
        Ok(Self { reply_to, event })
    }
}

/// Reads `{"<id>": "7", "<body>": {…}}`, where the body's key names a variant of `B`; other keys are ignored.
///
/// By hand because serde's `flatten` buffers the values, and raw JSON content doesn't survive that.
struct FrameVisitor<B> {
    id: &'static str,
    body: PhantomData<B>,
}

impl<B> FrameVisitor<B> {
    fn new(id: &'static str) -> Self {
        Self { id, body: PhantomData }
    }
}

impl<'de, B: Deserialize<'de>> Visitor<'de> for FrameVisitor<B> {
    type Value = (Option<String>, Option<B>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a frame, which is a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut id, mut body) = (None, None);
        while let Some(key) = map.next_key::<Key<'de>>()? {
            if key.0 == self.id {
                id = map.next_value()?;
                continue;
            }
            let mut known = false;
            match B::deserialize(Entry { key: key.0, map: &mut map, known: &mut known }) {
                Ok(_) if body.is_some() => {
                    return Err(A::Error::custom("the frame has two bodies, send one"));
                }
                Ok(read) => body = Some(read),
                Err(error) if known => return Err(error),
                Err(_) => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok((id, body))
    }
}

/// A key of a frame, borrowed where its text holds no escape.
#[derive(Deserialize)]
struct Key<'k>(#[serde(borrow)] Cow<'k, str>);

/// One entry of a map, read as the variant of an enum that its key names.
struct Entry<'a, 'de, A> {
    key: Cow<'de, str>,
    map: &'a mut A,
    /// Becomes true once the key is found to name a variant.
    known: &'a mut bool,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Entry<'_, 'de, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'a, 'de, A: MapAccess<'de>> EnumAccess<'de> for Entry<'a, 'de, A> {
    type Error = A::Error;
    type Variant = Body<'a, A>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), A::Error> {
        let variant = seed.deserialize(CowStrDeserializer::<A::Error>::new(self.key))?;
        *self.known = true;
        Ok((variant, Body(self.map)))
    }
}

/// The value of such an entry; every variant holds one message.
struct Body<'a, A>(&'a mut A);

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Body<'_, A> {
    type Error = A::Error;

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(seed)
    }

    fn unit_variant(self) -> Result<(), A::Error> {
        Err(A::Error::custom("expected a message"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("expected a message"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("expected a message"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_frame_keeps_its_id() {
        for (text, id) in [
            (r#"{"id":"7","fly":{}}"#, Some("7")),
            (r#"{"id":"7","move":{"revision":-1}}"#, Some("7")),
            (r#"{"move":{"revision":"x"},"id":"7"}"#, Some("7")),
            (r#"{"id":"7","ping":{},"hello":{}}"#, Some("7")),
            (r#"{"id":7,"ping":{}}"#, None),
            (r#"{"id":"7","ping":{}"#, None),
            ("[]", None),
            ("{}", None),
        ] {
            assert_eq!(read_text(text).unwrap_err().id.as_deref(), id, "{text}");
        }
        assert_eq!(read_binary(b"\x0a\x017\x62\x02\x0a\xff").unwrap_err().id.as_deref(), Some("7"));
        assert_eq!(read_binary(b"\xff").unwrap_err().id, None);
    }

    #[test]
    fn unknown_keys_and_fields_are_ignored() {
        let text = r#"{"later":[1],"id":"7","ping":{"more":true},"\u0061nd":{"so":"on"}}"#;
        assert!(matches!(read_text(text).unwrap(), (id, Operation::Ping(_)) if id == "7"));
    }

    #[test]
    fn null_is_the_default_of_a_field() {
        let (_, operation) = read_text(r#"{"id":"7","move":{"gameId":null,"move":null}}"#).unwrap();
        let Operation::Move(played) = operation else { panic!("not a move") };
        assert_eq!(played.game_id, "");
        assert_eq!(played.r#move, Some(crate::content::Content::default()));
    }
}
