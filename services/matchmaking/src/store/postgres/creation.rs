//! One creation: the game, its seats and its draw.

use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;
use sqlx::types::Uuid;
use sqlx::{Arguments, PgConnection};

use crate::error::{LobbyError, Result};
use crate::game::{CREATED, Game, NewGame, Status};
use crate::kind::Kind;
use crate::seating::DrawnPick;

/// A draw that runs by itself is over before anyone sees it, so its entropy is written at once. What
/// refers to the game is checked at the end of the statement, when it is there.
const CREATE: &str = "WITH created AS (
        INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status,
                           opener, first_seat, series_id, change, created_at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)),
    seated AS (
        INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change)
        SELECT $1, seated.*, CASE WHEN account_id IS NOT NULL THEN $13 END
        FROM unnest($15::smallint[], $16::smallint[], $17::uuid[], $18::smallint[])
            AS seated (seat, participant, account_id, robot_level))
    INSERT INTO game_setup_draws (game_id, round, pick_no, account_id, seat, letter, is_blank, rank,
                                  tile_set, entropy_sha256, entropy, source, created_at)
    SELECT $1, pick.*, 'auto', $14
    FROM unnest($19::integer[], $20::integer[], $21::uuid[], $22::smallint[], $23::text[], $24::boolean[],
                $25::smallint[], $26::text[], $27::text[], $28::bytea[]) AS pick";

/// Locks the slot of a kind until the transaction ends: nobody else opens a listed game of it.
pub(super) async fn lock_kind(connection: &mut PgConnection, kind: &Kind) -> Result<()> {
    let [slot, ..] = kind.hash();
    sqlx::query("SELECT 1 FROM kind_locks WHERE slot = $1 FOR UPDATE")
        .bind(i16::from(slot))
        .execute(connection)
        .await?;
    Ok(())
}

/// Creates a game for whoever's account is locked.
pub(super) async fn create(connection: &mut PgConnection, game: &NewGame, searches_max: u32) -> Result<Game> {
    if game.status() == Status::Waiting {
        let (waiting,): (i64,) =
            sqlx::query_as("SELECT count(*) FROM games WHERE opener = $1 AND status = 'waiting'")
                .bind(game.opener)
                .fetch_one(&mut *connection)
                .await?;
        if waiting >= i64::from(searches_max) {
            return Err(LobbyError::AlreadySearching(u32::try_from(waiting).unwrap_or(u32::MAX)));
        }
    }
    let arguments = arguments(game).map_err(sqlx::Error::Encode)?;
    sqlx::query_with(CREATE, arguments).execute(connection).await?;
    Ok(Game::from(game))
}

fn arguments(game: &NewGame) -> std::result::Result<PgArguments, BoxDynError> {
    let mut arguments = PgArguments::default();
    arguments.add(game.id)?;
    arguments.add(&game.kind.game)?;
    arguments.add(i64::from(game.kind.version))?;
    arguments.add(&game.kind.variant)?;
    arguments.add(&game.kind.options)?;
    arguments.add(i16::from(game.kind.seats))?;
    arguments.add(&game.kind.hash()[..])?;
    arguments.add(game.origin.as_str())?;
    arguments.add(game.status().as_str())?;
    arguments.add(game.opener)?;
    arguments.add(0_i16)?;
    arguments.add(game.series)?;
    arguments.add(i64::from(CREATED))?;
    arguments.add(game.at)?;

    let seats = &game.seats;
    let levels = seats.iter().map(|seat| seat.player.map_or(0, |player| player.robot_level));
    arguments.add(seats.iter().map(|seat| seat.seat.into()).collect::<Vec<i16>>())?;
    arguments.add(seats.iter().map(|seat| seat.participant.into()).collect::<Vec<i16>>())?;
    let accounts = seats.iter().map(|seat| seat.player.map(|player| player.account.0));
    arguments.add(accounts.collect::<Vec<Option<Uuid>>>())?;
    arguments.add(levels.map(i16::from).collect::<Vec<i16>>())?;

    let picks = || game.picks.iter();
    let number = |number: u32| i32::try_from(number);
    arguments.add(picks().map(|pick| number(pick.round)).collect::<std::result::Result<Vec<i32>, _>>()?)?;
    arguments.add(picks().map(|pick| number(pick.pick)).collect::<std::result::Result<Vec<i32>, _>>()?)?;
    let account = |pick: &DrawnPick| pick.player.map(|player| player.account.0);
    arguments.add(picks().map(account).collect::<Vec<Option<Uuid>>>())?;
    arguments.add(picks().map(|pick| pick.seat.into()).collect::<Vec<i16>>())?;
    arguments.add(picks().map(|pick| pick.letter.as_str()).collect::<Vec<&str>>())?;
    arguments.add(picks().map(|pick| pick.blank).collect::<Vec<bool>>())?;
    arguments.add(picks().map(|pick| pick.rank.into()).collect::<Vec<i16>>())?;
    arguments.add(picks().map(|pick| pick.tile_set.as_str()).collect::<Vec<&str>>())?;
    arguments.add(picks().map(|pick| pick.entropy_sha256.as_str()).collect::<Vec<&str>>())?;
    arguments.add(picks().map(|pick| &pick.entropy[..]).collect::<Vec<&[u8]>>())?;
    Ok(arguments)
}
