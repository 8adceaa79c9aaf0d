//! The one text form of values: RFC 8785, integers only. Whatever cannot be read back exactly
//! is refused when it is written.

mod writer;

use self::writer::Writer;
use crate::strict::any_value;
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Value;

/// The deepest nesting that is written and read.
const DEPTH_MAX: usize = 64;

/// The largest number, with either sign: above it a reader that computes in doubles goes wrong.
const NUMBER_MAX: u64 = (1 << 53) - 1;

/// The canonical JSON of a value. Refuses numbers that are not integers of 53 bits and nesting
/// over 64 levels.
pub fn canonical<T: Serialize>(value: &T) -> serde_json::Result<String> {
    let mut writer = Writer::default();
    value.serialize(&mut writer)?;
    String::from_utf8(writer.finish()).map_err(serde_json::Error::custom)
}

/// Reads any JSON text and gives its canonical form. Refuses what [`canonical`] does, and
/// members that stand twice; the error says why.
pub fn canonical_text(text: &str) -> Result<String, String> {
    text_of(&any_value(text).map_err(|error| error.to_string())?)
}

/// The canonical text of a value that was read with [`any_value`].
pub(crate) fn text_of(value: &Value) -> Result<String, String> {
    canonical(value).map_err(|error| error.to_string())
}

const NUMBER_WORDS: &str = "numbers must be integers of at most 53 bits";

fn safe_number(number: i64) -> Option<i64> {
    (number.unsigned_abs() <= NUMBER_MAX).then_some(number)
}

fn check_depth(depth: usize) -> Result<(), String> {
    if depth > DEPTH_MAX { Err(format!("nested deeper than {DEPTH_MAX} levels")) } else { Ok(()) }
}
