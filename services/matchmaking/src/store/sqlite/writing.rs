//! What became of a batch of orders, written with one command that also ends the transaction: each
//! statement takes all its rows as one JSON array.

use astragal_runtime::database::script::Script;
use astragal_runtime::id::TableId;
use astragal_runtime::time_control::TimeControl;
use sqlx::Arguments;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::types::Json;

use super::reading::hex_of;
use crate::game::{Game, Player, Seat};
use crate::order::{Batch, Changed, Confirmation, Created, Picture};
use crate::request::Request;
use crate::seating::DrawnPick;
use crate::store::standing_rows::drawn_for;

/// A draw that runs by itself is over before anyone sees it, so its entropy is written at once. A
/// request that was forgotten is replaced.
const WRITE: &str = "
    INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status, opener,
                       first_seat, series_id, change, created_at, changed_at, time_control, best_of)
    SELECT unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
           unhex(value ->> 6), value ->> 7, value ->> 8, unhex(value ->> 9), value ->> 10,
           unhex(value ->> 11), value ->> 12, value ->> 13, value ->> 14, value ->> '$[15][0]',
           value ->> '$[15][1]'
    FROM json_each($1);
    INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change, drawn_for)
    SELECT unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4, value ->> 5, value ->> 6
    FROM json_each($2);
    INSERT INTO game_setup_draws (game_id, created_at, account_id, round, pick_no, seat, letter, is_blank,
                                  rank, tile_set, entropy_sha256, entropy, source, recorded_by, reused_from)
    SELECT unhex(value ->> 0), value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5,
           value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, unhex(value ->> 11),
           value ->> 12, unhex(value ->> 13), unhex(value ->> 14)
    FROM json_each($3);
    UPDATE games SET change = value ->> 1, changed_at = value ->> 2, status = value ->> 3
    FROM json_each($4) WHERE game_id = unhex(value ->> 0);
    UPDATE game_players SET account_id = unhex(value ->> 2), robot_level = value ->> 3, change = value ->> 4
    FROM json_each($5) WHERE game_id = unhex(value ->> 0) AND seat = value ->> 1;
    UPDATE game_setup_draws SET account_id = unhex(value ->> 2)
    FROM json_each($5)
    WHERE game_id = unhex(value ->> 0) AND seat = value ->> 1 AND account_id IS NULL;
    INSERT INTO requests (account_id, request_id, request_hash, game_id, created_at)
    SELECT unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2), unhex(value ->> 3), value ->> 4
    FROM json_each($6) WHERE true
    ON CONFLICT (account_id, request_id) DO UPDATE
    SET request_hash = excluded.request_hash, game_id = excluded.game_id, created_at = excluded.created_at;
    UPDATE games SET settled = value ->> 1
    FROM json_each($7) WHERE game_id = unhex(value ->> 0) AND settled < value ->> 1;
    COMMIT";

/// The command for what a picture has become.
pub(super) fn script(picture: &Picture<'_>, batch: &Batch) -> sqlx::Result<Script> {
    Ok(Script { text: WRITE, arguments: arguments(picture, batch).map_err(sqlx::Error::Encode)? })
}

fn arguments(picture: &Picture<'_>, batch: &Batch) -> Result<SqliteArguments, BoxDynError> {
    let mut arguments = SqliteArguments::default();
    arguments.add(Json(picture.created().map(game_row).collect::<Vec<_>>()))?;
    arguments.add(Json(picture.created().flat_map(seat_rows).collect::<Vec<_>>()))?;
    arguments.add(Json(picture.created().flat_map(pick_rows).collect::<Vec<_>>()))?;
    arguments.add(Json(picture.changed().map(changed_row).collect::<Vec<_>>()))?;
    arguments.add(Json(picture.changed().flat_map(taken_rows).collect::<Vec<_>>()))?;
    arguments.add(Json(picture.noted().iter().map(request_row).collect::<Vec<_>>()))?;
    arguments.add(Json(batch.confirmed.iter().map(confirmed_row).collect::<Vec<_>>()))?;
    Ok(arguments)
}

