//! Edits of JSON texts that typed values could not express: other types, twins, numbers that are
//! no integers. Places are JSON pointers.

use serde_json::Value;

/// Every place below the root.
pub fn places(value: &Value) -> Vec<String> {
    let mut places = Vec::new();
    collect(value, "", &mut places);
    places
}

fn collect(value: &Value, here: &str, places: &mut Vec<String>) {
    for (name, child) in children(value) {
        let place = format!("{here}/{name}");
        collect(child, &place, places);
        places.push(place);
    }
}

fn children(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Array(items) => {
            (0..).zip(items).map(|(index, item): (usize, _)| (index.to_string(), item)).collect()
        }
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), member)).collect(),
        _ => Vec::new(),
    }
}

/// The text with another value at a place, given as raw text.
pub fn with_raw(value: &Value, place: &str, raw: &str) -> String {
    const MARK: &str = "\u{1}mark";
    let mut edited = value.clone();
    *edited.pointer_mut(place).expect("a place of the value") = Value::from(MARK);
    edited.to_string().replacen(&Value::from(MARK).to_string(), raw, 1)
}

/// The text without a member or an item.
pub fn without(value: &Value, place: &str) -> String {
    let mut edited = value.clone();
    let (parent, name) = place.rsplit_once('/').expect("a place below the root");
    match edited.pointer_mut(parent).expect("a place of the value") {
        Value::Array(items) => drop(items.remove(name.parse().expect("an index"))),
        Value::Object(members) => drop(members.remove(name)),
        _ => unreachable!("only lists and objects have something below them"),
    }
    edited.to_string()
}

/// The text with one member more in the object at a place; none if no object is there.
pub fn with_extra(value: &Value, place: &str) -> Option<String> {
    let mut edited = value.clone();
    edited.pointer_mut(place)?.as_object_mut()?.insert("extra".to_owned(), Value::from(1));
    Some(edited.to_string())
}

/// The text in which the member at a place stands twice; none if it is an item.
pub fn with_twin(value: &Value, place: &str) -> Option<String> {
    let (parent, name) = place.rsplit_once('/')?;
    let object = value.pointer(parent)?.as_object()?;
    let twin = format!("{}:{}", Value::from(name), object[name]);
    let whole = Value::Object(object.clone()).to_string();
    let doubled = format!("{{{twin},{}", &whole[1..]);
    Some(if parent.is_empty() { doubled } else { with_raw(value, parent, &doubled) })
}

/// Values of every other type, as raw texts.
pub fn other_types(value: &Value) -> Vec<&'static str> {
    let texts = ["null", "true", "7", r#""text""#, "[]", "{}"];
    let own = match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    };
    let others = (0..).zip(texts).filter(|(kind, _)| *kind != own);
    others.map(|(_, text)| text).chain(["1.0", "-1", "1e400", "18446744073709551616"]).collect()
}

/// A megabyte of lists or objects in each other.
pub fn nested(open: &str, close: &str) -> String {
    let levels = 1_000_000 / (open.len() + close.len());
    format!("{}0{}", open.repeat(levels), close.repeat(levels))
}
