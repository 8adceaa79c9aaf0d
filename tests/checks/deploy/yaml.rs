//! Files of YAML, read as plain values, and what is looked up in them. Whatever is missing is named.

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use std::path::Path;

/// The documents of a file.
pub(super) fn documents(path: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let read: Vec<Value> = serde_saphyr::from_multiple(&text).with_context(|| path.display().to_string())?;
    Ok(read.into_iter().filter(|document| !document.is_null()).collect())
}

/// The one document of a file.
pub(super) fn document(path: &Path) -> Result<Value> {
    let mut documents = documents(path)?;
    let document = documents.pop().filter(|_| documents.is_empty());
    document.with_context(|| format!("{} holds not one document", path.display()))
}

/// What lies at a path such as `/spec/template`.
pub(super) fn at<'a>(value: &'a Value, pointer: &str) -> Result<&'a Value> {
    value.pointer(pointer).with_context(|| format!("no {pointer} in {value}"))
}

/// A text at a path.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Result<&'a str> {
    at(value, pointer)?.as_str().with_context(|| format!("{pointer} is no text in {value}"))
}

/// A number at a path.
pub(super) fn number(value: &Value, pointer: &str) -> Result<u64> {
    at(value, pointer)?.as_u64().with_context(|| format!("{pointer} is no number in {value}"))
}

/// A map at a path.
pub(super) fn map<'a>(value: &'a Value, pointer: &str) -> Result<&'a Map<String, Value>> {
    at(value, pointer)?.as_object().with_context(|| format!("{pointer} is no map in {value}"))
}

/// A list at a path; what isn't there is empty.
pub(super) fn list<'a>(value: &'a Value, pointer: &str) -> Result<&'a [Value]> {
    match value.pointer(pointer) {
        None | Some(Value::Null) => Ok(&[]),
        Some(list) => {
            let list = list.as_array().with_context(|| format!("{pointer} is no list in {value}"))?;
            Ok(list)
        }
    }
}

/// The texts of a list at a path.
pub(super) fn texts(value: &Value, pointer: &str) -> Result<Vec<String>> {
    let text = |word: &Value| word.as_str().map(str::to_owned);
    let words: Option<Vec<_>> = list(value, pointer)?.iter().map(text).collect();
    words.with_context(|| format!("{pointer} isn't all text in {value}"))
}
