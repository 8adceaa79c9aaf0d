//! Rows of accounts.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::AccountId;
use sqlx::types::Uuid;

use super::rows::Query;
use crate::account::Account;

/// Sorted, so that two processes that add the same accounts at once don't wait for each other.
pub(super) fn add(accounts: &[Account]) -> Query<'_, (AccountId,)> {
    let mut accounts: Vec<_> = accounts.iter().collect();
    accounts.sort_by_key(|account| account.id);
    sqlx::query_as(
        "INSERT INTO accounts (account_id, name, robot_level, created_at)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::timestamptz[])
         ON CONFLICT DO NOTHING RETURNING account_id",
    )
    .bind(accounts.iter().map(|account| account.id.0).collect::<Vec<Uuid>>())
    .bind(accounts.iter().map(|account| account.name.as_str()).collect::<Vec<&str>>())
    .bind(accounts.iter().map(|account| account.robot_level.into()).collect::<Vec<i16>>())
    .bind(accounts.iter().map(|account| account.created_at).collect::<Vec<Timestamp>>())
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    account_id: AccountId,
    name: String,
    #[sqlx(try_from = "i16")]
    robot_level: u8,
    created_at: Timestamp,
}

impl From<Row> for Account {
    fn from(row: Row) -> Self {
        Self { id: row.account_id, name: row.name, robot_level: row.robot_level, created_at: row.created_at }
    }
}

pub(super) fn among(ids: &[AccountId]) -> Query<'_, Row> {
    sqlx::query_as(
        "SELECT account_id, name, robot_level, created_at FROM accounts WHERE account_id = ANY($1)",
    )
    .bind(ids.iter().map(|id| id.0).collect::<Vec<Uuid>>())
}
