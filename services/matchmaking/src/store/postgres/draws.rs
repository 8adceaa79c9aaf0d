//! Draws tile by tile, how games ended, and what follows from both, in PostgreSQL.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use async_trait::async_trait;
use sqlx::PgConnection;
use sqlx::types::{Json, Uuid};

use super::{PostgresStore, standing};
use crate::error::{LobbyError, Result};
use crate::game::GameEnd;
use crate::seeding::sheet::Sheet;
use crate::store::draws::{DrawKey, DrawStore, SheetStep};
use crate::store::game_rows::hash;
use crate::store::sheet_rows::{SheetRow, allotment_parts, participant_parts, pick_parts};

/// One statement, so that all parts are of one instant.
const SHEET: &str = "
    SELECT game, variant, tile_set, balanced, status, change::bigint AS change,
        (extract(epoch FROM created_at) * 1000000)::bigint AS opened_at,
        (SELECT coalesce(jsonb_agg(jsonb_build_array(account_id, robot_level, contends::integer, firsts)
                                   ORDER BY participant), '[]')
         FROM draw_participants WHERE game_id = $1) AS participants,
        (SELECT coalesce(jsonb_agg(jsonb_build_array(round, participant, encode(entropy, 'hex'))
                                   ORDER BY round, participant), '[]')
         FROM draw_entropy WHERE game_id = $1) AS allotted,
        (SELECT coalesce(jsonb_agg(jsonb_build_array(
                    round, pick_no, participant, letter, is_blank::integer, rank, recorded_by, request_id,
                    (extract(epoch FROM drawn_at) * 1000000)::bigint) ORDER BY round, pick_no), '[]')
         FROM draw_picks WHERE game_id = $1) AS picks
    FROM draws WHERE game_id = $1";

/// The games of accounts, people or robots: their seats by the index that is for these, then each game by its key.
macro_rules! games_of {
    () => {
        "(SELECT game_id, seat, account_id FROM game_players WHERE account_id = ANY($1) AND robot_level = 0
          UNION ALL
          SELECT game_id, seat, account_id FROM game_players WHERE account_id = ANY($1) AND robot_level > 0) AS mine
         CROSS JOIN LATERAL (
             SELECT game, variant, first_seat, status, end_reason FROM games
             WHERE games.game_id = mine.game_id OFFSET 0) AS played"
    };
}

#[async_trait]
impl DrawStore for PostgresStore {
    async fn sheet(&self, game: TableId) -> Result<Option<Sheet>> {
        let mut rows: Vec<SheetRow> = self.0.rows(sqlx::query_as(SHEET).bind(game)).await?;
        rows.pop().map(|row| row.sheet(game)).transpose()
    }

    async fn draw_request(&self, request: RequestId) -> Result<Option<([u8; 32], TableId)>> {
        let query = "SELECT request_hash, game_id FROM draw_requests WHERE request_id = $1";
        let mut found: Vec<(Vec<u8>, TableId)> = self.0.rows(sqlx::query_as(query).bind(request)).await?;
        found.pop().map(|(content, game)| Ok((hash(content)?, game))).transpose()
    }

    async fn write_sheet(&self, step: &SheetStep<'_>) -> Result<()> {
        let write = || async {
            let mut transaction = self.0.begin().await?;
            let done = write(&mut transaction, step).await;
            transaction.end(done).await
        };
        self.0.transact(write).await
    }

    async fn forget_draw_requests(&self, before: Timestamp) -> Result<u64> {
        let forget = || async {
            let query = "WITH forgotten AS (DELETE FROM draw_requests WHERE created_at < $1 RETURNING 1)
                         SELECT count(*) FROM forgotten";
            self.0.rows(sqlx::query_as::<_, (i64,)>(query).bind(before)).await
        };
        Ok(self.0.retry(forget).await?.first().map_or(0, |(count,)| count.unsigned_abs()))
    }

