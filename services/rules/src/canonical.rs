//! The one text form of values: RFC 8785, integers only. Whatever cannot be read back exactly
//! is refused when it is written.

use crate::strict::any_value;
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Value;
use std::io::Write;

/// The deepest nesting that is written and read.
const DEPTH_MAX: usize = 64;

/// The largest number, with either sign: above it a reader that computes in doubles goes wrong.
const NUMBER_MAX: u64 = (1 << 53) - 1;

/// The canonical JSON of a value. Refuses numbers that are not integers of 53 bits and nesting
/// over 64 levels.
pub fn canonical<T: Serialize>(value: &T) -> serde_json::Result<String> {
    text_of(&serde_json::to_value(value)?).map_err(serde_json::Error::custom)
}

/// Reads any JSON text and gives its canonical form. Refuses what [`canonical`] does, and
/// members that stand twice; the error says why.
pub fn canonical_text(text: &str) -> Result<String, String> {
    text_of(&any_value(text).map_err(|error| error.to_string())?)
}

/// The canonical text of a value that was read with [`any_value`].
pub(crate) fn text_of(value: &Value) -> Result<String, String> {
    let mut text = Vec::with_capacity(128);
    write(value, 0, &mut text)?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

fn write(value: &Value, depth: usize, text: &mut Vec<u8>) -> Result<(), String> {
    if depth > DEPTH_MAX {
        return Err(format!("nested deeper than {DEPTH_MAX} levels"));
    }
    match value {
        Value::Null => text.extend(b"null"),
        Value::Bool(true) => text.extend(b"true"),
        Value::Bool(false) => text.extend(b"false"),
        Value::Number(number) => {
            let safe = number.as_i64().filter(|number| number.unsigned_abs() <= NUMBER_MAX);
            let number = safe.ok_or("numbers must be integers of at most 53 bits")?;
            write!(text, "{number}").map_err(|error| error.to_string())?;
        }
        Value::String(string) => quote(string, text)?,
        Value::Array(items) => {
            text.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(b',');
                }
                write(item, depth + 1, text)?;
            }
            text.push(b']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            // The order of RFC 8785 is that of UTF-16 units, not of code points.
            members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            text.push(b'{');
            for (place, (name, member)) in members.into_iter().enumerate() {
                if place > 0 {
                    text.push(b',');
                }
                quote(name, text)?;
                text.push(b':');
                write(member, depth + 1, text)?;
            }
            text.push(b'}');
        }
    }
    Ok(())
}

fn quote(string: &str, text: &mut Vec<u8>) -> Result<(), String> {
    serde_json::to_writer(text, string).map_err(|error| error.to_string())
}
