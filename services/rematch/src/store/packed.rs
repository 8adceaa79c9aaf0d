//! An entry as one small value for Redis: its version in digits, then the entry by the places of its fields. Left
//! out is what follows from the rest: the game, which its key names, and the id of the next game.
//!
//! A build that packs otherwise names the keys of entries otherwise; so no build reads what another one wrote.

use super::Stored;
use crate::entry::{Entry, Memory, Player, State};
use crate::next_game::{NextGame, next_id};
use astragal_proto::gateway::v1::SeriesGame;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use chrono::DateTime;
use rmp_serde::decode::Error as Unreadable;
use serde::de::Error;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The words for how a game ends; each is kept as its place here.
const ENDS: [&str; 6] = ["finished", "time", "resigned", "left", "aborted", "crashed"];

#[derive(Serialize, Deserialize)]
struct Packed {
    players: Vec<(Uuid, u8)>,
    attempt: u32,
    first_seat: u8,
    series_id: Uuid,
    series: Vec<PackedGame>,
    real_time: bool,
    ended_at_us: i64,
    state: State,
    /// Empty while nothing is remembered of anybody.
    memory: Vec<Memory>,
}

#[derive(Serialize, Deserialize)]
struct PackedGame {
    id: Uuid,
    first_seat: u32,
    /// A place in [`ENDS`].
    reason: u8,
    winner: Option<u32>,
    scores: Vec<i32>,
}

/// The value of an entry, without its version.
pub(super) fn pack(entry: &Entry) -> Result<Vec<u8>> {
    let games: Vec<SeriesGame> =
        serde_json::from_str(&entry.next.series).map_err(|error| Problem::internal(&error))?;
    let is_blank = entry.memory.iter().all(|memory| *memory == Memory::default());
    let packed = Packed {
        players: entry.players.iter().map(|player| (player.account.0, player.robot_level)).collect(),
        attempt: entry.next.attempt,
        first_seat: entry.next.first_seat,
        series_id: entry.next.series_id.0,
        series: games.into_iter().map(packed_game).collect::<Result<_>>()?,
        real_time: entry.next.real_time,
        ended_at_us: entry.ended_at.timestamp_micros(),
        state: entry.state.clone(),
        memory: if is_blank { Vec::new() } else { entry.memory.clone() },
    };
    rmp_serde::to_vec(&packed).map_err(|error| Problem::internal(&error))
}

/// Reads the entry of a game, with its version.
pub(super) fn unpack(game: TableId, kept: &[u8]) -> std::result::Result<Stored, Unreadable> {
    let digits = kept.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (version, packed) = kept.split_at(digits);
    let version =
        version.iter().fold(0, |version: u64, digit| version.wrapping_mul(10) + u64::from(digit - b'0'));
    let packed: Packed = rmp_serde::from_slice(packed)?;
    let games = packed.series.into_iter().map(series_game).collect::<Option<Vec<SeriesGame>>>();
    let games = games.ok_or_else(|| Unreadable::custom("nothing ends so"))?;
    let player = |(account, robot_level)| Player { account: AccountId(account), robot_level };
    let players: Vec<Player> = packed.players.into_iter().map(player).collect();
    let memory =
        if packed.memory.is_empty() { vec![Memory::default(); players.len()] } else { packed.memory };
    let entry = Entry {
        game,
        players,
        next: NextGame {
            attempt: packed.attempt,
            id: next_id(game, packed.attempt),
            first_seat: packed.first_seat,
            series_id: SeriesId(packed.series_id),
            series: serde_json::to_string(&games).map_err(Unreadable::custom)?,
            real_time: packed.real_time,
        },
        ended_at: DateTime::from_timestamp_micros(packed.ended_at_us)
            .ok_or_else(|| Unreadable::custom("the end is out of range"))?,
        state: packed.state,
        memory,
    };
    Ok(Stored { version, entry })
}

fn packed_game(game: SeriesGame) -> Result<PackedGame> {
    let SeriesGame { game_id, first_seat, reason, winner, scores } = game;
    let reason = ENDS.iter().position(|end| *end == reason).and_then(|place| place.try_into().ok());
    let reason =
        reason.ok_or_else(|| Problem::invalid_argument("series has a game that ended unheard-of"))?;
    Ok(PackedGame { id: TableId::parse("series", &game_id)?.0, first_seat, reason, winner, scores })
}

fn series_game(game: PackedGame) -> Option<SeriesGame> {
    let PackedGame { id, first_seat, reason, winner, scores } = game;
    let reason = ENDS.get(usize::from(reason))?;
    Some(SeriesGame { game_id: id.to_string(), first_seat, reason: (*reason).into(), winner, scores })
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
