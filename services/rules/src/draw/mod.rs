//! The draw that decides who goes first: a machine that takes one pick at a time.
//!
//! Each contender of a round draws one tile of the full set. The lowest rank leads (a blank is
//! -1, a letter its index in the alphabet); those who share it draw again in the next round,
//! the others drop out. A tile drawn in a round is out of the bag for the rest of that round.
//!
//! A pick can be recomputed from its 32 bytes of entropy. The tiles that are left in the round
//! lie in the order of rank (the blanks, then the letters of the alphabet, equal tiles side by
//! side); [`Chance::of_entropy`] shuffles them; the last one is drawn.
//!
//! It doesn't know where entropy comes from, who the participants are, or where picks are kept.

pub mod decision;
pub mod error;
pub mod round;
pub mod seats;

use self::decision::Decision;
use self::error::{DrawError, RunError};
use self::round::{Pick, Round};
use crate::chance::Chance;
use crate::tile_set::{Tile, TileSet};
use std::ops::RangeInclusive;

/// How many may take part.
pub const PARTICIPANTS: RangeInclusive<u8> = 2..=4;

/// A draw that is still tied after so many rounds ends without a leader. With the shipped sets
/// that never happens: the chance of 100 tied rounds is below 10^-100.
pub const ROUNDS_MAX: usize = 1_000;

/// A draw in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    tile_set: &'static TileSet,
    participants: u8,
    /// Rounds that ended in a tie.
    tied: Vec<Round>,
    /// The round in progress; once the draw is over, the last one.
    current: Round,
}

impl Draw {
    /// A draw of `participants`, who are numbered from 0.
    ///
    /// Two different ranks and a tile for each are enough for a leader: while fewer than all
    /// share the lowest rank the circle shrinks, and of two one can always lead.
    pub fn new(tile_set: &'static TileSet, participants: u8) -> Result<Self, DrawError> {
        if !PARTICIPANTS.contains(&participants) {
            return Err(DrawError::Participants { participants });
        }
        if tile_set.total() < usize::from(participants) {
            return Err(DrawError::TooFewTiles { tile_set: tile_set.name(), participants });
        }
        if tile_set.faces().filter(|&(_, count)| count > 0).count() < 2 {
            return Err(DrawError::OneRank { tile_set: tile_set.name() });
        }
        let current = Round::new((0..participants).collect());
        Ok(Self { tile_set, participants, tied: Vec::new(), current })
    }

    /// A draw of `participants` of whom only the `contenders` draw, lowest number first. The others dropped out
    /// before it began, because something other than a tile said so.
    pub fn among(
        tile_set: &'static TileSet,
        participants: u8,
        contenders: impl IntoIterator<Item = u8>,
    ) -> Result<Self, DrawError> {
        let mut draw = Self::new(tile_set, participants)?;
        let contenders: Vec<u8> = contenders.into_iter().collect();
        if let Some(&participant) = contenders.iter().find(|contender| **contender >= participants) {
            return Err(DrawError::UnknownParticipant { participant, participants });
        }
        if contenders.len() < 2 || !contenders.is_sorted_by(|one, next| one < next) {
            return Err(DrawError::Participants { participants: contenders.len() as u8 });
        }
        draw.current = Round::new(contenders);
        Ok(draw)
    }

    /// The whole draw at once, each pick with the next entropy of the source.
    pub fn run<E>(
        tile_set: &'static TileSet,
        participants: u8,
        mut entropy: impl FnMut() -> Result<[u8; 32], E>,
    ) -> Result<Decision, RunError<E>> {
        let mut draw = Self::new(tile_set, participants)?;
        while !draw.is_over() {
            for participant in draw.waiting() {
                draw.draw(participant, &entropy().map_err(RunError::Entropy)?)?;
            }
        }
        draw.decision().ok_or(RunError::Draw(DrawError::NoLeader))
    }

