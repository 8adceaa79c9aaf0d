//! Draws in wire types. What decides a pick is shown once its draw is over.

use astragal_proto::seeding::v1::watch_draw_response::News;
use astragal_proto::seeding::v1::{
    Allotment, Draw, FallenPick, LedgerLine, Participant, Pick, Round, WatchDrawResponse,
};
use astragal_rules::draw::round::entropy_sha256;
use astragal_runtime::error::Result;

use crate::game::{Game, Seat};
use crate::seating::DrawnPick;
use crate::seeding::ledger::Line;
use crate::seeding::sheet::{self, Fallen, Sheet, SheetStatus};
use crate::seeding::watch::DrawNews;

/// The rounds of a draw that was run in the lobby, or nothing for a game that had none.
pub(in crate::service) fn lobby(game: &Game, picks: Vec<DrawnPick>) -> Option<Draw> {
    let first = picks.first()?;
    let (tile_set, reused_from) = (first.tile_set.clone(), first.reused_from);
    let participant = |seat: &Seat| Participant {
        account_id: seat.taken.map(|(player, _)| player.account.to_string()).unwrap_or_default(),
        seat: Some(seat.seat.into()),
        firsts: None,
    };
    let mut seats = game.seats.clone();
    seats.sort_by_key(|seat| seat.participant);
    Some(Draw {
        rounds: rounds(picks.into_iter().map(|drawn| (drawn.round, lobby_pick(game, drawn)))),
        winner: Some(participant_at(game, game.first_seat)),
        tile_set,
        state: OVER.to_owned(),
        participants: seats.iter().map(participant).collect(),
        allotted: Vec::new(),
        reused_from: reused_from.map(|game| game.to_string()),
        balanced: false,
    })
}

const OVER: &str = "over";

fn lobby_pick(game: &Game, drawn: DrawnPick) -> Pick {
    Pick {
        participant: participant_at(game, drawn.seat),
        seat: Some(drawn.seat.into()),
        letter: drawn.letter,
        blank: drawn.blank,
        rank: drawn.rank.into(),
        recorded: drawn.source.recorded_by().is_some(),
        account_id: drawn.player.map(|player| player.account.to_string()).unwrap_or_default(),
        entropy_sha256: drawn.source.entropy_sha256().unwrap_or_default(),
        entropy: drawn.source.entropy().map(hex::encode).unwrap_or_default(),
        recorded_by: drawn.source.recorded_by().map(|account| account.to_string()).unwrap_or_default(),
        drawn_at: Some(game.created_at.into()),
    }
}

fn participant_at(game: &Game, seat: u8) -> u32 {
    game.seats.iter().find(|other| other.seat == seat).map_or(0, |other| other.participant.into())
}

/// A draw tile by tile, as far as it is.
pub(super) fn sheet(sheet: &Sheet) -> Result<Draw> {
    let winner = sheet.winner()?;
    let participant = |(number, one): (u8, &sheet::Participant)| Participant {
        account_id: one.player.account.to_string(),
        seat: winner.map(|winner| sheet.seat_of(number, winner).into()),
        firsts: one.firsts,
    };
    let state = match (sheet.status, winner) {
        (SheetStatus::Cancelled, _) => "cancelled",
        (_, Some(_)) => OVER,
        (_, None) => "drawing",
    };
    let picks = sheet.picks.iter().map(|pick| (pick.round, shown(sheet, winner, pick)));
    Ok(Draw {
        rounds: rounds(picks),
        winner: winner.map(u32::from),
        tile_set: sheet.terms.tile_set.name().to_owned(),
        state: state.to_owned(),
        participants: (0..).zip(&sheet.participants).map(participant).collect(),
        allotted: allotted(sheet)?,
        reused_from: None,
        balanced: sheet.terms.balanced,
    })
}

/// A pick of it.
pub(super) fn fallen(sheet: &Sheet, pick: &Fallen) -> Result<Pick> {
    Ok(shown(sheet, sheet.winner()?, pick))
}

/// Who leads follows from all picks, so it is found out once for all of them.
fn shown(sheet: &Sheet, winner: Option<u8>, pick: &Fallen) -> Pick {
    let entropy = sheet.entropy_of(pick);
    let shown = entropy.filter(|_| winner.is_some() || sheet.status == SheetStatus::Cancelled);
    let player = sheet.participants.get(usize::from(pick.participant)).map(|one| one.player);
    Pick {
        participant: pick.participant.into(),
        seat: winner.map(|winner| sheet.seat_of(pick.participant, winner).into()),
        letter: pick.letter.clone(),
        blank: pick.blank,
        rank: pick.rank.into(),
        recorded: pick.recorded_by.is_some(),
        account_id: player.map(|player| player.account.to_string()).unwrap_or_default(),
        entropy_sha256: entropy.map(entropy_sha256).unwrap_or_default(),
        entropy: shown.map(hex::encode).unwrap_or_default(),
        recorded_by: pick.recorded_by.map(|account| account.to_string()).unwrap_or_default(),
        drawn_at: Some(pick.at.into()),
    }
}

/// What those who watch are told.
pub(super) fn news(news: &DrawNews) -> Result<WatchDrawResponse> {
    match news {
        DrawNews::Whole(whole_sheet) => Ok(whole(sheet(whole_sheet)?)),
        DrawNews::Fallen(sheet) => {
            let last = sheet.picks.last();
            let fell = FallenPick {
                round: last.map_or(0, |pick| pick.round),
                pick: last.map(|pick| fallen(sheet, pick)).transpose()?,
                allotted: allotted(sheet)?,
            };
            Ok(WatchDrawResponse { news: Some(News::Fallen(fell)) })
        }
    }
}

/// A whole draw as news.
pub(super) fn whole(draw: Draw) -> WatchDrawResponse {
    WatchDrawResponse { news: Some(News::Draw(draw)) }
}

/// A line of the ledger.
pub(super) fn line(line: Line) -> LedgerLine {
    let Line { account, firsts, seconds, longest_run } = line;
    LedgerLine { account_id: account.to_string(), firsts, seconds, longest_run }
}

fn allotted(sheet: &Sheet) -> Result<Vec<Allotment>> {
    let shown = |one: &sheet::Allotment| Allotment {
        participant: one.participant.into(),
        entropy_sha256: entropy_sha256(&one.entropy),
    };
    Ok(sheet.ready()?.iter().map(shown).collect())
}

/// Rounds are numbered from 1 without a gap, and their picks lie side by side.
fn rounds(picks: impl IntoIterator<Item = (u32, Pick)>) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    for (number, pick) in picks {
        if rounds.len() < number as usize {
            rounds.push(Round::default());
        }
        if let Some(round) = rounds.last_mut() {
            round.picks.push(pick);
        }
    }
    rounds
}
