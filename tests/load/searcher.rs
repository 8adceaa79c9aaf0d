//! Somebody who looks for a game of a kind, and gives it up once it is full. It says what to send and when something is
//! done; it owns no socket and reads no clock.

use crate::frame::Frame;
use anyhow::{Result, bail, ensure};
use std::fmt::{Display, Write};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// What a frame brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing to tell.
    Wait,
    /// A game was opened, and waits for somebody.
    Opened,
    /// Every seat is taken, so long after the search began.
    Matched(Duration),
    /// The game is over.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Idle,
    Looking(Instant),
    Matched,
}

/// Somebody who looks, one game after the other.
pub(crate) struct Searcher {
    /// The text to send.
    pub(crate) outbox: String,
    stage: Stage,
    /// As the answer to the search says; empty before it.
    game_id: String,
    /// The last game of which it was heard that every seat is taken.
    full_id: String,
    joined: bool,
    ids: u128,
}

/// What is looked for: no two numbers below 9,676,808 are the same kind of game. No clock runs while a game waits, so
/// those who wait may be away.
pub(crate) fn kind(number: u32) -> String {
    let (seeds, capture) = (3 + number % 4, ["standard", "empty"][number as usize / 4 % 2]);
    let per_move = 3_600 + number / 8;
    format!(
        r#""newGame":{{"game":"kalah","options":{{"seeds":{seeds},"capture":"{capture}"}},"clock":{{"perMove":"{per_move}s"}}}}"#
    )
}

impl Searcher {
    pub(crate) fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a client makes up its request ids itself")]
        let ids = Uuid::now_v7().as_u128();
        let (outbox, game_id, full_id) = Default::default();
        Self { outbox, stage: Stage::Idle, game_id, full_id, joined: false, ids }
    }

    /// Begins a search.
    pub(crate) fn look(&mut self, kind: &str, at: Instant) -> Result<()> {
        ensure!(self.stage == Stage::Idle, "a search begins before the last game is over");
        self.stage = Stage::Looking(at);
        self.game_id.clear();
        self.write_frame(kind)
    }

    /// Gives the game up.
    pub(crate) fn resign(&mut self) -> Result<()> {
        let game = std::mem::take(&mut self.game_id);
        self.write_frame(format_args!(r#""resign":{{"gameId":"{game}"}}"#))?;
        self.game_id = game;
        Ok(())
    }

    /// Whether somebody else had opened the game.
    pub(crate) const fn has_joined(&self) -> bool {
        self.joined
    }

    fn write_frame(&mut self, operation: impl Display) -> Result<()> {
        self.ids = self.ids.wrapping_add(1);
        let id = Uuid::from_u128(self.ids);
        self.outbox.clear();
        Ok(write!(self.outbox, r#"{{"id":"{id}",{operation}}}"#)?)
    }

    /// Takes in what came.
    pub(crate) fn take(&mut self, frame: &Frame<'_>, at: Instant) -> Result<Step> {
        match frame {
            Frame::Searching { game_id, joined } => {
                ensure!(self.game_id.is_empty(), "a search was answered twice");
                std::str::from_utf8(game_id)?.clone_into(&mut self.game_id);
                self.joined = *joined;
                let step = self.matched(at);
                Ok(if step == Step::Wait && !joined { Step::Opened } else { step })
            }
            Frame::Start { table, .. } if !table.waits => self.full(table.game_id, at),
            Frame::SeatTaken { game_id } => self.full(game_id, at),
            Frame::End { game_id } if *game_id == self.game_id.as_bytes() => {
                ensure!(self.stage == Stage::Matched, "a game ended that was not full");
                self.stage = Stage::Idle;
                Ok(Step::Over)
            }
            Frame::Error { code, message } => {
                bail!("{}: {}", String::from_utf8_lossy(code), String::from_utf8_lossy(message))
            }
            _ => Ok(Step::Wait),
        }
    }

    fn full(&mut self, game_id: &[u8], at: Instant) -> Result<Step> {
        std::str::from_utf8(game_id)?.clone_into(&mut self.full_id);
        Ok(self.matched(at))
    }

    /// The answer and the news of the last seat come on two ways, so either may be first.
    fn matched(&mut self, at: Instant) -> Step {
        match self.stage {
            Stage::Looking(since) if !self.game_id.is_empty() && self.game_id == self.full_id => {
                self.stage = Stage::Matched;
                Step::Matched(at - since)
            }
            _ => Step::Wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Table;
    use std::collections::BTreeSet;

    const MS: Duration = Duration::from_millis(1);

    fn looking(at: Instant) -> Searcher {
        let mut searcher = Searcher::new();
        searcher.look(&kind(9), at).unwrap();
        assert!(
            searcher.outbox.contains(r#""newGame":{"game":"kalah","options":{"seeds":4,"#),
            "{}",
            searcher.outbox
        );
        searcher
    }

    fn start(game_id: &[u8], waits: bool) -> Frame<'_> {
        Frame::Start { answer: false, table: Table { game_id, waits, ..Table::default() } }
    }

    const fn searching(joined: bool) -> Frame<'static> {
        Frame::Searching { game_id: b"g", joined }
    }

    #[test]
    fn whoever_opens_is_matched_when_the_last_seat_is_taken() {
        let at = crate::drive::now();
        let mut opener = looking(at);
        assert_eq!(opener.take(&searching(false), at + MS).unwrap(), Step::Opened);
        assert_eq!(opener.take(&start(b"g", true), at + MS).unwrap(), Step::Wait);
        assert_eq!(
            opener.take(&Frame::SeatTaken { game_id: b"g" }, at + 5 * MS).unwrap(),
            Step::Matched(5 * MS)
        );
        assert!(!opener.has_joined());
        opener.resign().unwrap();
        assert!(opener.outbox.ends_with(r#""resign":{"gameId":"g"}}"#), "{}", opener.outbox);
        assert_eq!(opener.take(&Frame::End { game_id: b"g" }, at).unwrap(), Step::Over);
        opener.look(&kind(9), at).unwrap();
    }

    #[test]
    fn whoever_joins_is_matched_however_the_news_overtake_each_other() {
        let at = crate::drive::now();
        for answer_first in [true, false] {
            let (mut joiner, mut steps) = (looking(at), Vec::new());
            let mut frames = [searching(true), start(b"g", false)];
            if !answer_first {
                frames.reverse();
            }
            for frame in &frames {
                steps.push(joiner.take(frame, at + 2 * MS).unwrap());
            }
            assert_eq!(steps, [Step::Wait, Step::Matched(2 * MS)]);
            assert!(joiner.has_joined());
        }
    }

    #[test]
    fn news_of_other_games_match_nobody_and_a_refusal_is_an_error() {
        let at = crate::drive::now();
        let mut searcher = looking(at);
        assert_eq!(searcher.take(&start(b"f", false), at).unwrap(), Step::Wait);
        assert_eq!(searcher.take(&searching(false), at).unwrap(), Step::Opened);
        assert_eq!(searcher.take(&Frame::End { game_id: b"f" }, at).unwrap(), Step::Wait);
        assert!(searcher.take(&searching(false), at).is_err(), "twice");
        assert!(searcher.look(&kind(1), at).is_err(), "it looks already");
        assert!(searcher.take(&Frame::Error { code: b"ALREADY_SEARCHING", message: b"" }, at).is_err());
    }

    #[test]
    fn no_two_kinds_are_the_same() {
        let kinds: BTreeSet<_> = (0..1_000).map(kind).collect();
        assert_eq!(kinds.len(), 1_000);
    }
}
