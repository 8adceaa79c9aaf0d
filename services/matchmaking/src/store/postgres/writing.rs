//! What became of a batch of orders, as one statement that takes all its rows as columns. Its parts
//! run on one snapshot and don't see each other's rows, so no two of them touch the same row: what is
//! confirmed of a game that has changed too is written with the change. What refers to a game that is
//! created here is checked at the end of the statement, when it is there.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use astragal_runtime::time_control::TimeControl;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, Postgres};
use sqlx::types::Uuid;
use sqlx::{Arguments, Encode, PgConnection, Type};

use crate::error::Result;
use crate::game::{Player, Seat};
use crate::order::{Batch, Changed, Created, Picture};
use crate::seating::DrawnPick;
use crate::store::standing_rows::drawn_for;

/// A draw that runs by itself is over before anyone sees it, so its entropy is written at once. A
/// request that was forgotten is replaced.
const WRITE: &str = "WITH created AS (
        INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status,
                           opener, first_seat, series_id, change, created_at, changed_at, time_control,
                           best_of)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::smallint[],
            $7::bytea[], $8::text[], $9::text[], $10::uuid[], $11::smallint[], $12::uuid[], $13::bigint[],
            $14::timestamptz[], $15::timestamptz[], $16::text[], $55::smallint[])),
    seated AS (
        INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change, drawn_for)
        SELECT * FROM unnest($17::uuid[], $18::smallint[], $19::smallint[], $20::uuid[], $21::smallint[],
            $22::bigint[], $56::text[])),
    drawn AS (
        INSERT INTO game_setup_draws (game_id, created_at, account_id, round, pick_no, seat, letter,
                                      is_blank, rank, tile_set, entropy_sha256, entropy, source, recorded_by,
                                      reused_from)
        SELECT * FROM unnest($23::uuid[], $24::timestamptz[], $25::uuid[], $26::integer[],
            $27::integer[], $28::smallint[], $29::text[], $30::boolean[], $31::smallint[], $32::text[],
            $33::text[], $34::bytea[], $52::text[], $53::uuid[], $54::uuid[])),
    changed AS (
        UPDATE games SET change = new.change, changed_at = new.changed_at, status = new.status,
                         settled = new.settled
        FROM unnest($35::uuid[], $36::bigint[], $37::timestamptz[], $38::text[], $39::bigint[])
            AS new (game_id, change, changed_at, status, settled)
        WHERE games.game_id = new.game_id),
    taken AS (
        SELECT * FROM unnest($40::uuid[], $41::smallint[], $42::uuid[], $43::smallint[], $44::bigint[])
            AS taken (game_id, seat, account_id, robot_level, change)),
    sitting AS (
        UPDATE game_players AS player
        SET account_id = taken.account_id, robot_level = taken.robot_level, change = taken.change
        FROM taken WHERE player.game_id = taken.game_id AND player.seat = taken.seat),
    named AS (
        UPDATE game_setup_draws AS pick SET account_id = taken.account_id
        FROM taken WHERE pick.game_id = taken.game_id AND pick.seat = taken.seat AND pick.account_id IS NULL),
    noted AS (
        INSERT INTO requests (account_id, request_id, request_hash, game_id, created_at)
        SELECT * FROM unnest($45::uuid[], $46::uuid[], $47::bytea[], $48::uuid[], $49::timestamptz[])
        ON CONFLICT (account_id, request_id) DO UPDATE
        SET request_hash = excluded.request_hash, game_id = excluded.game_id,
            created_at = excluded.created_at)
    UPDATE games SET settled = confirmed.change
    FROM (SELECT game_id, max(change) AS change
          FROM unnest($50::uuid[], $51::bigint[]) AS confirmed (game_id, change) GROUP BY game_id)
        AS confirmed
    WHERE games.game_id = confirmed.game_id AND settled < confirmed.change";

/// Writes what a picture has become.
pub(super) async fn write(connection: &mut PgConnection, picture: &Picture<'_>, batch: &Batch) -> Result<()> {
    let arguments = arguments(picture, batch).map_err(sqlx::Error::Encode)?;
    sqlx::query_with(WRITE, arguments).execute(connection).await?;
    Ok(())
}

fn arguments(picture: &Picture<'_>, batch: &Batch) -> std::result::Result<PgArguments, BoxDynError> {
    let mut columns = Columns(PgArguments::default());
    columns.created(&picture.created().collect::<Vec<_>>())?;
    let changed: Vec<_> = picture.changed().collect();
    columns.changed(&changed)?;

    let noted = picture.noted();
    columns.add(noted, |(request, _)| request.account.0)?;
    columns.add(noted, |(request, _)| request.id.0)?;
    columns.add(noted, |(request, _)| &request.hash[..])?;
    columns.add(noted, |(_, game)| game.0)?;
    columns.add(noted, |(request, _)| request.at)?;

    let alone = |game: TableId| changed.iter().all(|changed| changed.game.id != game);
    let confirmed: Vec<_> = batch.confirmed.iter().filter(|confirmed| alone(confirmed.game)).collect();
    columns.add(&confirmed, |confirmed| confirmed.game.0)?;
    columns.add(&confirmed, |confirmed| i64::from(confirmed.change))?;
    let created: Vec<_> = picture.created().collect();
    columns.sources(&created)?;
    let seats = created.iter().flat_map(|row| row.game.seats.iter().map(|seat| drawn_for(row.new, seat)));
    columns.0.add(seats.collect::<Vec<_>>())?;
    Ok(columns.0)
}

