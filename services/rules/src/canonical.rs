//! The one text form of values: RFC 8785, integers only.

use serde::Serialize;
use serde_json::Value;

/// The deepest nesting that is read.
const DEPTH_MAX: usize = 64;

/// The canonical JSON of a value.
pub fn canonical<T: Serialize>(value: &T) -> serde_json::Result<String> {
    serde_json_canonicalizer::to_string(value)
}

/// Reads any JSON text and gives its canonical form. Refuses numbers that are not integers of
/// 53 bits and nesting over 64 levels; the error says why.
pub fn canonical_text(text: &str) -> Result<String, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    check(&value, 0)?;
    canonical(&value).map_err(|error| error.to_string())
}

fn check(value: &Value, depth: usize) -> Result<(), String> {
    if depth > DEPTH_MAX {
        return Err(format!("nested deeper than {DEPTH_MAX} levels"));
    }
    match value {
        Value::Number(number) => {
            let safe = number.as_i64().is_some_and(|n| n.unsigned_abs() < 1 << 53);
            if safe { Ok(()) } else { Err("numbers must be integers of at most 53 bits".to_owned()) }
        }
        Value::Array(items) => items.iter().try_for_each(|item| check(item, depth + 1)),
        Value::Object(members) => members.values().try_for_each(|member| check(member, depth + 1)),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}
