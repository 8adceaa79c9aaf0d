//! What a batch of orders is about, locked and then read: see the head of [`super`] for the order of
//! the locks. What is locked is read by a statement of its own, which sees what the last holder wrote.

use std::collections::BTreeMap;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use sqlx::PgConnection;
use sqlx::types::Uuid;

use super::rows::{self, games_where};
use super::standing;
use crate::error::Result;
use crate::game::{Game, Status};
use crate::order::{Batch, Order, Picture};
use crate::store::game_rows::hash;
use crate::store::live_search::{listed_search, live_search};

/// How often the games of a kind are looked for anew. Whoever misses more than so many at once waits beside others.
const LOOKS_MAX: usize = 8;

/// Locks all that a batch is about until the transaction ends, and reads it.
pub(super) async fn picture<'o>(connection: &mut PgConnection, batch: &Batch) -> Result<Picture<'o>> {
    let mut picture = Picture::default();
    let mut askers: Vec<Uuid> = batch.orders.iter().filter_map(Order::request).map(|r| r.account.0).collect();
    askers.sort();
    askers.dedup();
    if !askers.is_empty() {
        lock_people(connection, &askers, &mut picture).await?;
        known_requests(connection, batch, &mut picture).await?;
    }
    let sought = lock_kinds(connection, batch).await?;
    for _ in 0..LOOKS_MAX {
        lock_games(connection, batch, &askers, &sought, &mut picture).await?;
        if !has_missed(&picture, batch, &sought) {
            break;
        }
    }
    if batch.orders.iter().any(|order| order.opens().is_some()) {
        picture.standing = standing::picks(connection, batch).await?;
        count_searches(connection, &askers, &mut picture).await?;
        count_invitations(connection, batch, &mut picture).await?;
    }
    Ok(picture)
}

/// One request of an account after the other. Others may go on referring to it.
async fn lock_people(
    connection: &mut PgConnection,
    askers: &[Uuid],
    picture: &mut Picture<'_>,
) -> Result<()> {
    let people: Vec<(AccountId,)> = sqlx::query_as(
        "SELECT account_id FROM accounts WHERE account_id = ANY($1) AND robot_level = 0 AND deleted_at IS NULL
         ORDER BY account_id FOR NO KEY UPDATE",
    )
    .bind(askers)
    .fetch_all(connection)
    .await?;
    picture.people = people.into_iter().map(|(person,)| person).collect();
    Ok(())
}

async fn known_requests(
    connection: &mut PgConnection,
    batch: &Batch,
    picture: &mut Picture<'_>,
) -> Result<()> {
    let asked = || batch.orders.iter().filter_map(Order::request);
    let known: Vec<(AccountId, RequestId, Vec<u8>, TableId)> = sqlx::query_as(
        "SELECT account_id, request_id, request_hash, game_id
         FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS asked (account_id, request_id, since)
         JOIN requests USING (account_id, request_id) WHERE created_at >= since",
    )
    .bind(asked().map(|request| request.account.0).collect::<Vec<Uuid>>())
    .bind(asked().map(|request| request.id.0).collect::<Vec<Uuid>>())
    .bind(asked().map(crate::request::Request::forgotten_before).collect::<Vec<Timestamp>>())
    .fetch_all(connection)
    .await?;
    for (account, request, content, game) in known {
        picture.requests.insert((account, request), (hash(content)?, game));
    }
    Ok(())
}

/// Locks the slot of every kind that is sought: nobody else opens a listed game of it. Gives who seeks
/// a game of which kind.
async fn lock_kinds(connection: &mut PgConnection, batch: &Batch) -> Result<Vec<(Uuid, [u8; 32])>> {
    let sought = batch.orders.iter().filter_map(Order::seeks);
    let sought: Vec<_> = sought.map(|new| (new.opener.0, new.kind.hash())).collect();
    if !sought.is_empty() {
        sqlx::query("SELECT 1 FROM kind_locks WHERE slot = ANY($1) ORDER BY slot FOR UPDATE")
            .bind(sought.iter().map(|(_, hash)| hash[0].into()).collect::<Vec<i16>>())
            .execute(connection)
            .await?;
    }
    Ok(sought)
}

/// Whether a game that was sought is gone: somebody held it while this look waited for it, and joined or cancelled it.
/// Then another one may wait that was not looked at.
fn has_missed(picture: &Picture<'_>, batch: &Batch, sought: &[(Uuid, [u8; 32])]) -> bool {
    let known = |game: TableId| {
        batch.orders.iter().filter_map(Order::names).any(|named| named == game)
            || picture.requests.values().any(|(_, led_to)| *led_to == game)
            || batch.confirmed.iter().any(|confirmed| confirmed.game == game)
    };
    let is_gone = |game: &Game| game.is_listed() && (game.status != Status::Waiting || game.away);
    picture.games.values().filter(|game| is_gone(game) && !known(game.id)).any(|game| {
        let hash = game.kind.hash();
        sought.iter().any(|(_, kind)| *kind == hash)
    })
}

