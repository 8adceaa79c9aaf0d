//! Rows as they are read: games with their seats, and picks.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::QueryAs;
use sqlx::{FromRow, Postgres, Row};

use crate::error::Result;
use crate::game::{Game, Player, Seat};
use crate::kind::Kind;
use crate::seating::DrawnPick;
use crate::store::OpenGames;
use crate::store::game_rows::{self, SeatRow, taken, unreadable};
use crate::store::live_search::listed_search;

/// A statement whose rows are read as `T`.
pub(super) type Query<'q, T> = QueryAs<'q, Postgres, T, PgArguments>;

/// A query for games: one row a seat, the rows of a game side by side. `$tail` chooses and orders.
macro_rules! games_where {
    ($($tail:tt)*) => {
        concat!(
            "SELECT game_id, game, version, variant, options, seats, origin, status, opener, first_seat,
                    series_id, games.change, settled, created_at,
                    seat, participant, account_id, robot_level, player.change, time_control, away, best_of
             FROM games JOIN game_players AS player USING (game_id) ",
            $($tail)*
        )
    };
}

pub(super) use games_where;

/// A row of such a query.
pub(super) struct GameSeat(SeatRow);

impl FromRow<'_, PgRow> for GameSeat {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        let seat_change: Option<i32> = row.try_get(18)?;
        let seat = Seat {
            seat: small(row.try_get(14)?)?,
            participant: small(row.try_get(15)?)?,
            taken: taken(row.try_get(16)?, small(row.try_get(17)?)?, seat_change.map(count).transpose()?),
        };
        Ok(Self(SeatRow {
            game_id: row.try_get(0)?,
            kind: Kind {
                game: row.try_get(1)?,
                version: count(row.try_get(2)?)?,
                variant: row.try_get(3)?,
                options: row.try_get(4)?,
                seats: small(row.try_get(5)?)?,
                clock: game_rows::clock(row.try_get(19)?)
                    .map_err(|error| sqlx::Error::Decode(error.into()))?,
                best_of: small(row.try_get(21)?)?,
            },
            origin: row.try_get(6)?,
            status: row.try_get(7)?,
            opener: row.try_get(8)?,
            first_seat: small(row.try_get(9)?)?,
            series_id: row.try_get(10)?,
            change: count(row.try_get(11)?)?,
            settled: count(row.try_get(12)?)?,
            created_at: row.try_get(13)?,
            away: row.try_get(20)?,
            seat,
        }))
    }
}

/// Puts the seats of each game together.
pub(super) fn games(rows: Vec<GameSeat>) -> Result<Vec<Game>> {
    game_rows::gather(rows.into_iter().map(|GameSeat(row)| row).collect())
}

pub(super) fn game(game: TableId) -> Query<'static, GameSeat> {
    sqlx::query_as(games_where!("WHERE game_id = $1 ORDER BY seat")).bind(game)
}

pub(super) fn open_games(asked: &OpenGames) -> Query<'_, GameSeat> {
    let (game, limit) = (asked.game.as_deref(), i64::from(asked.limit));
    match asked.account {
        Some(account) => sqlx::query_as(OWN).bind(game).bind(limit).bind(account),
        None => sqlx::query_as(LISTED).bind(game).bind(limit),
    }
}

const LISTED: &str = games_where!(
    "WHERE game_id IN (
         SELECT game_id FROM games WHERE ",
    listed_search!(),
    " AND ($1::text IS NULL OR game = $1)
         ORDER BY created_at DESC, game_id DESC LIMIT $2)
     ORDER BY created_at DESC, game_id DESC, seat"
);

/// Games that wait and in which somebody sits: those they opened, and those among their newest games. A game waits for
/// a day at most, and nobody begins so many games in one.
const OWN: &str = games_where!(
    "WHERE game_id IN (
         SELECT waiting.game_id FROM (
             SELECT game_id FROM games WHERE status = 'waiting' AND opener = $3
             UNION
             SELECT game_id FROM (SELECT game_id FROM game_players WHERE account_id = $3 AND robot_level = 0
                                  ORDER BY game_id DESC LIMIT 1000) AS newest) AS own
         CROSS JOIN LATERAL (
             SELECT game_id, created_at FROM games
             WHERE game_id = own.game_id AND status = 'waiting' AND ($1::text IS NULL OR game = $1)
             OFFSET 0) AS waiting
         ORDER BY waiting.created_at DESC, waiting.game_id DESC LIMIT $2)
     ORDER BY created_at DESC, game_id DESC, seat"
);

pub(super) fn lonely(created_before: Timestamp, limit: u32) -> Query<'static, GameSeat> {
    sqlx::query_as(games_where!(
        "WHERE game_id IN (
             SELECT game_id FROM games WHERE ",
        listed_search!(),
        " AND created_at <= $1
             ORDER BY created_at, game_id LIMIT $2)
         ORDER BY created_at, game_id, seat"
    ))
    .bind(created_before)
    .bind(i64::from(limit))
}

/// A pick of a draw.
pub(super) struct PickRow(DrawnPick);

impl From<PickRow> for DrawnPick {
    fn from(PickRow(pick): PickRow) -> Self {
        pick
    }
}

pub(super) fn picks(game: TableId) -> Query<'static, PickRow> {
    sqlx::query_as(
        "SELECT round, pick_no, account_id, robot_level, seat, letter, is_blank, rank, tile_set,
                entropy, recorded_by, reused_from
         FROM game_setup_draws AS pick
         LEFT JOIN LATERAL (SELECT robot_level FROM accounts
                            WHERE accounts.account_id = pick.account_id OFFSET 0) AS who ON true
         WHERE game_id = $1 ORDER BY round, pick_no",
    )
    .bind(game)
}

impl FromRow<'_, PgRow> for PickRow {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        let account: Option<AccountId> = row.try_get(2)?;
        let robot_level: Option<i16> = row.try_get(3)?;
        let robot_level = robot_level.map(small).transpose()?;
        let source = game_rows::pick_source(row.try_get(9)?, row.try_get(10)?);
        let rank: i16 = row.try_get(7)?;
        Ok(Self(DrawnPick {
            round: count(row.try_get(0)?)?,
            pick: count(row.try_get(1)?)?,
            seat: small(row.try_get(4)?)?,
            player: account.zip(robot_level).map(|(account, robot_level)| Player { account, robot_level }),
            letter: row.try_get(5)?,
            blank: row.try_get(6)?,
            rank: rank.try_into().map_err(|_| broken(&rank.to_string()))?,
            tile_set: row.try_get(8)?,
            source: source.map_err(|error| sqlx::Error::Decode(error.into()))?,
            reused_from: row.try_get(11)?,
        }))
    }
}

/// A number that is never negative.
pub(super) fn count(number: i32) -> sqlx::Result<u32> {
    number.try_into().map_err(|_| broken(&number.to_string()))
}

/// The number of a seat or of a level.
pub(super) fn small(number: i16) -> sqlx::Result<u8> {
    number.try_into().map_err(|_| broken(&number.to_string()))
}

fn broken(found: &str) -> sqlx::Error {
    sqlx::Error::Decode(unreadable(found).into())
}
