//! Games put together from one row a seat. It knows no SQL.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use astragal_runtime::time_control::TimeControl;
use chrono::DateTime;

use crate::error::{LobbyError, Result};
use crate::game::{Game, Origin, Player, Seat, Status};
use crate::kind::Kind;
use crate::seating::PickSource;

/// A seat, with the game that it is of.
pub(super) struct SeatRow {
    pub(super) game_id: TableId,
    pub(super) kind: Kind,
    pub(super) origin: String,
    pub(super) status: String,
    pub(super) opener: AccountId,
    pub(super) first_seat: u8,
    pub(super) series_id: SeriesId,
    pub(super) change: u32,
    pub(super) settled: u32,
    pub(super) created_at: Timestamp,
    pub(super) away: bool,
    pub(super) seat: Seat,
}

/// Who sits in a seat, and since which change, from three columns of it.
pub(super) fn taken(
    account: Option<AccountId>,
    robot_level: u8,
    change: Option<u32>,
) -> Option<(Player, u32)> {
    account.map(|account| Player { account, robot_level }).zip(change)
}

/// Puts the seats of each game together; they stand side by side.
pub(super) fn gather(rows: Vec<SeatRow>) -> Result<Vec<Game>> {
    let mut games: Vec<Game> = Vec::new();
    for row in rows {
        match games.last_mut() {
            Some(game) if game.id == row.game_id => game.seats.push(row.seat),
            _ => games.push(game_of(row)?),
        }
    }
    Ok(games)
}

fn game_of(row: SeatRow) -> Result<Game> {
    let origins = [Origin::Auto, Origin::Friends, Origin::Robots, Origin::Rematch, Origin::Tournament];
    let statuses = [Status::Waiting, Status::Full, Status::Cancelled];
    Ok(Game {
        id: row.game_id,
        kind: row.kind,
        origin: word(origins, Origin::as_str, &row.origin)?,
        status: word(statuses, Status::as_str, &row.status)?,
        opener: row.opener,
        first_seat: row.first_seat,
        series: row.series_id,
        change: row.change,
        settled: row.settled,
        created_at: row.created_at,
        away: row.away,
        seats: vec![row.seat],
    })
}

fn word<T: Copy, const COUNT: usize>(all: [T; COUNT], name: fn(T) -> &'static str, found: &str) -> Result<T> {
    let word = all.into_iter().find(|one| name(*one) == found);
    word.ok_or_else(|| broken(found))
}

/// How a pick came about, from two columns of it.
pub(super) fn pick_source(entropy: Option<Vec<u8>>, recorded_by: Option<AccountId>) -> Result<PickSource> {
    let source = match (entropy.map(TryInto::try_into), recorded_by) {
        (Some(Ok(entropy)), None) => PickSource::Drawn(entropy),
        (None, Some(account)) => PickSource::Recorded(account),
        _ => return Err(broken("a pick without its source")),
    };
    Ok(source)
}

/// The clock in a row.
pub(super) fn clock(text: Option<&str>) -> std::result::Result<Option<TimeControl>, String> {
    text.map(|text| TimeControl::of_text(text).ok_or_else(|| unreadable(text))).transpose()
}

/// An instant from the microseconds in a row.
pub(super) fn instant(micros: i64) -> Result<Timestamp> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| broken(&micros.to_string()))
}

/// The content of a request in a row.
pub(super) fn hash(found: Vec<u8>) -> Result<[u8; 32]> {
    found.try_into().map_err(|found: Vec<u8>| broken(&hex::encode(found)))
}

/// As [`unreadable`], for whoever reads rows.
pub(super) fn broken(found: &str) -> LobbyError {
    LobbyError::Store(unreadable(found).into())
}

/// Says that a row holds what no version of this program writes.
pub(super) fn unreadable(found: &str) -> String {
    format!("a row holds {found:?}, which this build can't read")
}
