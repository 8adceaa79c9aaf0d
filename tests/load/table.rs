//! One table: two sockets that open a game, play it by turns, and begin the next. It says what
//! to send and when a move is done; it owns no socket and reads no clock.

use crate::board::{Board, PITS};
use crate::frame::{self, Frame, Update};
use anyhow::{Result, bail, ensure};
use std::fmt::Write;
use std::time::Instant;
use uuid::Uuid;

/// One of the two sockets of a table.
pub(crate) type Side = usize;
/// The side that opens the games.
pub(crate) const OPENER: Side = 0;
const JOINER: Side = 1;

/// What opens a game.
pub(crate) const UNTIMED: &str = r#""newFriendGame":{"game":"kalah"}"#;
/// What opens a game with clocks that run longer than any measurement.
pub(crate) const TIMED: &str = r#""newFriendGame":{"game":"kalah","clock":{"initial":"10800s"}}"#;

/// What a frame brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing to do.
    Wait,
    /// The text in [`Table::outbox`] is to be sent on this side.
    Send(Side),
    /// Both sockets have the update of the move that was due at an instant; the next may go,
    /// unless it was the game's last: then the end comes by itself.
    Moved { due: Instant, last: bool },
    /// A game has begun, the first move may go.
    Ready,
}

/// The move under way.
struct UnderWay {
    due: Instant,
    pit: usize,
    after: Board,
    seen: [bool; 2],
}

/// A table of two sockets.
pub(crate) struct Table {
    /// The text to send, after [`Step::Send`] and [`Table::begin_move`].
    pub(crate) outbox: String,
    /// Games that have ended, with their numbers of moves.
    pub(crate) finished: Vec<(String, u32)>,
    /// Updates whose board was compared with one's own.
    pub(crate) boards_checked: u64,
    pub(crate) game_id: String,
    opening: &'static str,
    /// The game whose start the opener was told of last.
    announced: String,
    seats: [usize; 2],
    board: Board,
    /// The revision that both sockets have.
    pub(crate) revision: u32,
    /// The newest revision that a frame has told of: an acknowledgement or an update.
    pub(crate) told: u32,
    /// Moves of this game.
    pub(crate) number: u32,
    under_way: Option<UnderWay>,
    in_play: bool,
    /// After so many moves whoever is to move resigns.
    pub(crate) moves_max: u32,
    resigned: bool,
    ended: [bool; 2],
    ids: u128,
    random: u64,
}

impl Table {
    /// A table whose games are opened with these words.
    pub(crate) fn new(opening: &'static str) -> Self {
        #[expect(clippy::disallowed_methods, reason = "a client makes up its request ids itself")]
        let ids = Uuid::now_v7().as_u128();
        Self {
            outbox: String::new(),
            finished: Vec::new(),
            boards_checked: 0,
            game_id: String::new(),
            opening,
            announced: String::new(),
            seats: [0, 1],
            board: Board::new(0),
            revision: 0,
            told: 0,
            number: 0,
            under_way: None,
            in_play: false,
            moves_max: u32::MAX,
            resigned: false,
            ended: [false; 2],
            ids,
            random: (ids as u64) | 1,
        }
    }

    /// Opens the next game. One that goes on is left as it is.
    pub(crate) fn begin_game(&mut self) -> Result<Side> {
        self.in_play = false;
        self.game_id.clear();
        self.write_frame(self.opening)?;
        Ok(OPENER)
    }