/// The games that are named or sought, and the live searches of everyone who asks or sits in one of these: whoever
/// finds a game is not looked for any more.
///
/// Of a kind that so many seek, those are read up to the one that is the so manieth in which none of them sits: then
/// there is one for each, however many of those before it are their own. Seats are looked up by their game; were only
/// those of people asked for, PostgreSQL could go through all of them by the index of who sits where.
const LOCK_GAMES: &str = concat!(
    "WITH sought AS (
        SELECT near.game_id
        FROM (SELECT kind_hash, count(*) AS seekers FROM unnest($4::bytea[]) AS kind_hash GROUP BY kind_hash) AS kind,
        LATERAL (
            SELECT game_id FROM games
            WHERE games.kind_hash = kind.kind_hash AND ",
    listed_search!(),
    " AND game_id <= COALESCE((
                SELECT game_id FROM games
                WHERE games.kind_hash = kind.kind_hash AND ",
    listed_search!(),
    " AND NOT EXISTS (
                        SELECT 1 FROM game_players AS sitting
                        WHERE sitting.game_id = games.game_id AND sitting.account_id = ANY($3))
                ORDER BY game_id OFFSET seekers - 1 LIMIT 1), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            OFFSET 0) AS near),
    people AS (
        SELECT unnest($5::uuid[]) AS account_id
        UNION
        SELECT account_id FROM (SELECT unnest($2::uuid[]) AS game_id UNION SELECT game_id FROM sought) AS found
        JOIN game_players USING (game_id) WHERE account_id IS NOT NULL),
    live AS (
        SELECT own.game_id FROM people, LATERAL (
            SELECT game_id FROM games WHERE opener = people.account_id AND ",
    live_search!(),
    " LIMIT 1000) AS own)
    SELECT game_id FROM games
    WHERE game_id IN (
        SELECT unnest($1::uuid[]) UNION SELECT unnest($2::uuid[])
        UNION SELECT game_id FROM sought UNION SELECT game_id FROM live)
    ORDER BY game_id FOR NO KEY UPDATE OF games"
);

async fn lock_games(
    connection: &mut PgConnection,
    batch: &Batch,
    askers: &[Uuid],
    sought: &[(Uuid, [u8; 32])],
    picture: &mut Picture<'_>,
) -> Result<()> {
    let named: Vec<Uuid> = batch.orders.iter().filter_map(Order::names).map(|game| game.0).collect();
    let known = picture.requests.values().map(|(_, game)| game.0);
    let others: Vec<Uuid> = known.chain(batch.confirmed.iter().map(|confirmed| confirmed.game.0)).collect();
    if named.is_empty() && others.is_empty() && sought.is_empty() {
        return Ok(());
    }
    let locked: Vec<(TableId,)> = sqlx::query_as(LOCK_GAMES)
        .bind(others)
        .bind(named)
        .bind(sought.iter().map(|(account, _)| *account).collect::<Vec<Uuid>>())
        .bind(sought.iter().map(|(_, hash)| &hash[..]).collect::<Vec<&[u8]>>())
        .bind(askers)
        .fetch_all(&mut *connection)
        .await?;
    let rows = sqlx::query_as(games_where!("WHERE game_id = ANY($1) ORDER BY game_id, seat"))
        .bind(locked.into_iter().map(|(game,)| game.0).collect::<Vec<Uuid>>())
        .fetch_all(connection)
        .await?;
    picture.games = rows::games(rows)?.into_iter().map(|game| (game.id, game)).collect();
    Ok(())
}

async fn count_searches(
    connection: &mut PgConnection,
    askers: &[Uuid],
    picture: &mut Picture<'_>,
) -> Result<()> {
    let searches: Vec<(AccountId, i64)> = sqlx::query_as(
        "SELECT account_id, searches FROM unnest($1::uuid[]) AS asker (account_id), LATERAL (
             SELECT count(*) AS searches FROM games WHERE status = 'waiting' AND opener = account_id) AS own
         WHERE searches > 0",
    )
    .bind(askers)
    .fetch_all(connection)
    .await?;
    let count = |(opener, count): (AccountId, i64)| (opener, u32::try_from(count).unwrap_or(u32::MAX));
    picture.searches = searches.into_iter().map(count).collect();
    Ok(())
}

async fn count_invitations(
    connection: &mut PgConnection,
    batch: &Batch,
    picture: &mut Picture<'_>,
) -> Result<()> {
    let invites: BTreeMap<AccountId, Timestamp> = batch.orders.iter().filter_map(Order::invites).collect();
    if invites.is_empty() {
        return Ok(());
    }
    let invitations: Vec<(AccountId, i64)> = sqlx::query_as(
        "SELECT account_id, invitations FROM unnest($1::uuid[], $2::timestamptz[]) AS inviter (account_id, since),
         LATERAL (
             SELECT count(*) AS invitations FROM games
             WHERE origin = 'friends' AND opener = account_id AND created_at > since AND status = 'full') AS own",
    )
    .bind(invites.keys().map(|account| account.0).collect::<Vec<Uuid>>())
    .bind(invites.values().copied().collect::<Vec<Timestamp>>())
    .fetch_all(connection)
    .await?;
    let count = |(inviter, count): (AccountId, i64)| (inviter, u32::try_from(count).unwrap_or(u32::MAX));
    picture.invitations = invitations.into_iter().map(count).collect();
    Ok(())
}
