//! `astragal gcg view`: a game board by board, stepped by keys in a terminal and printed whole elsewhere.

use super::{difference, nick, plain};
use crate::file;
use crate::terminal::{Key, Terminal};
use anyhow::{Context, Result};
use astragal_rules::crossword::edition::{Edition, Variant};
use astragal_rules::crossword::gcg::Gcg;
use astragal_rules::crossword::gcg::score::Scored;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// How one goes on, below every board.
const HINT: &str = "right: next, left: previous, home: first, end: last, q: quit";

/// Shows the boards up to the end, or up to the event that the rules don't agree with, which is an error then.
#[expect(clippy::print_stdout, reason = "what is printed is what the command is for")]
pub(super) fn run(path: &Path, variant: Variant) -> Result<()> {
    let gcg = Gcg::read(&file::bytes(path)?).with_context(|| path.display().to_string())?;
    let edition = variant.edition();
    let mut pages = Vec::with_capacity(gcg.events.len() + 1);
    let mut differs = None;
    for (number, step) in gcg.steps(edition).enumerate() {
        match step {
            Ok(scored) => pages.push(page(&gcg, edition, number, &scored)?),
            Err(error) => {
                differs = Some(error);
                break;
            }
        }
    }
    match Terminal::open()? {
        Some(mut terminal) => browse(&mut terminal, &pages)?,
        None => print!("{}", pages.join("\n")),
    }
    differs.map_or(Ok(()), |error| Err(difference(path, &gcg, &error)))
}

/// What happened, the board after it, and the totals.
fn page(gcg: &Gcg, edition: &Edition, number: usize, scored: &Scored) -> Result<String> {
    let mut page = String::new();
    match number.checked_sub(1).and_then(|index| gcg.events.get(index)) {
        None => writeln!(page, "{} events", gcg.events.len())?,
        Some(event) => {
            let (events, event_text) = (gcg.events.len(), plain(&event.to_string()));
            writeln!(page, "{number} of {events}, line {}: >{}: {event_text}", event.line, nick(gcg, event))?;
        }
    }
    writeln!(page, "   {}", spaced("ABCDEFGHIJKLMNO"))?;
    for (number, row) in (1..).zip(scored.board.rows(edition)) {
        writeln!(page, "{number:>2} {}", spaced(&row))?;
    }
    let totals = gcg.players.iter().zip(&scored.totals);
    let totals: Vec<_> = totals.map(|(player, total)| format!("{} {total}", plain(&player.nick))).collect();
    writeln!(page, "{}", totals.join(", "))?;
    Ok(page)
}

fn spaced(row: &str) -> String {
    row.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

fn browse(terminal: &mut Terminal, pages: &[String]) -> io::Result<()> {
    let mut at = Some(0);
    while let Some(page) = at.and_then(|at| pages.get(at)) {
        terminal.show(&format!("{page}\n{HINT}\n"))?;
        for key in terminal.keys()? {
            at = at.and_then(|at| turned(at, key, pages.len()));
        }
    }
    Ok(())
}

/// The page after a key; none: that was enough.
fn turned(at: usize, key: Key, pages: usize) -> Option<usize> {
    let last = pages.saturating_sub(1);
    match key {
        Key::Next => Some(last.min(at + 1)),
        Key::Previous => Some(at.saturating_sub(1)),
        Key::First => Some(0),
        Key::Last => Some(last),
        Key::Quit => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_turn_pages_and_stay_among_them() {
        for (at, key, after) in [
            (0, Key::Next, Some(1)),
            (2, Key::Next, Some(2)),
            (2, Key::Previous, Some(1)),
            (0, Key::Previous, Some(0)),
            (1, Key::Last, Some(2)),
            (2, Key::First, Some(0)),
            (1, Key::Quit, None),
        ] {
            assert_eq!(turned(at, key, 3), after, "{key:?} at {at}");
        }
    }
}
