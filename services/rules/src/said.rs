//! What is said of a text that can't be read: whole sentences in place of a reader's jargon, and never
//! more of the text itself than shows which one it is.

use crate::error::IllegalMove;
use crate::strict::any_value;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The most characters of somebody else's text that are repeated.
const QUOTED_MAX: usize = 64;

/// A message of our own is shorter, quotes and all.
const OWN_MAX: usize = 400;

/// Somebody else's text in quotes, cut where it is too long.
pub struct Quoted<'t>(pub &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(QUOTED_MAX) {
            Some((end, _)) => write!(formatter, "{:?}…", &self.0[..end]),
            None => write!(formatter, "{:?}", self.0),
        }
    }
}

/// A message in which what a reader repeats of a text is cut. Readers quote one piece of it, and after it
/// say what they expected.
pub(crate) fn brief(message: String) -> String {
    let Some(start) = message.find(['`', '"']).map(|quote| quote + 1) else { return message };
    let expected = ["`, expected", "\", expected"].iter().filter_map(|end| message.rfind(end)).max();
    let end = match expected.filter(|end| *end > start) {
        Some(end) => end,
        None if message.len() <= OWN_MAX => return message,
        None => message.rfind(['`', '"']).filter(|end| *end > start).unwrap_or(message.len()),
    };
    if message[start..end].chars().nth(QUOTED_MAX + 1).is_none() {
        return message;
    }
    let kept: String = message[start..end].chars().take(QUOTED_MAX).collect();
    format!("{}{kept}…{}", &message[..start], &message[end..])
}

/// A place, which may be a member that somebody else named.
pub(crate) fn short(mut place: String) -> String {
    if let Some((end, _)) = place.char_indices().nth(2 * QUOTED_MAX) {
        place.truncate(end);
        place.push('…');
    }
    place
}

/// Why a text is not what a reader of JSON expected.
pub(crate) fn unread(text: &str, error: &serde_json::Error) -> String {
    if text.starts_with('\u{feff}') {
        return "begins with a byte order mark; save it as UTF-8 without one".to_owned();
    }
    match error.classify() {
        Category::Eof => "the text ends too early, a part of it is missing".to_owned(),
        _ => brief(error.to_string()),
    }
}

/// The refusal of a text that is no move. `form` shows the moves of the game.
pub(crate) fn no_move<M: DeserializeOwned>(text: &str, error: &serde_json::Error, form: &str) -> IllegalMove {
    let why: Cow<'_, str> = match any_value(text) {
        Err(error) if error.is_data() => brief(error.to_string()).into(),
        Err(error) => format!("no JSON, {}", unread(text, &error)).into(),
        Ok(Value::Array(_)) => "a list".into(),
        // From a value the reader says what is there, not at which byte it gave up.
        Ok(value) => match (M::deserialize(&value).err(), &value) {
            (Some(found), Value::Object(members)) if found.to_string().contains("single key") => {
                format!("{} members in place of one", members.len()).into()
            }
            (Some(found), Value::String(_)) if !found.to_string().contains("unknown variant") => {
                "a word alone".into()
            }
            (Some(found), Value::Object(_) | Value::String(_)) => brief(found.to_string()).into(),
            (Some(_), _) => "neither an object nor a word".into(),
            (None, _) => brief(error.to_string()).into(),
        },
    };
    let mut said = why.into_owned();
    let _ = write!(said, "; write {form}");
    IllegalMove::Unreadable(said)
}
