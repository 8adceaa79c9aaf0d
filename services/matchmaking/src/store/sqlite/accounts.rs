//! Rows of accounts.

use astragal_runtime::id::AccountId;
use sqlx::{SqliteConnection, SqlitePool};

use super::rows::instant;
use crate::account::Account;
use crate::error::{LobbyError, Result};

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

/// Refuses whoever is no person here.
pub(super) async fn check_person(connection: &mut SqliteConnection, account: AccountId) -> Result<()> {
    let person: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM accounts WHERE account_id = $1 AND robot_level = 0)",
    )
    .bind(account)
    .fetch_one(connection)
    .await?;
    if person { Ok(()) } else { Err(LobbyError::UnknownAccount) }
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
