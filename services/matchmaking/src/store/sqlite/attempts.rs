//! Attempts to sign in, in SQLite.

use astragal_runtime::clock::Timestamp;
use async_trait::async_trait;

use super::SqliteStore;
use crate::attempts::Attempt;
use crate::error::Result;
use crate::store::attempts::{AttemptStore, count_attempt, counts_until};
use crate::store::game_rows::instant;

#[async_trait]
impl AttemptStore for SqliteStore {
    async fn attempt(&self, attempt: &Attempt) -> Result<Option<Timestamp>> {
        let mut transaction = self.0.begin().await?;
        let counted: Option<u32> = sqlx::query_scalar(count_attempt!("max"))
            .bind(attempt.slot)
            .bind(attempt.at.timestamp_micros())
            .bind(attempt.every.num_microseconds().unwrap_or(i64::MAX))
            .bind(attempt.latest.timestamp_micros())
            .fetch_optional(&mut *transaction)
            .await?;
        let mut free_at = None;
        if counted.is_none() {
            let until = sqlx::query_scalar(counts_until!()).bind(attempt.slot);
            free_at = Some(instant(until.fetch_one(&mut *transaction).await?)?);
        }
        transaction.commit().await?;
        Ok(free_at)
    }

    async fn forget_attempts(&self, free_at: Timestamp) -> Result<u64> {
        let mut transaction = self.0.begin().await?;
        let done = sqlx::query("DELETE FROM sign_in_attempts WHERE free_at <= $1")
            .bind(free_at.timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }
}
