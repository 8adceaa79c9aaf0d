//! Attempts to sign in, in PostgreSQL.

use astragal_runtime::clock::Timestamp;
use async_trait::async_trait;

use super::PostgresStore;
use crate::attempts::Attempt;
use crate::error::Result;
use crate::store::attempts::{AttemptStore, count_attempt, counts_until};

#[async_trait]
impl AttemptStore for PostgresStore {
    async fn attempt(&self, attempt: &Attempt) -> Result<Option<Timestamp>> {
        let slot = i32::try_from(attempt.slot).unwrap_or(i32::MAX);
        let count = sqlx::query_as(count_attempt!("greatest"))
            .bind(slot)
            .bind(attempt.at)
            .bind(attempt.every)
            .bind(attempt.latest);
        let counted: Vec<(i32,)> = self.0.rows(count).await?;
        if !counted.is_empty() {
            return Ok(None);
        }
        let until: Vec<(Timestamp,)> = self.0.rows(sqlx::query_as(counts_until!()).bind(slot)).await?;
        // A sweep may have forgotten them meanwhile.
        Ok(Some(until.first().map_or(attempt.latest, |(free_at,)| *free_at)))
    }

    async fn forget_attempts(&self, free_at: Timestamp) -> Result<u64> {
        let forget = || async {
            let query = "WITH forgotten AS (DELETE FROM sign_in_attempts WHERE free_at <= $1 RETURNING 1)
                         SELECT count(*) FROM forgotten";
            self.0.rows(sqlx::query_as::<_, (i64,)>(query).bind(free_at)).await
        };
        Ok(self.0.retry(forget).await?.first().map_or(0, |(count,)| count.unsigned_abs()))
    }
}
