//! What a batch of orders is about, read with one command that also begins the transaction: who asks,
//! which requests are known, who waits where, and the games. From the begin on nobody else writes, so
//! all of it stays as it is read.

use std::collections::BTreeMap;

use astragal_runtime::database::script::Script;
use astragal_runtime::id::{AccountId, TableId};
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::types::{Json, Uuid};
use sqlx::{Arguments, FromRow, Row};

use super::rows::{GameSeat, games_where, gather};
use super::standing::{self, standing_picks};
use crate::error::Result;
use crate::order::{Batch, Order, Picture};
use crate::store::game_rows::hash;
use crate::store::live_search::{listed_search, live_search};
use crate::store::standing_rows;

/// `$1`: who asks, by which request, and from when on requests are remembered; `$2`: the games that are
/// named; `$3`: who seeks a game of which kind; `$4`: whose draw for which game may stand; `$5`: who invites, and since
/// when that counts. Each kind of row has a column that the others lack.
///
/// Of a kind that is sought, games are read up to the one that is as far among those in which no seeker sits as there
/// are seekers: then there is one for each. That number is no placeholder of its own, since SQLite prepares a statement
/// anew for each value of one.
const READ: &str = concat!(
    "BEGIN IMMEDIATE;
     SELECT account_id AS person FROM accounts
     WHERE robot_level = 0 AND deleted_at IS NULL AND account_id IN (SELECT unhex(value ->> 0) FROM json_each($1));
     SELECT account_id AS asker, request_id, request_hash, game_id
     FROM json_each($1) AS asked CROSS JOIN requests
     WHERE account_id = unhex(value ->> 0) AND request_id = unhex(value ->> 1) AND created_at >= value ->> 2;
     SELECT opener AS searcher, count(*) AS searches FROM games
     WHERE status = 'waiting' AND opener IN (SELECT unhex(value ->> 0) FROM json_each($1))
     GROUP BY opener;
     SELECT opener AS inviter, count(*) AS invitations FROM json_each($5) AS asked CROSS JOIN games
     WHERE origin = 'friends' AND opener = unhex(value ->> 0) AND created_at > value ->> 1 AND status = 'full'
     GROUP BY opener;",
    standing_picks!(),
    ";",
    "WITH found AS MATERIALIZED (
         SELECT unhex(value) AS found_id FROM json_each($2)
         UNION
         SELECT known.game_id FROM json_each($1) AS asked CROSS JOIN requests AS known
         WHERE known.account_id = unhex(value ->> 0) AND known.request_id = unhex(value ->> 1)
         UNION
         SELECT near.game_id
         FROM (SELECT DISTINCT unhex(value ->> 1) AS kind_hash FROM json_each($3)) AS kind CROSS JOIN games AS near
         WHERE near.kind_hash = kind.kind_hash AND ",
    listed_search!(),
    " AND near.game_id <= COALESCE((
             SELECT free.game_id FROM games AS free
             WHERE free.kind_hash = kind.kind_hash AND ",
    listed_search!(),
    " AND NOT EXISTS (
                     SELECT 1 FROM game_players AS sitting
                     WHERE sitting.game_id = free.game_id
                         AND sitting.account_id IN (SELECT unhex(value ->> 0) FROM json_each($3)))
             ORDER BY free.game_id LIMIT 1 OFFSET json_array_length($3) - 1),
             x'ffffffffffffffffffffffffffffffff')),
     people AS MATERIALIZED (
         SELECT unhex(value ->> 0) AS account_id FROM json_each($1)
         UNION
         SELECT sitting.account_id FROM found CROSS JOIN game_players AS sitting
         WHERE sitting.game_id = found_id AND sitting.account_id IS NOT NULL AND sitting.robot_level = 0) ",
    games_where!(
        "WHERE game_id IN (
             SELECT found_id FROM found
             UNION
             SELECT live.game_id FROM people CROSS JOIN games AS live
             WHERE live.opener = people.account_id AND "
    ),
    live_search!(),
    ") ORDER BY game_id, seat"
);

/// The command for a batch.
pub(super) fn script(batch: &Batch) -> sqlx::Result<Script> {
    Ok(Script { text: READ, arguments: arguments(batch).map_err(sqlx::Error::Encode)? })
}

fn arguments(batch: &Batch) -> std::result::Result<SqliteArguments, BoxDynError> {
    let asked = batch.orders.iter().filter_map(Order::request);
    let asked = asked.map(|request| {
        let forgotten_before = request.forgotten_before().timestamp_micros();
        (hex_of(request.account.0), hex_of(request.id.0), forgotten_before)
    });
    let named = batch.orders.iter().filter_map(Order::names);
    let sought = batch.orders.iter().filter_map(Order::seeks);
    let sought = sought.map(|new| (hex_of(new.opener.0), hex::encode(new.kind.hash())));
    let mut arguments = SqliteArguments::default();
    arguments.add(Json(asked.collect::<Vec<_>>()))?;
    arguments.add(Json(named.map(|game| hex_of(game.0)).collect::<Vec<_>>()))?;
    arguments.add(Json(sought.collect::<Vec<_>>()))?;
    arguments.add(Json(standing::asked(batch)))?;
    let invites = batch.orders.iter().filter_map(Order::invites).collect::<BTreeMap<_, _>>();
    let invites = invites.into_iter().map(|(inviter, since)| (hex_of(inviter.0), since.timestamp_micros()));
    arguments.add(Json(invites.collect::<Vec<_>>()))?;
    Ok(arguments)
}

/// The picture that the rows are.
pub(super) fn picture<'o>(rows: &[SqliteRow]) -> Result<Picture<'o>> {
    let (mut picture, mut seats, mut standing) = (Picture::default(), Vec::new(), Vec::new());
    for row in rows {
        if row.try_column("standing_for").is_ok() {
            standing.push(standing::row(row)?);
        } else if row.try_column("seat").is_ok() {
            seats.push(GameSeat::from_row(row)?);
        } else if row.try_column("person").is_ok() {
            picture.people.insert(row.try_get("person")?);
        } else if row.try_column("asker").is_ok() {
            let hash = hash(row.try_get("request_hash")?)?;
            let request = (row.try_get("asker")?, row.try_get("request_id")?);
            picture.requests.insert(request, (hash, row.try_get::<TableId, _>("game_id")?));
        } else if row.try_column("inviter").is_ok() {
            let inviter = row.try_get::<AccountId, _>("inviter")?;
            picture.invitations.insert(inviter, row.try_get("invitations")?);
        } else {
            picture.searches.insert(row.try_get::<AccountId, _>("searcher")?, row.try_get("searches")?);
        }
    }
    picture.standing = standing_rows::gather(standing);
    picture.games = gather(seats)?.into_iter().map(|game| (game.id, game)).collect();
    Ok(picture)
}

pub(super) fn hex_of(id: Uuid) -> String {
    id.simple().to_string()
}
