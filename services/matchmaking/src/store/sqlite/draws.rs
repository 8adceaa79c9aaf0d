//! Draws tile by tile, how games ended, and what follows from both, in SQLite.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use async_trait::async_trait;
use sqlx::SqliteConnection;
use sqlx::types::Json;

use super::{SqliteStore, standing};
use crate::error::{LobbyError, Result};
use crate::game::GameEnd;
use crate::seeding::sheet::Sheet;
use crate::store::draws::{DrawKey, DrawStore, SheetStep};
use crate::store::game_rows::hash;
use crate::store::sheet_rows::{SheetRow, allotment_parts, participant_parts, pick_parts};

const SHEET: &str = "
    SELECT game, variant, tile_set, balanced, status, change, created_at AS opened_at,
        (SELECT json_group_array(json(part)) FROM (
            SELECT json_array(lower(hex(account_id)), robot_level, contends, firsts) AS part
            FROM draw_participants WHERE game_id = $1 ORDER BY participant)) AS participants,
        (SELECT json_group_array(json(part)) FROM (
            SELECT json_array(round, participant, lower(hex(entropy))) AS part
            FROM draw_entropy WHERE game_id = $1 ORDER BY round, participant)) AS allotted,
        (SELECT json_group_array(json(part)) FROM (
            SELECT json_array(round, pick_no, participant, letter, is_blank, rank,
                              nullif(lower(hex(recorded_by)), ''), nullif(lower(hex(request_id)), ''),
                              drawn_at) AS part
            FROM draw_picks WHERE game_id = $1 ORDER BY round, pick_no)) AS picks
    FROM draws WHERE game_id = $1";

/// The games of accounts, people or robots: their seats by the index that is for these, then each game by its key.
macro_rules! games_of {
    () => {
        "(SELECT game_id, seat, account_id FROM game_players
          WHERE account_id IN (SELECT unhex(value, '-') FROM json_each($1)) AND robot_level = 0
          UNION ALL
          SELECT game_id, seat, account_id FROM game_players
          WHERE account_id IN (SELECT unhex(value, '-') FROM json_each($1)) AND robot_level > 0) AS mine
         CROSS JOIN games USING (game_id)"
    };
}

#[async_trait]
impl DrawStore for SqliteStore {
    async fn sheet(&self, game: TableId) -> Result<Option<Sheet>> {
        let row: Option<SheetRow> = sqlx::query_as(SHEET).bind(game).fetch_optional(self.0.reader()).await?;
        row.map(|row| row.sheet(game)).transpose()
    }

    async fn draw_request(&self, request: RequestId) -> Result<Option<([u8; 32], TableId)>> {
        let found: Option<(Vec<u8>, TableId)> =
            sqlx::query_as("SELECT request_hash, game_id FROM draw_requests WHERE request_id = $1")
                .bind(request)
                .fetch_optional(self.0.reader())
                .await?;
        found.map(|(content, game)| Ok((hash(content)?, game))).transpose()
    }

    async fn write_sheet(&self, step: &SheetStep<'_>) -> Result<()> {
        let mut transaction = self.0.begin().await?;
        write(&mut transaction, step).await?;
        Ok(transaction.commit().await?)
    }

    async fn forget_draw_requests(&self, before: Timestamp) -> Result<u64> {
        let done = sqlx::query("DELETE FROM draw_requests WHERE created_at < $1")
            .bind(before.timestamp_micros())
            .execute(&mut *self.0.writer().await?)
            .await?;
        Ok(done.rows_affected())
    }

    async fn newest_unended(&self, keys: &[DrawKey<'_>]) -> Result<Vec<TableId>> {
        standing::newest_unended(self.0.reader(), keys).await
    }

    async fn unended(&self, accounts: &[AccountId], game: &str, limit: u32) -> Result<Vec<TableId>> {
        let games = sqlx::query_scalar(concat!(
            "SELECT DISTINCT game_id FROM ",
            games_of!(),
            " WHERE status = 'full' AND end_reason IS NULL AND game = $2 ORDER BY game_id DESC LIMIT $3"
        ))
        .bind(Json(accounts))
        .bind(game)
        .bind(limit)
        .fetch_all(self.0.reader())
        .await?;
        Ok(games)
    }

    async fn note_end(&self, game: TableId, end: &GameEnd) -> Result<()> {
        standing::note_end(&mut *self.0.writer().await?, game, end).await
    }

    async fn seatings(
        &self,
        accounts: &[AccountId],
        game: &str,
        variant: &str,
    ) -> Result<Vec<(AccountId, bool)>> {
        let seatings = sqlx::query_as(concat!(
            "SELECT account_id, seat = first_seat FROM ",
            games_of!(),
            " WHERE status = 'full' AND end_reason IS NOT 'aborted'
                     AND game = $2 AND ($3 = '' OR variant = $3)
                 ORDER BY game_id, seat"
        ))
        .bind(Json(accounts))
        .bind(game)
        .bind(variant)
        .fetch_all(self.0.reader())
        .await?;
        Ok(seatings)
    }
}

async fn write(connection: &mut SqliteConnection, step: &SheetStep<'_>) -> Result<()> {
    let (sheet, at) = (step.after, step.at.timestamp_micros());
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
        .bind(at)
        .execute(&mut *connection)
        .await?;
        if noted.rows_affected() == 0 {
            return Err(LobbyError::DrawChanged);
        }
    }
    if !step.allotted().is_empty() {
        sqlx::query(
            "INSERT INTO draw_entropy (game_id, round, participant, entropy)
             SELECT $1, value ->> 0, value ->> 1, unhex(value ->> 2) FROM json_each($2)",
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
             SELECT $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                    unhex(value ->> 6, '-'), unhex(value ->> 7, '-'), value ->> 8
             FROM json_each($2)",
        )
        .bind(sheet.id)
        .bind(Json(pick_parts(step.picks())))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Writes the draw itself; false: it is not as it was read.
async fn begin(
    connection: &mut SqliteConnection,
    SheetStep { before, after, at, .. }: &SheetStep<'_>,
) -> Result<bool> {
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
        .bind(after.change)
        .bind(at.timestamp_micros())
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "INSERT INTO draw_participants (game_id, participant, account_id, robot_level, contends, firsts)
             SELECT $1, value ->> 0, unhex(value ->> '$[1][0]', '-'), value ->> '$[1][1]', value ->> '$[1][2]',
                    value ->> '$[1][3]'
             FROM json_each($2)",
        )
        .bind(after.id)
        .bind(Json(participant_parts(after)))
        .execute(connection)
        .await?;
        return Ok(true);
    };
    let changed = sqlx::query("UPDATE draws SET change = $3, status = $4 WHERE game_id = $1 AND change = $2")
        .bind(after.id)
        .bind(before.change)
        .bind(after.change)
        .bind(after.status.as_str())
        .execute(connection)
        .await?;
    Ok(changed.rows_affected() > 0)
}