    async fn newest_unended(&self, keys: &[DrawKey<'_>]) -> Result<Vec<TableId>> {
        let games = self.0.rows(standing::newest_unended(keys)).await?;
        Ok(games.into_iter().map(|(game,)| game).collect())
    }

    async fn unended(&self, accounts: &[AccountId], game: &str, limit: u32) -> Result<Vec<TableId>> {
        let query = sqlx::query_as(concat!(
            "SELECT DISTINCT game_id FROM ",
            games_of!(),
            " WHERE status = 'full' AND end_reason IS NULL AND game = $2 ORDER BY game_id DESC LIMIT $3"
        ));
        let query = query.bind(uuids(accounts)).bind(game).bind(i64::from(limit));
        let games: Vec<(TableId,)> = self.0.rows(query).await?;
        Ok(games.into_iter().map(|(game,)| game).collect())
    }

    async fn note_end(&self, game: TableId, end: &GameEnd) -> Result<()> {
        let note = || async { self.0.rows(standing::note_end(game, end)).await };
        Ok(self.0.retry(note).await.map(drop)?)
    }

    async fn seatings(
        &self,
        accounts: &[AccountId],
        game: &str,
        variant: &str,
    ) -> Result<Vec<(AccountId, bool)>> {
        let query = sqlx::query_as(concat!(
            "SELECT account_id, seat = first_seat FROM ",
            games_of!(),
            " WHERE status = 'full' AND end_reason IS DISTINCT FROM 'aborted'
                     AND game = $2 AND ($3 = '' OR variant = $3)
                 ORDER BY game_id, seat"
        ));
        Ok(self.0.rows(query.bind(uuids(accounts)).bind(game).bind(variant)).await?)
    }
}

fn uuids(accounts: &[AccountId]) -> Vec<Uuid> {
    accounts.iter().map(|account| account.0).collect()
}

async fn write(connection: &mut PgConnection, step: &SheetStep<'_>) -> Result<()> {
    let sheet = step.after;
    if !begin(connection, step).await? {
        return Err(LobbyError::DrawChanged);
    }
    if let Some(request) = step.request {
        let noted = sqlx::query(
            "INSERT INTO draw_requests (request_id, request_hash, game_id, created_at)
             VALUES ($1, $2, $3, $4) ON CONFLICT (request_id) DO NOTHING",
        )
        .bind(request.id)
        .bind(&request.hash[..])
        .bind(sheet.id)
        .bind(step.at)
        .execute(&mut *connection)
        .await?;
        if noted.rows_affected() == 0 {
            return Err(LobbyError::DrawChanged);
        }
    }
    if !step.allotted().is_empty() {
        sqlx::query(
            "INSERT INTO draw_entropy (game_id, round, participant, entropy)
             SELECT $1, (value ->> 0)::integer, (value ->> 1)::smallint, decode(value ->> 2, 'hex')
             FROM jsonb_array_elements($2)",
        )
        .bind(sheet.id)
        .bind(Json(allotment_parts(step.allotted())))
        .execute(&mut *connection)
        .await?;
    }
    if !step.picks().is_empty() {
        sqlx::query(
            "INSERT INTO draw_picks (game_id, round, pick_no, participant, letter, is_blank, rank, recorded_by,
                                     request_id, drawn_at)
             SELECT $1, (value ->> 0)::integer, (value ->> 1)::integer, (value ->> 2)::smallint, value ->> 3,
                    (value ->> 4) = '1', (value ->> 5)::smallint, (value ->> 6)::uuid, (value ->> 7)::uuid,
                    timestamptz 'epoch' + (value ->> 8)::bigint * interval '1 microsecond'
             FROM jsonb_array_elements($2)",
        )
        .bind(sheet.id)
        .bind(Json(pick_parts(step.picks())))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Writes the draw itself; false: it is not as it was read. Whoever changes it waits here for whoever did before.
async fn begin(
    connection: &mut PgConnection,
    SheetStep { before, after, at, .. }: &SheetStep<'_>,
) -> Result<bool> {
    let change = i64::from(after.change);
    let Some(before) = before else {
        sqlx::query(
            "INSERT INTO draws (game_id, game, variant, tile_set, balanced, status, change, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(after.id)
        .bind(&after.terms.game)
        .bind(&after.terms.variant)
        .bind(after.terms.tile_set.name())
        .bind(after.terms.balanced)
        .bind(after.status.as_str())
        .bind(change)
        .bind(at)
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "INSERT INTO draw_participants (game_id, participant, account_id, robot_level, contends, firsts)
             SELECT $1, (value ->> 0)::smallint, (value #>> '{1,0}')::uuid, (value #>> '{1,1}')::smallint,
                    (value #>> '{1,2}') = '1', (value #>> '{1,3}')::integer
             FROM jsonb_array_elements($2)",
        )
        .bind(after.id)
        .bind(Json(participant_parts(after)))
        .execute(connection)
        .await?;
        return Ok(true);
    };
    let changed = sqlx::query("UPDATE draws SET change = $3, status = $4 WHERE game_id = $1 AND change = $2")
        .bind(after.id)
        .bind(i64::from(before.change))
        .bind(change)
        .bind(after.status.as_str())
        .execute(connection)
        .await?;
    Ok(changed.rows_affected() > 0)
}