    /// Makes the next move, which was due at an instant, or resigns instead.
    pub(crate) fn begin_move(&mut self, due: Instant) -> Result<Side> {
        ensure!(self.under_way.is_none() && !self.board.is_over(), "a move was begun out of turn");
        let mover = usize::from(self.seats[JOINER] == self.board.to_move());
        let (game, revision) = (std::mem::take(&mut self.game_id), self.revision);
        if self.number >= self.moves_max {
            self.write_frame(format_args!(r#""resign":{{"gameId":"{game}"}}"#))?;
            (self.game_id, self.resigned) = (game, true);
            return Ok(mover);
        }
        let pit = self.pick();
        let mut after = self.board;
        after.sow(pit);
        self.write_frame(format_args!(
            r#""move":{{"gameId":"{game}","revision":{revision},"move":{{"pit":{pit}}}}}"#
        ))?;
        self.game_id = game;
        self.under_way = Some(UnderWay { due, pit, after, seen: [false; 2] });
        Ok(mover)
    }

    fn pick(&mut self) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let mut pit = 1 + (self.random % PITS as u64) as usize;
        while !self.board.may_sow(pit) {
            pit = 1 + pit % PITS;
        }
        pit
    }

    fn write_frame(&mut self, operation: impl std::fmt::Display) -> Result<()> {
        self.ids = self.ids.wrapping_add(1);
        let id = Uuid::from_u128(self.ids);
        self.outbox.clear();
        Ok(write!(self.outbox, r#"{{"id":"{id}",{operation}}}"#)?)
    }

    /// Takes in what came on a side.
    pub(crate) fn take(&mut self, side: Side, frame: &Frame<'_>) -> Result<Step> {
        match frame {
            Frame::Update(update) => self.updated(side, update),
            Frame::Ack { game_id, revision } => {
                if *game_id == self.game_id.as_bytes() {
                    self.told = self.told.max(*revision);
                }
                Ok(Step::Wait)
            }
            Frame::Searching { game_id, .. } => {
                std::str::from_utf8(game_id)?.clone_into(&mut self.game_id);
                self.told = 0;
                self.join_if_announced()
            }
            Frame::Start { table, .. } if side == OPENER => {
                std::str::from_utf8(table.game_id)?.clone_into(&mut self.announced);
                self.join_if_announced()
            }
            Frame::Start { answer: true, table } if side == JOINER => self.started(table),
            Frame::End { game_id } if *game_id == self.game_id.as_bytes() => self.over(side),
            Frame::Error { code, message } => {
                bail!("{}: {}", String::from_utf8_lossy(code), String::from_utf8_lossy(message))
            }
            _ => Ok(Step::Wait),
        }
    }

    /// Once the opener is shown the table, its updates will come; before, a move might be part of
    /// what is shown.
    fn join_if_announced(&mut self) -> Result<Step> {
        if self.in_play || self.game_id.is_empty() || self.game_id != self.announced {
            return Ok(Step::Wait);
        }
        let game = std::mem::take(&mut self.announced);
        self.write_frame(format_args!(r#""joinGame":{{"gameId":"{game}"}}"#))?;
        Ok(Step::Send(JOINER))
    }

    fn started(&mut self, table: &frame::Table<'_>) -> Result<Step> {
        ensure!(
            table.game_id == self.game_id.as_bytes(),
            "another game started than the one that was joined"
        );
        let Some(seat @ 0..=1) = table.your_seat else { bail!("a start without a seat") };
        self.seats = [1 - seat as usize, seat as usize];
        self.board = Board::new(table.first_seat as usize);
        self.revision = table.revision;
        self.told = table.revision;
        self.number = 0;
        self.in_play = true;
        self.resigned = false;
        self.ended = [false; 2];
        self.check(&self.board, &table.shown)?;
        Ok(Step::Ready)
    }

    fn updated(&mut self, side: Side, update: &Update<'_>) -> Result<Step> {
        if self.resigned {
            return Ok(Step::Wait);
        }
        let Some(mut under_way) = self.under_way.take() else { bail!("an update that nobody asked for") };
        ensure!(update.game_id == self.game_id.as_bytes(), "an update of another game");
        ensure!(update.revision == self.revision + 1, "revision {} after {}", update.revision, self.revision);
        ensure!(update.number == self.number + 1, "move {} after {}", update.number, self.number);
        ensure!(update.seat == Some(self.board.to_move() as u32), "the update names another seat");
        ensure!(update.pit == Some(under_way.pit as u32), "the update has another move");
        let to_move = (!under_way.after.is_over()).then(|| under_way.after.to_move() as u32);
        ensure!(update.to_move == to_move, "the update has another seat to move");
        self.check(&under_way.after, &update.shown)?;
        self.boards_checked += 1;
        self.told = self.told.max(update.revision);
        ensure!(!std::mem::replace(&mut under_way.seen[side], true), "an update came twice");
        if under_way.seen != [true; 2] {
            self.under_way = Some(under_way);
            return Ok(Step::Wait);
        }
        self.board = under_way.after;
        self.revision = update.revision;
        self.number = update.number;
        Ok(Step::Moved { due: under_way.due, last: self.board.is_over() })
    }

    fn check(&self, board: &Board, shown: &frame::Shown) -> Result<()> {
        ensure!(
            board.shows(&shown.pits, shown.stores),
            "game {}: {shown:?} instead of {board:?}",
            self.game_id
        );
        Ok(())
    }

    fn over(&mut self, side: Side) -> Result<Step> {
        self.ended[side] = true;
        if self.ended != [true; 2] {
            return Ok(Step::Wait);
        }
        ensure!(self.board.is_over() || self.resigned, "game {} ended early", self.game_id);
        self.in_play = false;
        self.finished.push((std::mem::take(&mut self.game_id), self.number));
        Ok(Step::Send(self.begin_game()?))
    }

    /// How many changes that were told of a table doesn't have; its board must be one that was played.
    pub(crate) fn missing(&self, table: &frame::Table<'_>) -> Result<u32> {
        if !self.in_play {
            return Ok(0);
        }
        let under_way = self.under_way.as_ref().map(|under_way| &under_way.after);
        if table.revision == self.revision {
            self.check(&self.board, &table.shown)?;
        } else if let Some(after) = under_way.filter(|_| table.revision == self.revision + 1) {
            self.check(after, &table.shown)?;
        } else {
            ensure!(table.revision < self.revision, "game {} holds what nobody played", self.game_id);
        }
        Ok(self.told.saturating_sub(table.revision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Shown;

    fn start(side: Side) -> Frame<'static> {
        let shown = Shown { pits: [[4; PITS]; 2], stores: [0, 0] };
        let table = frame::Table {
            game_id: b"g",
            revision: 1,
            your_seat: Some(side as u32),
            shown,
            ..Default::default()
        };
        Frame::Start { answer: side == JOINER, table }
    }

    fn update(revision: u32) -> Frame<'static> {
        let shown = Shown { pits: [[4, 4, 0, 5, 5, 5], [4; PITS]], stores: [1, 0] };
        let (seat, pit, to_move) = (Some(0), Some(3), Some(0));
        Frame::Update(Update { game_id: b"g", revision, number: 1, seat, pit, to_move, shown })
    }

    fn playing() -> Table {
        let mut table = Table::new(UNTIMED);
        assert_eq!(table.begin_game().unwrap(), OPENER);
        assert_eq!(
            table.take(OPENER, &Frame::Searching { game_id: b"g", joined: false }).unwrap(),
            Step::Wait
        );
        assert_eq!(table.take(OPENER, &start(OPENER)).unwrap(), Step::Send(JOINER));
        assert_eq!(table.take(JOINER, &start(JOINER)).unwrap(), Step::Ready);
        // The third pit is the one that moves again; the pick walks on from there.
        while table.under_way.as_ref().is_none_or(|under_way| under_way.pit != 3) {
            table.under_way = None;
            assert_eq!(table.begin_move(crate::drive::now()).unwrap(), OPENER);
        }
        table
    }

    #[test]
    fn a_move_is_done_when_both_have_it() {
        let mut table = playing();
        assert_eq!(table.take(JOINER, &update(2)).unwrap(), Step::Wait);
        assert!(matches!(table.take(OPENER, &update(2)).unwrap(), Step::Moved { last: false, .. }));
        assert_eq!((table.told, table.number, table.boards_checked), (2, 1, 2));
    }

    #[test]
    fn a_wrong_board_or_revision_is_an_error() {
        assert!(playing().take(OPENER, &update(3)).is_err());
        let Frame::Update(mut wrong) = update(2) else { panic!() };
        wrong.shown.stores = [0, 1];
        assert!(playing().take(OPENER, &Frame::Update(wrong)).is_err());
    }

    #[test]
    fn what_was_told_and_is_gone_is_missing() {
        let mut table = playing();
        table.take(OPENER, &update(2)).unwrap();
        let Frame::Start { table: before, .. } = start(JOINER) else { panic!() };
        assert_eq!(table.missing(&before).unwrap(), 1);
    }
}
