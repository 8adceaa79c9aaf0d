//! Two sockets that end a game, ask for a rematch, accept it and are in the next one. It says what to send and when
//! something is done; it owns no socket and reads no clock. Whatever is told twice, too early or of another game is
//! an error.

use crate::frame::Frame;
use anyhow::{Result, bail, ensure};
use std::fmt::{Display, Write};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Who opens the first game and asks for every rematch.
const ASKER: usize = 0;
const ACCEPTER: usize = 1;

/// What a frame brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing to do.
    Wait,
    /// What the pair [says](Pair::says) is to be sent on this side.
    Send(usize),
    /// The request is at the opponent, after so long.
    Requested(Duration),
    /// The next game has started at both, so long after it was accepted.
    Started(Duration),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The first game is being opened.
    Opening,
    Playing,
    /// Somebody has given up; by side, who has heard of the end.
    Ending([bool; 2]),
    Over,
    Asked(Instant),
    /// By side, who is in the next game.
    Accepted(Instant, [bool; 2]),
}

/// Two people who play on.
pub(crate) struct Pair {
    /// The text to send.
    outbox: String,
    game_id: String,
    next_id: String,
    stage: Stage,
    ids: u128,
}

impl Pair {
    pub(crate) fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a client makes up its request ids itself")]
        let ids = Uuid::now_v7().as_u128();
        let (outbox, game_id, next_id) = Default::default();
        Self { outbox, game_id, next_id, stage: Stage::Opening, ids }
    }

    /// Opens the first game.
    pub(crate) fn open(&mut self) -> Result<usize> {
        self.write_frame(r#""newFriendGame":{"game":"kalah"}"#)?;
        Ok(ASKER)
    }

    pub(crate) const fn is_playing(&self) -> bool {
        matches!(self.stage, Stage::Playing)
    }

    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// Gives up.
    pub(crate) fn resign(&mut self) -> Result<usize> {
        self.stage = Stage::Ending([false; 2]);
        self.about_the_game("resign", ASKER)
    }

    /// Asks for a rematch, which was due at an instant.
    pub(crate) fn ask(&mut self, due: Instant) -> Result<usize> {
        self.stage = Stage::Asked(due);
        self.about_the_game("rematch", ASKER)
    }

    /// Accepts it.
    pub(crate) fn accept(&mut self, at: Instant) -> Result<usize> {
        self.stage = Stage::Accepted(at, [false; 2]);
        self.about_the_game("rematch", ACCEPTER)
    }

    fn about_the_game(&mut self, operation: &str, side: usize) -> Result<usize> {
        let game = std::mem::take(&mut self.game_id);
        self.write_frame(format_args!(r#""{operation}":{{"gameId":"{game}"}}"#))?;
        self.game_id = game;
        Ok(side)
    }

    /// What is in the outbox, on a side of the pair of this number.
    pub(crate) fn says(&self, number: usize, side: usize) -> (usize, String) {
        (2 * number + side, self.outbox.clone())
    }

    fn write_frame(&mut self, operation: impl Display) -> Result<()> {
        self.ids = self.ids.wrapping_add(1);
        let id = Uuid::from_u128(self.ids);
        self.outbox.clear();
        Ok(write!(self.outbox, r#"{{"id":"{id}",{operation}}}"#)?)
    }

    /// Takes in what came on a side.
    pub(crate) fn take(&mut self, side: usize, frame: &Frame<'_>, at: Instant) -> Result<Step> {
        match frame {
            Frame::Searching { game_id, .. } => {
                std::str::from_utf8(game_id)?.clone_into(&mut self.game_id);
                self.about_the_game("joinGame", ACCEPTER).map(Step::Send)
            }
            Frame::Start { table, .. } => self.started(side, table.game_id, at),
            Frame::End { game_id } if *game_id == self.game_id.as_bytes() => self.ended(side),
            Frame::RematchRequest { game_id } => {
                ensure!(side == ACCEPTER && *game_id == self.game_id.as_bytes(), "asked about another game");
                let Stage::Asked(due) = self.stage else { bail!("a request that nobody made, or twice") };
                Ok(Step::Requested(at - due))
            }
            Frame::RematchEnded { reason } => {
                bail!("the rematch ended: {}", String::from_utf8_lossy(reason))
            }
            Frame::Error { code, message } => {
                bail!("{}: {}", String::from_utf8_lossy(code), String::from_utf8_lossy(message))
            }
            _ => Ok(Step::Wait),
        }
    }

    fn ended(&mut self, side: usize) -> Result<Step> {
        let Stage::Ending(mut heard) = self.stage else { bail!("an end out of turn") };
        ensure!(!std::mem::replace(&mut heard[side], true), "an end came twice");
        self.stage = if heard == [true; 2] { Stage::Over } else { Stage::Ending(heard) };
        Ok(Step::Wait)
    }

    fn started(&mut self, side: usize, game_id: &[u8], at: Instant) -> Result<Step> {
        let game_id = std::str::from_utf8(game_id)?;
        match self.stage {
            // The start of the first game is told to its opener at the opening too.
            Stage::Opening | Stage::Playing if self.next_id.is_empty() => {
                if side == ACCEPTER {
                    self.stage = Stage::Playing;
                }
                Ok(Step::Wait)
            }
            Stage::Accepted(accepted, mut there) => {
                if there == [false; 2] {
                    game_id.clone_into(&mut self.next_id);
                }
                ensure!(game_id == self.next_id && game_id != self.game_id, "they are in two games");
                ensure!(!std::mem::replace(&mut there[side], true), "a start came twice");
                if there != [true; 2] {
                    self.stage = Stage::Accepted(accepted, there);
                    return Ok(Step::Wait);
                }
                std::mem::swap(&mut self.game_id, &mut self.next_id);
                self.stage = Stage::Playing;
                Ok(Step::Started(at - accepted))
            }
            _ => bail!("a start out of turn"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Table;

    const MS: Duration = Duration::from_millis(1);

    fn start(game_id: &[u8]) -> Frame<'_> {
        Frame::Start { answer: false, table: Table { game_id, ..Table::default() } }
    }

    fn playing(at: Instant) -> Pair {
        let mut pair = Pair::new();
        assert_eq!(pair.open().unwrap(), ASKER);
        assert_eq!(
            pair.take(ASKER, &Frame::Searching { game_id: b"g", joined: false }, at).unwrap(),
            Step::Send(ACCEPTER)
        );
        for side in [ACCEPTER, ASKER] {
            assert_eq!(pair.take(side, &start(b"g"), at).unwrap(), Step::Wait);
        }
        assert!(pair.is_playing());
        pair
    }

    fn asked(at: Instant) -> Pair {
        let mut pair = playing(at);
        pair.resign().unwrap();
        for side in [ASKER, ACCEPTER] {
            assert_eq!(pair.take(side, &Frame::End { game_id: b"g" }, at).unwrap(), Step::Wait);
        }
        assert!(pair.is_over());
        assert_eq!(pair.ask(at).unwrap(), ASKER);
        assert!(pair.outbox.ends_with(r#""rematch":{"gameId":"g"}}"#), "{}", pair.outbox);
        pair
    }

    #[test]
    fn a_rematch_is_measured_to_the_opponent_and_to_both() {
        let at = now();
        let mut pair = asked(at);
        let request = Frame::RematchRequest { game_id: b"g" };
        assert_eq!(pair.take(ACCEPTER, &request, at + 3 * MS).unwrap(), Step::Requested(3 * MS));
        assert_eq!(pair.accept(at + 4 * MS).unwrap(), ACCEPTER);
        assert_eq!(pair.take(ACCEPTER, &start(b"h"), at + 6 * MS).unwrap(), Step::Wait);
        assert!(!pair.is_playing());
        assert_eq!(pair.take(ASKER, &start(b"h"), at + 9 * MS).unwrap(), Step::Started(5 * MS));
        assert!(pair.is_playing());
    }

    #[test]
    fn what_is_told_twice_or_of_another_game_is_an_error() {
        let at = now();
        let mut pair = asked(at);
        assert!(pair.take(ACCEPTER, &Frame::RematchRequest { game_id: b"f" }, at).is_err());
        assert!(pair.take(ASKER, &Frame::RematchEnded { reason: b"offline" }, at).is_err());
        pair.accept(at).unwrap();
        assert!(pair.take(ACCEPTER, &Frame::RematchRequest { game_id: b"g" }, at).is_err());
        assert!(pair.take(ACCEPTER, &start(b"g"), at).is_err());
        pair.take(ACCEPTER, &start(b"h"), at).unwrap();
        assert!(pair.take(ACCEPTER, &start(b"h"), at).is_err());
        assert!(pair.take(ASKER, &start(b"i"), at).is_err());
    }

    fn now() -> Instant {
        crate::drive::now()
    }
}
