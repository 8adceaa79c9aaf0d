//! Reading what a lenient reader lets through: a list where an object belongs, a member that
//! stands twice, text after the end. It knows nothing of what the fields mean.

use crate::error::InvalidGame;
use crate::said::{Quoted, unread};
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// Something that is written as an object. Without this, a list of the values of its members
/// would do.
pub(crate) struct Object<T>(pub(crate) T);

/// Reads one object and nothing after it. An error is at the `whole`, or at the member's path
/// after the `prefix`.
pub(crate) fn object<T: DeserializeOwned>(whole: &str, prefix: &str, text: &str) -> Result<T, InvalidGame> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        // The last step is "." at the whole, and "?" when its name could not be read.
        let why = unread(text, error.inner());
        match path.trim_end_matches(['.', '?']) {
            "" => InvalidGame::new(whole, why),
            path => InvalidGame::new(format_args!("{prefix}{path}"), why),
        }
    });
    let Object(value) = read?;
    reader.end().map_err(|error| InvalidGame::new(format_args!("the end of the {whole}"), error))?;
    Ok(value)
}

/// Whether a text is an object with this member, as far as it can be read.
pub(crate) fn has_member(text: &str, name: &str) -> bool {
    let found = Cell::new(false);
    let mut reader = serde_json::Deserializer::from_str(text);
    // Where the text breaks off, what was found before counts.
    let _ = reader.deserialize_map(Member { name, found: &found });
    found.get()
}

/// A member that is an object or `null`, and must be there.
pub(crate) fn object_or_null<'de, D, T>(reader: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let read: Option<Object<T>> = Option::deserialize(reader)?;
    Ok(read.map(|Object(value)| value))
}

/// A list of objects. Stops at the first one too many, before the rest of a huge text takes
/// memory.
pub(crate) fn objects<'de, D, T>(reader: D, most: usize) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    reader.deserialize_seq(Objects { most, of: PhantomData })
}

/// Any JSON value.
pub(crate) fn any_value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).map(|Plain(value)| value)
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(members)).map(Object)
            }
        }

        reader.deserialize_map(Members(PhantomData))
    }
}

struct Member<'n> {
    name: &'n str,
    found: &'n Cell<bool>,
}

impl<'de> Visitor<'de> for Member<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if name == self.name {
                self.found.set(true);
                return Ok(());
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

struct Objects<T> {
    most: usize,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Objects<T> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list of at most {} objects", self.most)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut read = Vec::new();
        while let Some(Object(item)) = items.next_element()? {
            if read.len() == self.most {
                return Err(A::Error::invalid_length(self.most + 1, &self));
            }
            read.push(item);
        }
        Ok(read)
    }
}

/// A value whose objects name each member once. `serde_json`'s own reader keeps the last of
/// twins, and takes some names for its own purposes.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(AnyPlain).map(Plain)
    }
}

struct AnyPlain;

impl<'de> Visitor<'de> for AnyPlain {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(Plain(item)) = items.next_element()? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some((name, Plain(member))) = members.next_entry::<String, Plain>()? {
            if read.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the member {} stands twice", Quoted(&name))));
            }
            read.insert(name, member);
        }
        Ok(Value::Object(read))
    }
}
