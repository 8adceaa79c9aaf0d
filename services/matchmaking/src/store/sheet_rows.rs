//! Draws tile by tile put together from one row each, whose parts are JSON arrays. It knows no SQL.

use astragal_rules::tile_set::TileSet;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use sqlx::types::Json;

use super::game_rows::{broken, instant};
use crate::error::Result;
use crate::game::Player;
use crate::seeding::sheet::{Allotment, Fallen, Participant, Sheet, SheetStatus, Terms};

/// Account, level, whether it contends, and what the ledger said.
pub(super) type ParticipantPart = (AccountId, u8, u8, Option<u32>);
/// Round, participant, and the bytes in hex.
pub(super) type AllotmentPart = (u32, u8, String);
/// Round, pick, participant, letter, whether blank, rank, who noted it, the request, and when.
pub(super) type PickPart = (u32, u32, u8, String, u8, i8, Option<AccountId>, Option<RequestId>, i64);

/// A draw.
#[derive(sqlx::FromRow)]
pub(super) struct SheetRow {
    game: String,
    variant: String,
    tile_set: String,
    balanced: bool,
    status: String,
    change: i64,
    opened_at: i64,
    participants: Json<Vec<ParticipantPart>>,
    allotted: Json<Vec<AllotmentPart>>,
    picks: Json<Vec<PickPart>>,
}

impl SheetRow {
    /// The draw of this id.
    pub(super) fn sheet(self, id: TableId) -> Result<Sheet> {
        let statuses = [SheetStatus::Open, SheetStatus::Closed, SheetStatus::Cancelled];
        let status = statuses.into_iter().find(|status| status.as_str() == self.status);
        let tile_set = TileSet::named(&self.tile_set).ok_or_else(|| broken(&self.tile_set))?;
        Ok(Sheet {
            id,
            terms: Terms { game: self.game, variant: self.variant, tile_set, balanced: self.balanced },
            participants: self.participants.0.into_iter().map(participant).collect(),
            status: status.ok_or_else(|| broken(&self.status))?,
            change: u32::try_from(self.change).map_err(|_| broken(&self.change.to_string()))?,
            opened_at: instant(self.opened_at)?,
            allotted: self.allotted.0.into_iter().map(allotment).collect::<Result<_>>()?,
            picks: self.picks.0.into_iter().map(fallen).collect::<Result<_>>()?,
        })
    }
}

fn participant((account, robot_level, contends, firsts): ParticipantPart) -> Participant {
    Participant { player: Player { account, robot_level }, contends: contends != 0, firsts }
}

fn allotment((round, participant, entropy): AllotmentPart) -> Result<Allotment> {
    let bytes = hex::decode(&entropy).ok().and_then(|bytes| bytes.try_into().ok());
    // The bytes aren't quoted: they are nobody's to see before the draw is over.
    Ok(Allotment { round, participant, entropy: bytes.ok_or_else(|| broken("entropy"))? })
}

fn fallen(part: PickPart) -> Result<Fallen> {
    let (round, pick, participant, letter, blank, rank, recorded_by, request, at) = part;
    let (blank, at) = (blank != 0, instant(at)?);
    Ok(Fallen { round, pick, participant, letter, blank, rank, recorded_by, request, at })
}

/// The parts of participants as they are written, with their numbers.
pub(super) fn participant_parts(sheet: &Sheet) -> Vec<(u8, ParticipantPart)> {
    let part =
        |one: &Participant| (one.player.account, one.player.robot_level, u8::from(one.contends), one.firsts);
    (0..).zip(sheet.participants.iter().map(part)).collect()
}

/// The parts of entropy as they are written.
pub(super) fn allotment_parts(allotted: &[Allotment]) -> Vec<AllotmentPart> {
    allotted.iter().map(|one| (one.round, one.participant, hex::encode(one.entropy))).collect()
}

/// The parts of picks as they are written.
pub(super) fn pick_parts(picks: &[Fallen]) -> Vec<PickPart> {
    let part = |one: &Fallen| {
        let at = one.at.timestamp_micros();
        let letter = one.letter.clone();
        (
            one.round,
            one.pick,
            one.participant,
            letter,
            one.blank.into(),
            one.rank,
            one.recorded_by,
            one.request,
            at,
        )
    };
    picks.iter().map(part).collect()
}
