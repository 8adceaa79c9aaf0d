//! Rows as they are read: games with their seats, and picks.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row, SqliteConnection, SqlitePool};

use crate::error::{LobbyError, Result};
use crate::game::{Game, Player, Seat};
use crate::kind::Kind;
use crate::seating::DrawnPick;
use crate::store::OpenGames;
use crate::store::game_rows::{self, SeatRow, instant, taken};
use crate::store::live_search::listed_search;

/// A query for games: one row a seat, the rows of a game side by side. `$tail` chooses and orders.
macro_rules! games_where {
    ($($tail:tt)*) => {
        concat!(
            "SELECT game_id, game, version, variant, options, seats, origin, status, opener, first_seat,
                    series_id, games.change AS game_change, settled, created_at, time_control, away, best_of,
                    seat, participant, account_id, robot_level, player.change AS seat_change
             FROM games JOIN game_players AS player USING (game_id) ",
            $($tail)*
        )
    };
}

pub(super) use games_where;

/// A row of such a query.
pub(super) struct GameSeat(SeatRow);

impl FromRow<'_, SqliteRow> for GameSeat {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let created_at = instant(row.try_get("created_at")?);
        Ok(Self(SeatRow {
            game_id: row.try_get("game_id")?,
            kind: Kind {
                game: row.try_get("game")?,
                version: row.try_get("version")?,
                variant: row.try_get("variant")?,
                seats: row.try_get("seats")?,
                options: row.try_get("options")?,
                clock: game_rows::clock(row.try_get("time_control")?)
                    .map_err(|error| sqlx::Error::Decode(error.into()))?,
                best_of: row.try_get("best_of")?,
            },
            origin: row.try_get("origin")?,
            status: row.try_get("status")?,
            opener: row.try_get("opener")?,
            first_seat: row.try_get("first_seat")?,
            series_id: row.try_get("series_id")?,
            change: row.try_get("game_change")?,
            settled: row.try_get("settled")?,
            created_at: created_at.map_err(|error| sqlx::Error::Decode(error.into()))?,
            away: row.try_get("away")?,
            seat: Seat {
                seat: row.try_get("seat")?,
                participant: row.try_get("participant")?,
                taken: taken(
                    row.try_get("account_id")?,
                    row.try_get("robot_level")?,
                    row.try_get("seat_change")?,
                ),
            },
        }))
    }
}

/// The picks of the game `$1`, in their order.
macro_rules! picks {
    () => {
        "SELECT round, pick_no, account_id, robot_level, seat, letter, is_blank, rank, tile_set,
                entropy, recorded_by, reused_from
         FROM game_setup_draws LEFT JOIN accounts USING (account_id)
         WHERE game_id = $1 ORDER BY round, pick_no"
    };
}

/// One game, or [`LobbyError::UnknownGame`].
pub(super) async fn load(connection: &mut SqliteConnection, game: TableId) -> Result<Game> {
    let rows = sqlx::query_as(games_where!("WHERE game_id = $1 ORDER BY seat"))
        .bind(game)
        .fetch_all(connection)
        .await?;
    gather(rows)?.pop().ok_or(LobbyError::UnknownGame)
}

/// A game with its draw, or [`LobbyError::UnknownGame`]; two queries in one command.
pub(super) async fn draw(pool: &SqlitePool, game: TableId) -> Result<(Game, Vec<DrawnPick>)> {
    const GAME_AND_PICKS: &str = concat!(games_where!("WHERE game_id = $1 ORDER BY seat"), "; ", picks!());
    let rows = sqlx::query(GAME_AND_PICKS).bind(game).fetch_all(pool).await?;
    let (picks, seats): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.try_column("pick_no").is_ok());
    let seats: sqlx::Result<Vec<GameSeat>> = seats.into_iter().map(GameSeat::from_row).collect();
    let game = gather(seats?)?.pop().ok_or(LobbyError::UnknownGame)?;
    let picks = picks.into_iter().map(|row| pick_of(PickRow::from_row(row)?)).collect::<Result<_>>()?;
    Ok((game, picks))
}

pub(super) async fn open_games(pool: &SqlitePool, asked: &OpenGames) -> Result<Vec<Game>> {
    let (game, limit) = (asked.game.as_deref(), asked.limit);
    let query = match asked.account {
        Some(account) => sqlx::query_as(OWN).bind(game).bind(limit).bind(account),
        None => sqlx::query_as(LISTED).bind(game).bind(limit),
    };
    gather(query.fetch_all(pool).await?)
}

const LISTED: &str = games_where!(
    "WHERE game_id IN (
         SELECT game_id FROM games WHERE ",
    listed_search!(),
    " AND ($1 IS NULL OR game = $1)
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
                                  ORDER BY game_id DESC LIMIT 1000)) AS own
         CROSS JOIN games AS waiting ON waiting.game_id = own.game_id
         WHERE waiting.status = 'waiting' AND ($1 IS NULL OR waiting.game = $1)
         ORDER BY waiting.created_at DESC, waiting.game_id DESC LIMIT $2)
     ORDER BY created_at DESC, game_id DESC, seat"
);

pub(super) async fn lonely(pool: &SqlitePool, created_before: Timestamp, limit: u32) -> Result<Vec<Game>> {
    let rows = sqlx::query_as(games_where!(
        "WHERE game_id IN (
             SELECT game_id FROM games WHERE ",
        listed_search!(),
        " AND created_at <= $1
             ORDER BY created_at, game_id LIMIT $2)
         ORDER BY created_at, game_id, seat"
    ))
    .bind(created_before.timestamp_micros())
    .bind(limit)
    .fetch_all(pool)
    .await?;
    gather(rows)
}

/// Puts the seats of each game together.
pub(super) fn gather(rows: Vec<GameSeat>) -> Result<Vec<Game>> {
    game_rows::gather(rows.into_iter().map(|GameSeat(row)| row).collect())
}

#[derive(sqlx::FromRow)]
pub(super) struct PickRow {
    round: u32,
    pick_no: u32,
    account_id: Option<AccountId>,
    robot_level: Option<u8>,
    seat: u8,
    letter: String,
    is_blank: bool,
    rank: i8,
    tile_set: String,
    entropy: Option<Vec<u8>>,
    recorded_by: Option<AccountId>,
    reused_from: Option<TableId>,
}

pub(super) fn pick_of(row: PickRow) -> Result<DrawnPick> {
    let source = game_rows::pick_source(row.entropy, row.recorded_by)?;
    let player = |(account, robot_level)| Player { account, robot_level };
    Ok(DrawnPick {
        round: row.round,
        pick: row.pick_no,
        seat: row.seat,
        player: row.account_id.zip(row.robot_level).map(player),
        letter: row.letter,
        blank: row.is_blank,
        rank: row.rank,
        tile_set: row.tile_set,
        source,
        reused_from: row.reused_from,
    })
}
