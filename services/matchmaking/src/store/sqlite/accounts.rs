//! Rows of accounts.

use astragal_runtime::id::AccountId;
use sqlx::{SqliteConnection, SqlitePool};

use super::rows::instant;
use crate::account::Account;
use crate::error::Result;

pub(super) async fn add(connection: &mut SqliteConnection, accounts: &[Account]) -> Result<()> {
    for account in accounts {
        sqlx::query(
            "INSERT INTO accounts (account_id, name, robot_level, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (account_id) DO NOTHING",
        )
        .bind(account.id)
        .bind(&account.name)
        .bind(account.robot_level)
        .bind(account.created_at.timestamp_micros())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Row {
    account_id: AccountId,
    name: String,
    robot_level: u8,
    created_at: i64,
}

pub(super) async fn among(pool: &SqlitePool, ids: &[AccountId]) -> Result<Vec<Account>> {
    let ids: Vec<String> = ids.iter().map(|id| id.0.simple().to_string()).collect();
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT account_id, name, robot_level, created_at FROM accounts
         WHERE account_id IN (SELECT unhex(value) FROM json_each($1))",
    )
    .bind(sqlx::types::Json(ids))
    .fetch_all(pool)
    .await?;
    let account = |row: Row| {
        let created_at = instant(row.created_at)?;
        Ok(Account { id: row.account_id, name: row.name, robot_level: row.robot_level, created_at })
    };
    rows.into_iter().map(account).collect()
}
