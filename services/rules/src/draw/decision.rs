//! A draw that is over, as a plain value that anyone can recompute.

use super::Draw;
use super::error::RecordError;
use super::round::{Pick, Round};
use super::seats::seat_of;
use crate::tile_set::TileSet;

/// What a draw came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The set that was drawn from.
    pub tile_set: &'static TileSet,
    /// How many took part.
    pub participants: u8,
    /// Who goes first.
    pub winner: u8,
    /// Every pick of every round.
    pub rounds: Vec<Round>,
}

impl Decision {
    /// The seat in which a participant ends: the winner's is 0.
    pub fn seat_of(&self, participant: u8) -> u8 {
        seat_of(participant, self.winner, self.participants)
    }

    /// Recomputes every tile from its entropy, and the rounds and the winner from the tiles.
    pub fn check(&self) -> Result<(), RecordError> {
        let picks = self.rounds.iter().flat_map(|round| &round.picks);
        let again = Draw::restore(self.tile_set, self.participants, picks)?.decision();
        if again.as_ref() == Some(self) { Ok(()) } else { Err(RecordError::Unlike) }
    }
}

impl Draw {
    /// Takes up a recorded draw where it stopped, provided that each pick is what its entropy
    /// gives.
    pub fn restore<'p>(
        tile_set: &'static TileSet,
        participants: u8,
        picks: impl IntoIterator<Item = &'p Pick>,
    ) -> Result<Self, RecordError> {
        Self::new(tile_set, participants)?.resume(picks)
    }

    /// Draws recorded picks again, provided that each is what its entropy gives.
    pub fn resume<'p>(self, picks: impl IntoIterator<Item = &'p Pick>) -> Result<Self, RecordError> {
        let mut draw = self;
        for recorded in picks {
            let (round, pick) = (draw.tied.len() + 1, draw.current.picks.len() + 1);
            let drawn = draw
                .draw(recorded.participant, &recorded.entropy)
                .map_err(|reason| RecordError::Refused { round, pick, reason })?;
            if drawn != *recorded {
                return Err(RecordError::AnotherTile { round, pick });
            }
        }
        Ok(draw)
    }
}
