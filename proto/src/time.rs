//! Instants and durations: the well-known protobuf messages with their JSON form (RFC 3339, and seconds like `"1.5s"`).
//!
//! Knows no clock: what time it is comes from the caller.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An instant; `google.protobuf.Timestamp` on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// Nanoseconds within the second, from 0 to 999,999,999.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// A length of time; `google.protobuf.Duration` on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct Duration {
    /// Whole seconds.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// Nanoseconds within the second, of the same sign.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// A timestamp or duration lies outside what the other type can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange;

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the time is out of range, send one between the years 1 and 9999")
    }
}

impl std::error::Error for OutOfRange {}

impl From<DateTime<Utc>> for Timestamp {
    fn from(at: DateTime<Utc>) -> Self {
        // A leap second is counted past the end of its second by chrono, which protobuf forbids.
        let nanos = at.timestamp_subsec_nanos().min(999_999_999);
        Self { seconds: at.timestamp(), nanos: nanos.cast_signed() }
    }
}

impl TryFrom<Timestamp> for DateTime<Utc> {
    type Error = OutOfRange;

    fn try_from(at: Timestamp) -> Result<Self, OutOfRange> {
        let nanos = u32::try_from(at.nanos).map_err(|_| OutOfRange)?;
        DateTime::from_timestamp(at.seconds, nanos).ok_or(OutOfRange)
    }
}

impl From<std::time::Duration> for Duration {
    fn from(length: std::time::Duration) -> Self {
        let seconds = i64::try_from(length.as_secs()).unwrap_or(i64::MAX);
        Self { seconds, nanos: length.subsec_nanos().cast_signed() }
    }
}

impl TryFrom<Duration> for std::time::Duration {
    type Error = OutOfRange;

    fn try_from(length: Duration) -> Result<Self, OutOfRange> {
        let seconds = u64::try_from(length.seconds).map_err(|_| OutOfRange)?;
        let nanos = u32::try_from(length.nanos).map_err(|_| OutOfRange)?;
        if nanos > 999_999_999 { Err(OutOfRange) } else { Ok(Self::new(seconds, nanos)) }
    }
}

/// Both types have the JSON form that `prost_types` prints and reads.
macro_rules! json_as_text {
    ($name:ident, $expected:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                prost_types::$name { seconds: self.seconds, nanos: self.nanos }.fmt(f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl de::Visitor<'_> for Text {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        let read = prost_types::$name::from_str(text)
                            .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))?;
                        Ok($name { seconds: read.seconds, nanos: read.nanos })
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    };
}

json_as_text!(Timestamp, "an instant like \"2026-11-30T12:00:00Z\"");
json_as_text!(Duration, "a duration like \"1.5s\"");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_rfc_3339() {
        let at = Timestamp { seconds: 1_795_000_000, nanos: 250_000_000 };
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(text, "\"2026-11-18T11:06:40.250Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), at);
        assert!(serde_json::from_str::<Timestamp>("\"yesterday\"").is_err());
        assert_eq!(Timestamp::from(DateTime::<Utc>::try_from(at).unwrap()), at);
        assert!(DateTime::<Utc>::try_from(Timestamp { seconds: 0, nanos: -1 }).is_err());
    }

    #[test]
    fn durations_are_seconds() {
        for (text, seconds, nanos) in
            [("1.500s", 1, 500_000_000), ("300s", 300, 0), ("-0.250s", 0, -250_000_000)]
        {
            let length = Duration { seconds, nanos };
            assert_eq!(serde_json::to_string(&length).unwrap(), format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Duration>(&format!("\"{text}\"")).unwrap(), length);
        }
        assert_eq!(serde_json::from_str::<Duration>("\"1.5s\"").unwrap().nanos, 500_000_000);
        assert!(serde_json::from_str::<Duration>("\"1.5\"").is_err());
    }
}
