//! Takes a file apart. It knows no alphabet and no rules.

use crate::crossword::gcg::{Action, Event, Fault, Gcg, GcgError, Player};
use crate::crossword::place::Start;
use std::borrow::Cow;

/// The longest line that is read.
pub const LINE_BYTES_MAX: usize = 4_096;

/// The most events that are read.
pub const EVENTS_MAX: usize = 10_000;

/// The most points that a line can speak of.
const POINTS_MAX: i32 = 1_000_000;

/// The most players.
const PLAYERS_MAX: usize = 4;

impl Gcg {
    /// Reads a file: ISO-8859-1, unless its first line says that it is UTF-8. Lines end in any
    /// mix of CR and LF.
    pub fn read(bytes: &[u8]) -> Result<Self, GcgError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut gcg = Self::default();
        let mut encoding = Encoding::Latin1;
        let mut last = 1;
        for (line, bytes) in lines(bytes) {
            last = line;
            let at = |fault| GcgError { line, fault };
            if bytes.len() > LINE_BYTES_MAX {
                return Err(at(Fault::LongLine));
            }
            let text = encoding.decoded(bytes).ok_or(Fault::NotUtf8).map_err(at)?;
            let text = text.trim();
            if let Some(name) = text.strip_prefix("#character-encoding") {
                encoding = Encoding::named(name.trim()).map_err(at)?;
            } else if let Some(remark) = text.strip_prefix('#') {
                gcg.remark(remark).map_err(at)?;
            } else if let Some(event) = text.strip_prefix('>') {
                if gcg.events.len() == EVENTS_MAX {
                    return Err(at(Fault::TooManyEvents));
                }
                let event = gcg.event(line, event).map_err(at)?;
                gcg.events.push(event);
            } else if !text.is_empty() {
                return Err(at(Fault::NoEvent));
            }
        }
        if gcg.players.is_empty() { Err(GcgError { line: last, fault: Fault::Empty }) } else { Ok(gcg) }
    }

    fn remark(&mut self, remark: &str) -> Result<(), Fault> {
        let (name, rest) = remark.split_once(char::is_whitespace).unwrap_or((remark, ""));
        let Some(number) = name.strip_prefix("player") else {
            self.remarks.push((name.to_owned(), rest.trim().to_owned()));
            return Ok(());
        };
        let number: usize = number.parse().map_err(|_| Fault::NoPlayer)?;
        let mut words = rest.splitn(2, char::is_whitespace);
        let nick = words.next().filter(|nick| !nick.is_empty()).ok_or(Fault::NoPlayer)?;
        if number != self.players.len() + 1 || number > PLAYERS_MAX {
            return Err(Fault::NoPlayer);
        }
        let name = words.next().unwrap_or("").trim().to_owned();
        self.players.push(Player { nick: nick.to_owned(), name });
        Ok(())
    }

    fn event(&self, line: usize, text: &str) -> Result<Event, Fault> {
        let (nick, rest) = text.split_once(':').ok_or(Fault::Incomplete("a colon follows the name"))?;
        let player = self.players.iter().position(|player| player.nick == nick.trim());
        let player = player.ok_or_else(|| Fault::UnknownPlayer(nick.trim().chars().take(40).collect()))?;
        let mut words = rest.split_whitespace().peekable();
        let first = words.peek().copied().ok_or(Fault::Incomplete("it says nothing"))?;
        let no_rack = first.starts_with(['(', '-']) || place(first).is_some();
        let rack = if no_rack { "" } else { words.next().unwrap_or("") };
        let verb = words.next().ok_or(Fault::Incomplete("it ends after the rack"))?;
        let action = match verb {
            "--" => Action::Withdrawn,
            "-" => Action::Pass,
            "(challenge)" => Action::ChallengeBonus,
            "(time)" => Action::Time,
            _ => {
                let bracketed = verb.strip_prefix('(').and_then(|verb| verb.strip_suffix(')'));
                if let Some(tiles) = verb.strip_prefix('-') {
                    Action::Exchange(tiles.to_owned())
                } else if let Some(tiles) = bracketed {
                    let tiles = tiles.to_owned();
                    if no_rack { Action::EndBonus(tiles) } else { Action::EndPenalty(tiles) }
                } else {
                    let start = place(verb).ok_or(Fault::Incomplete("no place follows the rack"))?;
                    let tiles = words.next().ok_or(Fault::Incomplete("no tiles follow the place"))?;
                    Action::Play(start, tiles.to_owned())
                }
            }
        };
        let score = words.next().and_then(points).ok_or(Fault::Incomplete("the score is missing"))?;
        let total = words.next().and_then(points).ok_or(Fault::Incomplete("the total is missing"))?;
        Ok(Event { line, player, rack: rack.to_owned(), action, score, total })
    }
}

/// A number with or without a sign.
fn points(word: &str) -> Option<i32> {
    word.parse().ok().filter(|points: &i32| points.abs() <= POINTS_MAX)
}

/// A place; many programs write the column as a small letter.
fn place(word: &str) -> Option<Start> {
    if word.len() > 3 { None } else { word.to_ascii_uppercase().parse().ok() }
}

enum Encoding {
    Latin1,
    Utf8,
}

impl Encoding {
    fn named(name: &str) -> Result<Self, Fault> {
        match name.to_ascii_uppercase().as_str() {
            "UTF-8" | "UTF8" => Ok(Self::Utf8),
            "ISO-8859-1" | "ISO8859-1" => Ok(Self::Latin1),
            _ => Err(Fault::Encoding(name.chars().take(40).collect())),
        }
    }

    fn decoded<'b>(&self, bytes: &'b [u8]) -> Option<Cow<'b, str>> {
        match self {
            Self::Utf8 => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Self::Latin1 => Some(bytes.iter().copied().map(char::from).collect()),
        }
    }
}

/// The lines with their numbers; CR LF ends one line, not two.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(bytes);
    let mut number = 0;
    std::iter::from_fn(move || {
        let bytes = rest?;
        number += 1;
        let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
            rest = None;
            return Some((number, bytes));
        };
        let skip = if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = Some(&bytes[end + skip..]);
        Some((number, &bytes[..end]))
    })
}
