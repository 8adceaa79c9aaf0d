//! A draw that is drawn tile by tile, as it is kept: who takes part, what lies ready, what fell, and what follows from
//! these. What may happen to it is in [`super::steps`]; who may call, and where sheets are kept, is no business of it.

use astragal_rules::draw::Draw;
use astragal_rules::draw::error::DrawError;
use astragal_rules::draw::round::Pick;
use astragal_rules::draw::seats::seat_of;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};

use super::error::{Result, SheetError};
use crate::game::Player;

/// A draw. It is the same as its rows: everything that follows from them is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The game that is created from it later.
    pub id: TableId,
    /// What was agreed when it was opened.
    pub terms: Terms,
    /// In the order of asking: the circle that is turned.
    pub participants: Vec<Participant>,
    /// What may still happen to it.
    pub status: SheetStatus,
    /// Counts what happened to it.
    pub change: u32,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The entropy of every round that has begun, in the order of rounds and participants.
    pub allotted: Vec<Allotment>,
    /// What fell, in its order.
    pub picks: Vec<Fallen>,
}

/// What is agreed when a draw is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The game that is to be played; empty: any.
    pub game: String,
    /// Its variant; empty: any.
    pub variant: String,
    /// What is drawn from.
    pub tile_set: &'static TileSet,
    /// Whether the ledger was asked who may lead.
    pub balanced: bool,
}

/// What may still happen to a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetStatus {
    /// Tiles are drawn; or it is over, and no game has been asked for.
    Open,
    /// A game is created from it.
    Closed,
    /// Given up.
    Cancelled,
}

impl SheetStatus {
    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Somebody who takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Participant {
    /// Who.
    pub player: Player,
    /// False: the ledger says that somebody else leads.
    pub contends: bool,
    /// How often they had moved first, if the ledger was asked.
    pub firsts: Option<u32>,
}

/// The entropy of one pick, laid ready when its round began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allotment {
    /// From 1.
    pub round: u32,
    /// Whose pick.
    pub participant: u8,
    /// What decides it.
    pub entropy: [u8; 32],
}

/// A tile that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallen {
    /// From 1.
    pub round: u32,
    /// Within the round, from 1.
    pub pick: u32,
    /// Who drew it.
    pub participant: u8,
    /// What is written on it; empty on a blank.
    pub letter: String,
    /// Whether it is a blank.
    pub blank: bool,
    /// -1 for a blank, else the letter's place in the alphabet.
    pub rank: i8,
    /// Who noted that it was drawn by hand; none: what lay ready decided it.
    pub recorded_by: Option<AccountId>,
    /// The request that it answers; none: nobody asked for this one alone.
    pub request: Option<RequestId>,
    /// When.
    pub at: Timestamp,
}

/// By which request something happens, and when.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    /// The request; none: it happens along with something else.
    pub request: Option<RequestId>,
    /// When.
    pub at: Timestamp,
}

/// How far a draw is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Course {
    /// Somebody has yet to draw.
    Drawing(Box<Draw>),
    /// Somebody leads.
    Over {
        /// Their number.
        winner: u8,
    },
}

impl Sheet {
    /// How far it is, from the picks, each of which must be what its entropy gives.
    pub fn course(&self) -> Result<Course> {
        let contenders =
            (0..).zip(&self.participants).filter(|(_, one)| one.contends).map(|(number, _)| number);
        let contenders: Vec<u8> = contenders.collect();
        if let ([winner], []) = (&contenders[..], &self.picks[..]) {
            return Ok(Course::Over { winner: *winner });
        }
        let mut draw = Draw::among(self.terms.tile_set, self.participants.len() as u8, contenders)?;
        for fallen in &self.picks {
            let pick = self.pick_again(&mut draw, fallen)?;
            if (pick.letter, pick.rank, pick.blank) != (fallen.letter.clone(), fallen.rank, fallen.blank) {
                return Err(SheetError::Broken);
            }
        }
        match draw.winner() {
            Some(winner) => Ok(Course::Over { winner }),
            None if draw.is_over() => Err(DrawError::NoLeader.into()),
            None => Ok(Course::Drawing(Box::new(draw))),
        }
    }

    fn pick_again(&self, draw: &mut Draw, fallen: &Fallen) -> Result<Pick> {
        let pick = match fallen.recorded_by {
            Some(_) => {
                let tile = self.terms.tile_set.tile(&fallen.letter).ok_or(SheetError::Broken)?;
                draw.record(fallen.participant, tile)
            }
            None => draw.draw(fallen.participant, self.entropy_of(fallen).ok_or(SheetError::Broken)?),
        };
        pick.map_err(|_| SheetError::Broken)
    }

    /// Who leads; none while somebody has yet to draw.
    pub fn winner(&self) -> Result<Option<u8>> {
        Ok(match self.course()? {
            Course::Over { winner } => Some(winner),
            Course::Drawing(_) => None,
        })
    }

    /// The seat in which a participant ends, once somebody leads.
    pub fn seat_of(&self, participant: u8, winner: u8) -> u8 {
        seat_of(participant, winner, self.participants.len() as u8)
    }

    /// What decided a pick; nothing for one that was drawn by hand.
    pub fn entropy_of(&self, fallen: &Fallen) -> Option<&[u8; 32]> {
        if fallen.recorded_by.is_some() {
            return None;
        }
        self.allotment(fallen.round, fallen.participant)
    }

    pub(super) fn allotment(&self, round: u32, participant: u8) -> Option<&[u8; 32]> {
        let of_it = |one: &&Allotment| (one.round, one.participant) == (round, participant);
        self.allotted.iter().find(of_it).map(|one| &one.entropy)
    }

    /// What lies ready for those who have yet to draw in this round.
    pub fn ready(&self) -> Result<Vec<Allotment>> {
        if self.status == SheetStatus::Cancelled {
            return Ok(Vec::new());
        }
        let Course::Drawing(draw) = self.course()? else { return Ok(Vec::new()) };
        let (round, waiting) = (draw.rounds().count() as u32, draw.waiting());
        let is_ready = |one: &&Allotment| one.round == round && waiting.contains(&one.participant);
        Ok(self.allotted.iter().filter(is_ready).copied().collect())
    }

    /// As it was after so many picks, as far as those who watch are concerned.
    #[must_use]
    pub fn after(&self, picks: usize) -> Self {
        let mut earlier = self.clone();
        earlier.picks.truncate(picks);
        if picks < self.picks.len() {
            earlier.status = SheetStatus::Open;
        }
        earlier
    }
}
