//! One creation: the game, its seats and its draw.
//!
//! The row of the game is written on conditions, and without it the rows of its seats have nothing to
//! refer to: where a condition doesn't hold, the script fails as a whole.

use astragal_runtime::database::SqliteDatabase;
use astragal_runtime::id::AccountId;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;
use sqlx::{Arguments, SqliteConnection};

use super::requests::{self, remember};
use super::written;
use crate::error::{LobbyError, Result};
use crate::game::{CREATED, Game, NewGame, PlannedSeat, Status};
use crate::request::Request;
use crate::seating::DrawnPick;

/// The winner of the draw sits at seat 0, so the first seat is 0. A draw that runs by itself is over before anyone sees it, so its entropy is written at once.
macro_rules! statements {
    () => {
        "INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status,
                            opener, first_seat, series_id, change, created_at, changed_at)
         SELECT $2, $4, $5, $6, $7, $8, $9, $10, $11, $1, 0, $12, $13, $3, $3
         WHERE EXISTS (SELECT 1 FROM accounts WHERE account_id = $1 AND robot_level = 0)
           AND ($11 <> 'waiting'
                OR (SELECT count(*) FROM games WHERE opener = $1 AND status = 'waiting') < $16)
           AND NOT ($17 AND EXISTS (
               SELECT 1 FROM games AS other
               WHERE kind_hash = $9 AND status = 'waiting' AND origin = 'auto' AND NOT EXISTS (
                   SELECT 1 FROM game_players AS player
                   WHERE player.game_id = other.game_id AND player.account_id = $1)));
         INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change)
         SELECT $2, value ->> 0, value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4
         FROM json_each($14);
         INSERT INTO game_setup_draws (game_id, round, pick_no, account_id, seat, letter, is_blank, rank,
                                       tile_set, source, entropy_sha256, entropy, created_at)
         SELECT $2, value ->> 0, value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5,
                value ->> 6, value ->> 7, 'auto', value ->> 8, unhex(value ->> 9), $3
         FROM json_each($15);"
    };
}

const STATEMENTS: &str = statements!();
const SCRIPT: &str =
    concat!("BEGIN IMMEDIATE; ", statements!(), remember!("$18", "$19", "$20", "$21"), " COMMIT");

/// When a game may be created.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conditions {
    /// In how many games its opener may wait.
    pub(super) searches_max: u32,
    /// Only while nobody else waits in a listed game of its kind.
    pub(super) if_alone: bool,
}

/// Creates a game as one command; none if a condition doesn't hold, whichever it is.
pub(super) async fn try_create(
    database: &SqliteDatabase,
    request: &Request,
    game: &NewGame,
    conditions: Conditions,
) -> Result<Option<Game>> {
    let mut arguments = arguments(game, conditions).map_err(sqlx::Error::Encode)?;
    requests::bind(&mut arguments, request).map_err(sqlx::Error::Encode)?;
    let created = written(database.transact(SCRIPT, arguments).await)?;
    Ok(created.then(|| Game::from(game)))
}

/// Creates a game in the transaction of the caller, who has looked whether it is alone.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    game: &NewGame,
    searches_max: u32,
) -> Result<Game> {
    if game.status() == Status::Waiting {
        admit(connection, game.opener, searches_max).await?;
    }
    let conditions = Conditions { searches_max, if_alone: false };
    let arguments = arguments(game, conditions).map_err(sqlx::Error::Encode)?;
    sqlx::query_with(STATEMENTS, arguments).execute(connection).await?;
    Ok(Game::from(game))
}

async fn admit(connection: &mut SqliteConnection, opener: AccountId, searches_max: u32) -> Result<()> {
    let waiting: u32 =
        sqlx::query_scalar("SELECT count(*) FROM games WHERE opener = $1 AND status = 'waiting'")
            .bind(opener)
            .fetch_one(connection)
            .await?;
    if waiting >= searches_max { Err(LobbyError::AlreadySearching(waiting)) } else { Ok(()) }
}

fn arguments(game: &NewGame, conditions: Conditions) -> std::result::Result<SqliteArguments, BoxDynError> {
    let seat = |seat: &PlannedSeat| {
        let account = seat.player.map(|player| hex_of(player.account));
        let robot_level = seat.player.map_or(0, |player| player.robot_level);
        (seat.seat, seat.participant, account, robot_level, seat.player.map(|_| CREATED))
    };
    let mut arguments = SqliteArguments::default();
    arguments.add(game.opener)?;
    arguments.add(game.id)?;
    arguments.add(game.at.timestamp_micros())?;
    arguments.add(&game.kind.game)?;
    arguments.add(game.kind.version)?;
    arguments.add(&game.kind.variant)?;
    arguments.add(&game.kind.options)?;
    arguments.add(game.kind.seats)?;
    arguments.add(&game.kind.hash()[..])?;
    arguments.add(game.origin.as_str())?;
    arguments.add(game.status().as_str())?;
    arguments.add(game.series)?;
    arguments.add(CREATED)?;
    arguments.add(Json(game.seats.iter().map(seat).collect::<Vec<_>>()))?;
    arguments.add(Json(game.picks.iter().map(pick).collect::<Vec<_>>()))?;
    arguments.add(conditions.searches_max)?;
    arguments.add(conditions.if_alone)?;
    Ok(arguments)
}

type PickRow<'p> = (u32, u32, Option<String>, u8, &'p str, bool, i8, &'p str, &'p str, String);

fn pick(pick: &DrawnPick) -> PickRow<'_> {
    let account = pick.player.map(|player| hex_of(player.account));
    let entropy = hex::encode(pick.entropy);
    let (letter, set, digest) = (&pick.letter, &pick.tile_set, &pick.entropy_sha256);
    (pick.round, pick.pick, account, pick.seat, letter, pick.blank, pick.rank, set, digest, entropy)
}

fn hex_of(account: AccountId) -> String {
    account.0.simple().to_string()
}
