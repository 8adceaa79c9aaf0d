//! The draw in a certificate, and the check of it: every tile is computed again from its entropy, every
//! round and the winner from the tiles. Tiles that were drawn by hand are taken as they were recorded.

use crate::draw::Draw;
use crate::draw::round::{Pick, entropy_sha256};
use crate::draw::seats::seat_of;
use crate::error::InvalidGame;
use crate::tile_set::TileSet;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A draw that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DrawRecord {
    /// The set that was drawn from.
    pub tile_set: String,
    /// The participant who goes first.
    pub winner: u8,
    /// How often each participant had gone first, if that decided; only those who had least drew, if they
    /// were several. None: everyone drew.
    #[serde(deserialize_with = "Option::deserialize")]
    pub firsts: Option<Vec<u32>>,
    /// The game for which these tiles were drawn, if it was another one that was given up.
    #[serde(deserialize_with = "Option::deserialize")]
    pub reused_from: Option<Uuid>,
    /// Every pick of every round, in the order of drawing.
    pub rounds: Vec<Vec<PickRecord>>,
}

/// One tile drawn by one participant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PickRecord {
    /// Who drew, by number.
    pub participant: u8,
    /// The seat in which they ended.
    pub seat: u8,
    /// What is written on the tile; empty on a blank.
    pub letter: String,
    /// Whether it is a blank.
    pub blank: bool,
    /// -1 for a blank, else the index of the letter in the alphabet.
    pub rank: i8,
    /// True if the tile was drawn by hand and noted: nothing proves it.
    pub recorded: bool,
    /// What was shown before the pick; none for a recorded one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entropy_sha256: Option<String>,
    /// The bytes that decided it, in lower-case hex; none for a recorded one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entropy: Option<String>,
}

impl DrawRecord {
    /// Refuses a draw that did not fall so, for a table with this many seats.
    pub fn check(&self, seats: u8) -> Result<(), InvalidGame> {
        let set = TileSet::named(&self.tile_set);
        let set = set.ok_or_else(|| InvalidGame::new("draw.tileSet", "not a set of this build"))?;
        let winner = match self.contenders(seats)?[..] {
            [first] if self.rounds.is_empty() => Some(first),
            ref several => {
                let draw = Draw::among(set, seats, several.iter().copied());
                self.draw_again(draw.map_err(|why| InvalidGame::new("draw", why))?)?.winner()
            }
        };
        if winner != Some(self.winner) {
            return Err(InvalidGame::new("draw.winner", "not the one whom the tiles make the first"));
        }
        let picks = self.rounds.iter().flatten();
        match picks.enumerate().find(|(_, pick)| pick.seat != seat_of(pick.participant, self.winner, seats)) {
            Some((place, _)) => {
                let why = "the winner sits at seat 0 and the others follow in their order";
                Err(InvalidGame::new(format_args!("draw, pick {}: seat", place + 1), why))
            }
            None => Ok(()),
        }
    }

    /// Who draws in the first round, lowest number first.
    fn contenders(&self, seats: u8) -> Result<Vec<u8>, InvalidGame> {
        let Some(firsts) = &self.firsts else { return Ok((0..seats).collect()) };
        if firsts.len() != usize::from(seats) {
            return Err(InvalidGame::new("draw.firsts", "needs a number for each seat"));
        }
        let least = firsts.iter().min();
        Ok((0..seats).filter(|participant| firsts.get(usize::from(*participant)) == least).collect())
    }

    fn draw_again(&self, mut draw: Draw) -> Result<Draw, InvalidGame> {
        for (round, picks) in self.rounds.iter().enumerate() {
            for (place, pick) in picks.iter().enumerate() {
                let at = |why: &dyn std::fmt::Display| {
                    InvalidGame::new(format_args!("draw.rounds[{round}][{place}]"), why)
                };
                if draw.rounds().count() != round + 1 {
                    return Err(at(&"the round was over before it"));
                }
                let drawn = if let Some(entropy) = pick.entropy(&at)? {
                    draw.draw(pick.participant, &entropy)
                } else {
                    let tile = draw.tile_set().tile(&pick.letter).ok_or_else(|| at(&"no such tile"))?;
                    draw.record(pick.participant, tile)
                };
                let drawn = drawn.map_err(|why| at(&why))?;
                if !pick.is(&drawn) {
                    return Err(at(&"not the tile that its entropy gives"));
                }
            }
        }
        Ok(draw)
    }
}

impl PickRecord {
    fn entropy(
        &self,
        at: &dyn Fn(&dyn std::fmt::Display) -> InvalidGame,
    ) -> Result<Option<[u8; 32]>, InvalidGame> {
        let (entropy, digest) = match (&self.entropy, &self.entropy_sha256, self.recorded) {
            (None, None, true) => return Ok(None),
            (Some(entropy), Some(digest), false) => (entropy, digest),
            _ => return Err(at(&"has entropy and its digest exactly if it was not recorded by hand")),
        };
        let mut bytes = [0; 32];
        hex::decode_to_slice(entropy, &mut bytes).map_err(|_| at(&"the entropy is not 64 hex digits"))?;
        if hex::encode(bytes) != *entropy || entropy_sha256(&bytes) != *digest {
            return Err(at(&"the entropy is not the one whose digest was shown"));
        }
        Ok(Some(bytes))
    }

    fn is(&self, drawn: &Pick) -> bool {
        self.letter == drawn.letter && self.blank == drawn.blank && self.rank == drawn.rank
    }
}