type GameRow<'p> = (
    String,
    &'p str,
    u32,
    &'p str,
    &'p str,
    u8,
    String,
    &'p str,
    &'p str,
    String,
    u8,
    String,
    u32,
    i64,
    i64,
    (Option<String>, u8),
);

fn game_row(created: Created<'_>) -> GameRow<'_> {
    let (game, kind) = (created.game, &created.game.kind);
    (
        hex_of(game.id.0),
        &kind.game,
        kind.version,
        &kind.variant,
        &kind.options,
        kind.seats,
        hex::encode(kind.hash()),
        game.origin.as_str(),
        game.status.as_str(),
        hex_of(game.opener.0),
        game.first_seat,
        hex_of(game.series.0),
        game.change,
        game.created_at.timestamp_micros(),
        created.changed_at.timestamp_micros(),
        (kind.clock.map(TimeControl::to_text), kind.best_of),
    )
}

fn seat_rows(created: Created<'_>) -> impl Iterator<Item = SeatRow> {
    created.game.seats.iter().map(move |seat| seat_row(created, seat))
}

fn pick_rows(created: Created<'_>) -> impl Iterator<Item = PickRow<'_>> {
    created.picks().map(move |(pick, player)| pick_row(created.game, pick, player))
}

fn taken_rows(changed: Changed<'_>) -> Vec<TakenRow> {
    let game = changed.game.id;
    changed.taken().map(|(seat, player, change)| taken_row(game, seat, player, change)).collect()
}

type SeatRow = (String, u8, u8, Option<String>, u8, Option<u32>, Option<String>);

fn seat_row(created: Created<'_>, seat: &Seat) -> SeatRow {
    let account = seat.taken.map(|(player, _)| hex_of(player.account.0));
    let level = seat.taken.map_or(0, |(player, _)| player.robot_level);
    let (game, change) = (hex_of(created.game.id.0), seat.taken.map(|(_, change)| change));
    (game, seat.seat, seat.participant, account, level, change, drawn_for(created.new, seat))
}

type PickRow<'p> = (
    String,
    i64,
    Option<String>,
    u32,
    u32,
    u8,
    &'p str,
    bool,
    i8,
    &'p str,
    Option<String>,
    Option<String>,
    &'static str,
    Option<String>,
    Option<String>,
);

fn pick_row<'p>(game: &Game, pick: &'p DrawnPick, player: Option<Player>) -> PickRow<'p> {
    (
        hex_of(game.id.0),
        game.created_at.timestamp_micros(),
        player.map(|player| hex_of(player.account.0)),
        pick.round,
        pick.pick,
        pick.seat,
        &pick.letter,
        pick.blank,
        pick.rank,
        &pick.tile_set,
        pick.source.entropy_sha256(),
        pick.source.entropy().map(hex::encode),
        pick.source.as_str(),
        pick.source.recorded_by().map(|account| hex_of(account.0)),
        pick.reused_from.map(|game| hex_of(game.0)),
    )
}

fn changed_row(changed: Changed<'_>) -> (String, u32, i64, &'static str) {
    let game = changed.game;
    (hex_of(game.id.0), game.change, changed.at.timestamp_micros(), game.status.as_str())
}

type TakenRow = (String, u8, String, u8, u32);

fn taken_row(game: TableId, seat: u8, player: Player, change: u32) -> TakenRow {
    (hex_of(game.0), seat, hex_of(player.account.0), player.robot_level, change)
}

fn request_row((request, game): &(&Request, TableId)) -> (String, String, String, String, i64) {
    let (account, id) = (hex_of(request.account.0), hex_of(request.id.0));
    (account, id, hex::encode(request.hash), hex_of(game.0), request.at.timestamp_micros())
}

fn confirmed_row(confirmed: &Confirmation) -> (String, u32) {
    (hex_of(confirmed.game.0), confirmed.change)
}
