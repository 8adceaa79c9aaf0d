//! JSON text and the tree of `google.protobuf.Value`: the two forms of game content, turned into one another.

use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use serde_json::Number;

/// Beyond this, a double no longer holds every integer.
const INTEGER_MAX: f64 = 9_007_199_254_740_992.0;

/// Reads JSON text into the protobuf tree; what isn't JSON becomes null.
pub(crate) fn to_value(text: &[u8]) -> Value {
    serde_json::from_slice(text).map_or_else(|_| Value { kind: Some(Kind::NullValue(0)) }, to_tree)
}

fn to_tree(json: serde_json::Value) -> Value {
    let kind = match json {
        serde_json::Value::Null => Kind::NullValue(0),
        serde_json::Value::Bool(yes) => Kind::BoolValue(yes),
        serde_json::Value::Number(number) => number.as_f64().map_or(Kind::NullValue(0), Kind::NumberValue),
        serde_json::Value::String(text) => Kind::StringValue(text),
        serde_json::Value::Array(values) => {
            Kind::ListValue(ListValue { values: values.into_iter().map(to_tree).collect() })
        }
        serde_json::Value::Object(fields) => Kind::StructValue(Struct {
            fields: fields.into_iter().map(|(name, value)| (name, to_tree(value))).collect(),
        }),
    };
    Value { kind: Some(kind) }
}

/// Turns the protobuf tree into JSON; a number that JSON lacks (NaN, infinity) becomes null.
pub(crate) fn from_value(value: Value) -> serde_json::Value {
    match value.kind {
        None | Some(Kind::NullValue(_)) => serde_json::Value::Null,
        Some(Kind::BoolValue(yes)) => yes.into(),
        Some(Kind::NumberValue(number)) => from_double(number),
        Some(Kind::StringValue(text)) => text.into(),
        Some(Kind::ListValue(list)) => list.values.into_iter().map(from_value).collect(),
        Some(Kind::StructValue(fields)) => {
            fields.fields.into_iter().map(|(name, value)| (name, from_value(value))).collect()
        }
    }
}

fn from_double(number: f64) -> serde_json::Value {
    if number.fract() == 0.0 && number.abs() <= INTEGER_MAX {
        serde_json::Value::from(number as i64)
    } else {
        Number::from_f64(number).map_or(serde_json::Value::Null, serde_json::Value::Number)
    }
}

/// The deepest level of objects and arrays in a text that is known to be JSON.
pub(crate) fn nesting(json: &str) -> usize {
    let (mut level, mut deepest) = (0usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                level += 1;
                deepest = deepest.max(level);
            }
            b']' | b'}' => level = level.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