    /// Draws the tile of one participant; those of a round may draw in any order.
    ///
    /// A refusal leaves the draw as it was.
    pub fn draw(&mut self, participant: u8, entropy: &[u8; 32]) -> Result<Pick, DrawError> {
        self.admit(participant)?;
        let mut bag = self.bag();
        Chance::of_entropy(entropy).shuffle(&mut bag);
        let (tile_set, participants) = (self.tile_set.name(), self.participants);
        let tile = bag.pop().ok_or(DrawError::TooFewTiles { tile_set, participants })?;
        let pick = Pick {
            participant,
            letter: self.tile_set.text(tile).to_owned(),
            blank: tile.is_blank(),
            rank: tile.rank(),
            entropy: *entropy,
        };
        self.place(pick.clone());
        Ok(pick)
    }

    /// Takes a tile that a participant drew by hand. Nothing proves it: its entropy is zeros.
    ///
    /// A refusal leaves the draw as it was.
    pub fn record(&mut self, participant: u8, tile: Tile) -> Result<Pick, DrawError> {
        self.admit(participant)?;
        if !self.bag().contains(&tile) {
            return Err(DrawError::NoSuchTile);
        }
        let pick = Pick {
            participant,
            letter: self.tile_set.text(tile).to_owned(),
            blank: tile.is_blank(),
            rank: tile.rank(),
            entropy: [0; 32],
        };
        self.place(pick.clone());
        Ok(pick)
    }

    /// The set that is drawn from.
    pub const fn tile_set(&self) -> &'static TileSet {
        self.tile_set
    }

    /// How many take part.
    pub const fn participants(&self) -> u8 {
        self.participants
    }

    /// Every round so far, with the one in progress.
    pub fn rounds(&self) -> impl Iterator<Item = &Round> {
        self.tied.iter().chain(std::iter::once(&self.current))
    }

    /// Who has yet to draw in this round, lowest number first; no one once the draw is over.
    pub fn waiting(&self) -> Vec<u8> {
        self.current.waiting()
    }

    /// Whether nothing is left to draw: someone leads, or the bound of rounds is reached.
    pub fn is_over(&self) -> bool {
        self.current.leaders().is_some()
    }

    /// Who goes first, once that is known.
    pub fn winner(&self) -> Option<u8> {
        match self.current.leaders()?[..] {
            [winner] => Some(winner),
            _ => None,
        }
    }

    /// What the draw came to, once it is over.
    pub fn decision(self) -> Option<Decision> {
        let winner = self.winner()?;
        let Self { tile_set, participants, tied: mut rounds, current } = self;
        rounds.push(current);
        Some(Decision { tile_set, participants, winner, rounds })
    }

    /// Refuses a participant whose turn it isn't.
    fn admit(&self, participant: u8) -> Result<(), DrawError> {
        if participant >= self.participants {
            return Err(DrawError::UnknownParticipant { participant, participants: self.participants });
        }
        if let Some(winner) = self.winner() {
            return Err(DrawError::Over { winner });
        }
        if self.is_over() {
            return Err(DrawError::NoLeader);
        }
        if !self.current.contenders.contains(&participant) {
            return Err(DrawError::DroppedOut { participant });
        }
        if !self.waiting().contains(&participant) {
            return Err(DrawError::AlreadyDrew { participant });
        }
        Ok(())
    }

    /// The tiles that are left in this round, in the order of rank.
    fn bag(&self) -> Vec<Tile> {
        let left = |(tile, count): (Tile, u8)| {
            let drawn = self.current.picks.iter().filter(|pick| pick.rank == tile.rank()).count();
            std::iter::repeat_n(tile, usize::from(count).saturating_sub(drawn))
        };
        self.tile_set.faces().flat_map(left).collect()
    }

    /// Adds a pick that was admitted, and starts the next round if it completed a tied one.
    fn place(&mut self, pick: Pick) {
        self.current.picks.push(pick);
        let Some(leaders) = self.current.leaders() else { return };
        if leaders.len() > 1 && self.tied.len() + 1 < ROUNDS_MAX {
            let tied = std::mem::replace(&mut self.current, Round::new(leaders));
            self.tied.push(tied);
        }
    }
}
