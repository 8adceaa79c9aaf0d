//! Canonical JSON straight from a value, without a tree of it in between: members are written as they come,
//! and put in order where their object ends. What a number or a depth may be is the parent's business.

use super::{NUMBER_WORDS, check_depth, safe_number};
use serde::ser::{self, Error as _, Serialize};
use serde_json::{Error, Result};
use std::cmp::Ordering;

/// The text so far.
#[derive(Default)]
pub(super) struct Writer {
    text: Vec<u8>,
    depth: usize,
    /// Of all objects that are open, the outermost first.
    members: Vec<Member>,
}

/// Where a member stands in the text.
#[derive(Clone, Copy)]
struct Member {
    start: usize,
    colon: usize,
    end: usize,
}

/// A list that is open.
pub(super) struct Items<'w> {
    writer: &'w mut Writer,
    begun: bool,
    /// How many objects and lists it closes.
    levels: usize,
}

/// An object that is open.
pub(super) struct Members<'w> {
    writer: &'w mut Writer,
    /// Where its members begin, in the list of them and in the text.
    first: usize,
    body: usize,
    /// The start of the member whose value comes next.
    start: usize,
    levels: usize,
}

impl Writer {
    pub(super) fn finish(self) -> Vec<u8> {
        self.text
    }

    fn word(&mut self, word: &str) -> Result<()> {
        check_depth(self.depth).map_err(Error::custom)?;
        self.text.extend_from_slice(word.as_bytes());
        Ok(())
    }

    fn number(&mut self, number: Option<i64>) -> Result<()> {
        check_depth(self.depth).map_err(Error::custom)?;
        let number = number.and_then(safe_number).ok_or_else(|| Error::custom(NUMBER_WORDS))?;
        serde_json::to_writer(&mut self.text, &number)
    }

    fn open(&mut self, bracket: u8) -> Result<()> {
        check_depth(self.depth).map_err(Error::custom)?;
        self.text.push(bracket);
        self.depth += 1;
        Ok(())
    }

    fn list(&mut self, levels: usize) -> Result<Items<'_>> {
        self.open(b'[')?;
        Ok(Items { writer: self, begun: false, levels })
    }

    fn object(&mut self, levels: usize) -> Result<Members<'_>> {
        self.open(b'{')?;
        let (first, body) = (self.members.len(), self.text.len());
        Ok(Members { writer: self, first, body, start: body, levels })
    }

    /// An object with one member, whose value is written next.
    fn only_member(&mut self, name: &str) -> Result<()> {
        self.open(b'{')?;
        serde_json::to_writer(&mut self.text, name)?;
        self.text.push(b':');
        Ok(())
    }

    fn close(&mut self, brackets: &[u8]) {
        self.text.extend_from_slice(brackets);
        self.depth -= brackets.len();
    }

    /// Puts the newest members in order, which begin at these places.
    fn sort(&mut self, first: usize, body: usize) -> Result<()> {
        let mut members = self.members.split_off(first);
        let in_order = |pair: &[Member]| order(&self.text, pair[0], pair[1]) == Ordering::Less;
        if members.windows(2).all(in_order) {
            return Ok(());
        }
        members.sort_by(|one, other| order(&self.text, *one, *other));
        if !members.windows(2).all(in_order) {
            return Err(Error::custom("a member stands twice"));
        }
        let sorted: Vec<&[u8]> = members.iter().map(|member| &self.text[member.start..member.end]).collect();
        let sorted = sorted.join(&b',');
        self.text.truncate(body);
        self.text.extend(sorted);
        Ok(())
    }
}

/// The order of RFC 8785 is that of UTF-16 units, not of code points.
fn order(text: &[u8], one: Member, other: Member) -> Ordering {
    let [one, other] = [one, other].map(|member| &text[member.start..member.colon]);
    let is_plain = |name: &[u8]| name.iter().all(|byte| byte.is_ascii() && *byte != b'\\');
    if is_plain(one) && is_plain(other) {
        // The quote before each is the same.
        return one[..one.len() - 1].cmp(&other[..other.len() - 1]);
    }
    // They were written a moment ago, so they can be read.
    let read = |name: &[u8]| serde_json::from_slice::<String>(name).unwrap_or_default();
    read(one).encode_utf16().cmp(read(other).encode_utf16())
}

impl Members<'_> {
    fn name(&mut self, name: &(impl Serialize + ?Sized)) -> Result<()> {
        let writer = &mut *self.writer;
        if writer.members.len() > self.first {
            writer.text.push(b',');
        }
        self.start = writer.text.len();
        name.serialize(&mut *writer)?;
        match writer.text.get(self.start) {
            Some(b'"') => Ok(()),
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                writer.text.insert(self.start, b'"');
                writer.text.push(b'"');
                Ok(())
            }
            _ => Err(Error::custom("the name of a member must be a text")),
        }
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        let writer = &mut *self.writer;
        let colon = writer.text.len();
        writer.text.push(b':');
        value.serialize(&mut *writer)?;
        writer.members.push(Member { start: self.start, colon, end: writer.text.len() });
        Ok(())
    }

    fn finish(self) -> Result<()> {
        self.writer.sort(self.first, self.body)?;
        self.writer.close(&b"}}"[..self.levels]);
        Ok(())
    }
}

impl Items<'_> {
    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            self.writer.text.push(b',');
        }
        item.serialize(&mut *self.writer)
    }

    fn finish(self) {
        self.writer.close(&b"]}"[..self.levels]);
    }
}

macro_rules! numbers {
    ($($method:ident $number:ty),*) => {
        $(fn $method(self, number: $number) -> Result<()> {
            self.number(number.try_into().ok())
        })*
    };
}

impl<'w> ser::Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'w>;
    type SerializeTuple = Items<'w>;
    type SerializeTupleStruct = Items<'w>;
    type SerializeTupleVariant = Items<'w>;
    type SerializeMap = Members<'w>;
    type SerializeStruct = Members<'w>;
    type SerializeStructVariant = Members<'w>;

    numbers!(serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128);
    numbers!(serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128);

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.word(if value { "true" } else { "false" })
    }

    fn serialize_f32(self, _: f32) -> Result<()> {
        self.number(None)
    }

    fn serialize_f64(self, _: f64) -> Result<()> {
        self.number(None)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        check_depth(self.depth).map_err(Error::custom)?;
        serde_json::to_writer(&mut self.text, value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<()> {
        self.word("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.word("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.word("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.only_member(variant)?;
        value.serialize(&mut *self)?;
        self.close(b"}");
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'w>> {
        self.list(1)
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'w>> {
        self.list(1)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'w>> {
        self.list(1)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'w>> {
        self.only_member(variant)?;
        self.list(2)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'w>> {
        self.object(1)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'w>> {
        self.object(1)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'w>> {
        self.only_member(variant)?;
        self.object(2)
    }
}

macro_rules! items {
    ($($part:ident $method:ident),*) => {
        $(impl ser::$part for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
                self.item(item)
            }

            fn end(self) -> Result<()> {
                self.finish();
                Ok(())
            }
        })*
    };
}

items!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! members {
    ($($part:ident),*) => {
        $(impl ser::$part for Members<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.name(name)?;
                self.value(value)
            }

            fn end(self) -> Result<()> {
                self.finish()
            }
        })*
    };
}

members!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<()> {
        self.name(name)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.value(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