/// The arrays, in the order of their placeholders.
struct Columns(PgArguments);

impl Columns {
    fn add<'r, R, V>(
        &mut self,
        rows: &'r [R],
        value: impl Fn(&'r R) -> V,
    ) -> std::result::Result<(), BoxDynError>
    where
        Vec<V>: for<'q> Encode<'q, Postgres> + Type<Postgres>,
    {
        self.0.add(rows.iter().map(value).collect::<Vec<V>>())
    }

    fn created(&mut self, created: &[Created<'_>]) -> std::result::Result<(), BoxDynError> {
        self.add(created, |row| row.game.id.0)?;
        self.add(created, |row| row.game.kind.game.as_str())?;
        self.add(created, |row| i64::from(row.game.kind.version))?;
        self.add(created, |row| row.game.kind.variant.as_str())?;
        self.add(created, |row| row.game.kind.options.as_str())?;
        self.add(created, |row| i16::from(row.game.kind.seats))?;
        self.add(created, |row| row.game.kind.hash().to_vec())?;
        self.add(created, |row| row.game.origin.as_str())?;
        self.add(created, |row| row.game.status.as_str())?;
        self.add(created, |row| row.game.opener.0)?;
        self.add(created, |row| i16::from(row.game.first_seat))?;
        self.add(created, |row| row.game.series.0)?;
        self.add(created, |row| i64::from(row.game.change))?;
        self.add(created, |row| row.game.created_at)?;
        self.add(created, |row| row.changed_at)?;
        self.add(created, |row| row.game.kind.clock.map(TimeControl::to_text))?;

        let seats = created.iter().flat_map(|row| row.game.seats.iter().map(|seat| (row.game.id, seat)));
        let seats: Vec<(TableId, &Seat)> = seats.collect();
        self.add(&seats, |(game, _)| game.0)?;
        self.add(&seats, |(_, seat)| i16::from(seat.seat))?;
        self.add(&seats, |(_, seat)| i16::from(seat.participant))?;
        self.add(&seats, |(_, seat)| seat.taken.map(|(player, _)| player.account.0))?;
        self.add(&seats, |(_, seat)| seat.taken.map_or(0, |(player, _)| i16::from(player.robot_level)))?;
        self.add(&seats, |(_, seat)| seat.taken.map(|(_, change)| i64::from(change)))?;

        let picks = created.iter().flat_map(|row| {
            let game = row.game;
            row.picks().map(move |(pick, player)| (game.id.0, game.created_at, pick, player))
        });
        let picks: Vec<(Uuid, Timestamp, &DrawnPick, Option<Player>)> = picks.collect();
        self.add(&picks, |(game, ..)| *game)?;
        self.add(&picks, |(_, at, ..)| *at)?;
        self.add(&picks, |(.., player)| player.map(|player| player.account.0))?;
        self.add(&picks, |(_, _, pick, _)| i32::try_from(pick.round).unwrap_or(i32::MAX))?;
        self.add(&picks, |(_, _, pick, _)| i32::try_from(pick.pick).unwrap_or(i32::MAX))?;
        self.add(&picks, |(_, _, pick, _)| i16::from(pick.seat))?;
        self.add(&picks, |(_, _, pick, _)| pick.letter.as_str())?;
        self.add(&picks, |(_, _, pick, _)| pick.blank)?;
        self.add(&picks, |(_, _, pick, _)| i16::from(pick.rank))?;
        self.add(&picks, |(_, _, pick, _)| pick.tile_set.as_str())?;
        self.add(&picks, |(_, _, pick, _)| pick.source.entropy_sha256())?;
        self.add(&picks, |(_, _, pick, _)| pick.source.entropy().map(|entropy| entropy.to_vec()))
    }

    /// How the picks of created games came about, and of which matches the games are part.
    fn sources(&mut self, created: &[Created<'_>]) -> std::result::Result<(), BoxDynError> {
        let picks: Vec<&DrawnPick> = created.iter().flat_map(Created::picks).map(|(pick, _)| pick).collect();
        self.add(&picks, |pick| pick.source.as_str())?;
        self.add(&picks, |pick| pick.source.recorded_by().map(|account| account.0))?;
        self.add(&picks, |pick| pick.reused_from.map(|game| game.0))?;
        self.add(created, |row| i16::from(row.game.kind.best_of))
    }

    fn changed(&mut self, changed: &[Changed<'_>]) -> std::result::Result<(), BoxDynError> {
        self.add(changed, |row| row.game.id.0)?;
        self.add(changed, |row| i64::from(row.game.change))?;
        self.add(changed, |row| row.at)?;
        self.add(changed, |row| row.game.status.as_str())?;
        self.add(changed, |row| i64::from(row.game.settled))?;

        let taken = changed.iter().flat_map(|row| row.taken().map(|taken| (row.game.id.0, taken)));
        let taken: Vec<(Uuid, (u8, Player, u32))> = taken.collect();
        self.add(&taken, |(game, _)| *game)?;
        self.add(&taken, |(_, (seat, ..))| i16::from(*seat))?;
        self.add(&taken, |(_, (_, player, _))| player.account.0)?;
        self.add(&taken, |(_, (_, player, _))| i16::from(player.robot_level))?;
        self.add(&taken, |(_, (.., change))| i64::from(*change))
    }
}
