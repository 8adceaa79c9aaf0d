//! What may happen to a draw that is drawn tile by tile: opened, drawn, noted, given up, played.
//!
//! Pure but for the entropy, which is an argument. Each step gives the next sheet and leaves the one before as it was;
//! a refusal says which rule.

use astragal_rules::draw::Draw;
use astragal_rules::draw::error::DrawError;
use astragal_rules::draw::round::Pick;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::entropy::Entropy;
use astragal_runtime::id::{AccountId, TableId};

use super::error::{Result, SheetError};
use super::sheet::{Allotment, Course, Fallen, Participant, Sheet, SheetStatus, Stamp, Terms};

impl Sheet {
    /// Opens a draw, with the entropy of the first round laid ready.
    pub fn open(
        id: TableId,
        terms: Terms,
        participants: Vec<Participant>,
        at: Timestamp,
        entropy: &dyn Entropy,
    ) -> Result<Self> {
        let (status, allotted, picks) = (SheetStatus::Open, Vec::new(), Vec::new());
        let mut sheet = Self { id, terms, participants, status, change: 1, opened_at: at, allotted, picks };
        sheet.lay_ready(entropy)?;
        Ok(sheet)
    }

    /// The draw after a participant drew the tile that was laid ready for them.
    pub fn drawn(&self, participant: u8, stamp: Stamp, entropy: &dyn Entropy) -> Result<Self> {
        let mut draw = self.going_on()?;
        let place = next_place(&draw);
        // Nothing lies ready for whoever may not draw, and the draw says why before it looks.
        let ready = self.allotment(place.0, participant).copied();
        let pick = draw.draw(participant, &ready.unwrap_or_default())?;
        if ready.is_none() {
            return Err(SheetError::Broken);
        }
        self.with(place, pick, None, stamp, entropy)
    }

    /// The draw after somebody noted a tile that a participant drew by hand.
    pub fn recorded(
        &self,
        participant: u8,
        letter: &str,
        recorded_by: AccountId,
        stamp: Stamp,
        entropy: &dyn Entropy,
    ) -> Result<Self> {
        let mut draw = self.going_on()?;
        let place = next_place(&draw);
        let set = self.terms.tile_set;
        let tile =
            set.tile(letter).filter(|tile| set.faces().any(|(face, count)| face == *tile && count > 0));
        let tile = tile.ok_or_else(|| SheetError::NotInSet { tile_set: set.name() })?;
        let pick = draw.record(participant, tile).map_err(|why| match why {
            DrawError::NoSuchTile => SheetError::UsedUp,
            other => SheetError::Draw(other),
        })?;
        self.with(place, pick, Some(recorded_by), stamp, entropy)
    }

    /// The draw after everyone who still had to draw has drawn.
    pub fn drawn_to_the_end(&self, at: Timestamp, entropy: &dyn Entropy) -> Result<Self> {
        let mut sheet = self.clone();
        while let Course::Drawing(draw) = sheet.course()? {
            for participant in draw.waiting() {
                sheet = sheet.drawn(participant, Stamp { request: None, at }, entropy)?;
            }
        }
        // However many tiles, it happened at once.
        Ok(Self { change: self.change, ..sheet })
    }

    /// The draw after it was given up; none if it was already.
    pub fn cancelled(&self) -> Result<Option<Self>> {
        match self.status {
            SheetStatus::Open => Ok(Some(self.to(SheetStatus::Cancelled))),
            SheetStatus::Closed => Err(SheetError::Closed),
            SheetStatus::Cancelled => Ok(None),
        }
    }

    /// The draw once a game is created from it, and who leads; the draw is none if that was so already.
    pub fn closed(&self) -> Result<(Option<Self>, u8)> {
        let winner = match (self.status, self.winner()?) {
            (SheetStatus::Cancelled, _) => return Err(SheetError::Cancelled),
            (_, None) => return Err(SheetError::NotOver),
            (_, Some(winner)) => winner,
        };
        let closed = (self.status == SheetStatus::Open).then(|| self.to(SheetStatus::Closed));
        Ok((closed, winner))
    }

    fn to(&self, status: SheetStatus) -> Self {
        Self { status, change: self.change + 1, ..self.clone() }
    }

    fn going_on(&self) -> Result<Box<Draw>> {
        match (self.status, self.course()?) {
            (SheetStatus::Cancelled, _) => Err(SheetError::Cancelled),
            (_, Course::Over { winner }) => Err(DrawError::Over { winner }.into()),
            (_, Course::Drawing(draw)) => Ok(draw),
        }
    }

    fn with(
        &self,
        (round, number): (u32, u32),
        Pick { participant, letter, blank, rank, .. }: Pick,
        recorded_by: Option<AccountId>,
        Stamp { request, at }: Stamp,
        entropy: &dyn Entropy,
    ) -> Result<Self> {
        let mut next = Self { change: self.change + 1, ..self.clone() };
        let fallen =
            Fallen { round, pick: number, participant, letter, blank, rank, recorded_by, request, at };
        next.picks.push(fallen);
        next.lay_ready(entropy)?;
        Ok(next)
    }

    /// Lays entropy ready for a round that has just begun.
    fn lay_ready(&mut self, entropy: &dyn Entropy) -> Result<()> {
        let Course::Drawing(draw) = self.course()? else { return Ok(()) };
        let round = draw.rounds().count() as u32;
        if self.allotted.last().is_some_and(|last| last.round == round) {
            return Ok(());
        }
        for participant in draw.waiting() {
            let mut bytes = [0; 32];
            entropy.fill(&mut bytes).map_err(SheetError::Entropy)?;
            self.allotted.push(Allotment { round, participant, entropy: bytes });
        }
        Ok(())
    }
}

/// The round that goes on, and the number that the next pick has in it.
fn next_place(draw: &Draw) -> (u32, u32) {
    let in_round = draw.rounds().last().map_or(0, |round| round.picks.len());
    (draw.rounds().count() as u32, in_round as u32 + 1)
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
