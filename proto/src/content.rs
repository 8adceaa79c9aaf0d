//! Game content (moves, views, options): plain JSON whose meaning only the rules know.
//!
//! Inside it is JSON text and is spliced as it is into text frames; the tree of `google.protobuf.Value` is built
//! for binary frames only.

use bytes::{Buf, BufMut, Bytes};
use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::value::{from_value, nesting, to_value};

/// How deep objects and arrays may lie in one another in content that is read from text.
///
/// The binary form spends three of protobuf's 100 levels on each, and both forms should take the same content.
pub const NESTING_MAX: usize = 32;

const NULL: &[u8] = b"null";
const EMPTY: &[u8] = b"[]";

/// One JSON value; `google.protobuf.Value` on the binary wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Content(Bytes);

/// One JSON array; `google.protobuf.ListValue` on the binary wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContentList(Bytes);

impl Content {
    /// Takes JSON text that one of our own roles has written.
    ///
    /// Text that is no JSON after all shows when a text frame is written; a binary frame has null in its place.
    pub fn from_json(text: Bytes) -> Self {
        Self(text)
    }

    /// The JSON text.
    pub fn as_json(&self) -> &Bytes {
        &self.0
    }
}

impl ContentList {
    /// Takes the text of a JSON array that one of our own roles has written; see [`Content::from_json`].
    pub fn from_json(text: Bytes) -> Self {
        Self(text)
    }

    /// The JSON text.
    pub fn as_json(&self) -> &Bytes {
        &self.0
    }
}

impl From<&serde_json::Value> for Content {
    fn from(value: &serde_json::Value) -> Self {
        Self(value.to_string().into())
    }
}

impl Default for Content {
    fn default() -> Self {
        Self(Bytes::from_static(NULL))
    }
}

impl Default for ContentList {
    fn default() -> Self {
        Self(Bytes::from_static(EMPTY))
    }
}

fn splice<S: Serializer>(text: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_slice(text).map_err(S::Error::custom)?;
    raw.serialize(serializer)
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    if nesting(raw.get()) > NESTING_MAX {
        return Err(D::Error::custom(format_args!("content is nested deeper than {NESTING_MAX} levels")));
    }
    Ok(String::from(Box::<str>::from(raw)).into())
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        splice(&self.0, serializer)
    }
}

impl Serialize for ContentList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        splice(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer).map(Self)
    }
}

impl<'de> Deserialize<'de> for ContentList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = read(deserializer)?;
        if text.first() == Some(&b'[') {
            Ok(Self(text))
        } else {
            Err(D::Error::custom("expected a JSON array"))
        }
    }
}

impl prost::Message for Content {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        to_value(&self.0).encode_raw(buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let mut value = prost_types::Value::default();
        value.merge_field(tag, wire_type, buf, ctx)?;
        // A field from a later version of the message leaves the value without a kind.
        if value.kind.is_some() {
            self.0 = from_value(value).to_string().into();
        }
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        to_value(&self.0).encoded_len()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

impl ContentList {
    fn to_list(&self) -> prost_types::ListValue {
        match to_value(&self.0).kind {
            Some(prost_types::value::Kind::ListValue(list)) => list,
            _ => prost_types::ListValue::default(),
        }
    }

    fn push(&mut self, value: &serde_json::Value) {
        let mut text = Vec::from(std::mem::take(&mut self.0));
        text.pop();
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend_from_slice(value.to_string().as_bytes());
        text.push(b']');
        self.0 = text.into();
    }
}

impl prost::Message for ContentList {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        self.to_list().encode_raw(buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let mut list = prost_types::ListValue::default();
        list.merge_field(tag, wire_type, buf, ctx)?;
        for value in list.values {
            self.push(&from_value(value));
        }
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        self.to_list().encoded_len()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Reads content that is there, so that a null is a value and only a missing field is absent.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Content>, D::Error> {
    Content::deserialize(deserializer).map(Some)
}

/// Reads a field whose null means its default, as protobuf JSON has it.
pub(crate) fn null_is_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;

    fn through_binary(text: &'static str) -> String {
        let content = Content::from_json(Bytes::from_static(text.as_bytes()));
        let wire = content.encode_to_vec();
        assert_eq!(wire.len(), content.encoded_len());
        String::from_utf8(Content::decode(wire.as_slice()).unwrap().0.to_vec()).unwrap()
    }

    #[test]
    fn content_survives_the_binary_wire() {
        for text in [
            "null",
            "true",
            "0",
            "-3",
            "9007199254740992",
            "1.5",
            "\"ж\\n\"",
            "[]",
            "{}",
            "[[1],[{\"a\":null}]]",
        ] {
            assert_eq!(through_binary(text), text);
        }
        assert_eq!(through_binary("3.0"), "3");
        assert_eq!(through_binary("not json"), "null");
    }

    #[test]
    fn lists_survive_the_binary_wire() {
        for text in ["[]", "[1]", "[{\"pit\":1},{\"pit\":2}]"] {
            let list = ContentList::from_json(Bytes::from_static(text.as_bytes()));
            assert_eq!(ContentList::decode(list.encode_to_vec().as_slice()).unwrap(), list);
        }
    }

    #[test]
    fn numbers_that_json_lacks_read_as_null() {
        let value = prost_types::Value { kind: Some(prost_types::value::Kind::NumberValue(f64::NAN)) };
        assert_eq!(Content::decode(value.encode_to_vec().as_slice()).unwrap(), Content::default());
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(serde_json::from_str::<Content>(&nested(NESTING_MAX)).is_ok());
        assert!(serde_json::from_str::<Content>(&nested(NESTING_MAX + 1)).is_err());
        assert!(serde_json::from_str::<Content>(&nested(100_000)).is_err());
        assert!(serde_json::from_str::<Content>(&format!("\"\\\"{}\"", "[".repeat(200))).is_ok());
        let deepest = serde_json::from_str::<Content>(&nested(NESTING_MAX)).unwrap();
        assert_eq!(Content::decode(deepest.encode_to_vec().as_slice()).unwrap(), deepest);
    }

    #[test]
    fn text_that_is_no_json_does_not_reach_a_frame() {
        let broken = Content::from_json(Bytes::from_static(b"{\"a\":"));
        assert!(serde_json::to_string(&broken).is_err());
    }
}
