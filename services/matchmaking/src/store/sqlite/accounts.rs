//! Rows of accounts.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::AccountId;
use sqlx::{SqliteConnection, SqlitePool};

use crate::account::Account;
use crate::accounts::Naming;
use crate::error::Result;
use crate::name::keys::NameKeys;
use crate::store::game_rows::instant;

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
    session_epoch: u32,
    deleted: bool,
}

impl Row {
    fn account(self) -> Result<Account> {
        let created_at = instant(self.created_at)?;
        let Self { account_id: id, name, robot_level, session_epoch, deleted, .. } = self;
        Ok(Account { id, name, robot_level, created_at, session_epoch, deleted })
    }
}

/// The columns of a [`Row`].
macro_rules! account {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            "account_id, name, robot_level, created_at, session_epoch, deleted_at IS NOT NULL AS deleted",
            $after
        )
    };
}

pub(super) async fn among(pool: &SqlitePool, ids: &[AccountId]) -> Result<Vec<Account>> {
    let ids: Vec<String> = ids.iter().map(|id| id.0.simple().to_string()).collect();
    let rows: Vec<Row> = sqlx::query_as(account!(
        "SELECT ",
        " FROM accounts WHERE account_id IN (SELECT unhex(value) FROM json_each($1))"
    ))
    .bind(sqlx::types::Json(ids))
    .fetch_all(pool)
    .await?;
    rows.into_iter().map(Row::account).collect()
}

pub(super) async fn called(pool: &SqlitePool, name: &str) -> Result<Vec<Account>> {
    let called = account!("SELECT ", " FROM accounts WHERE name = $1 ORDER BY created_at DESC LIMIT 50");
    let rows: Vec<Row> = sqlx::query_as(called).bind(name).fetch_all(pool).await?;
    rows.into_iter().map(Row::account).collect()
}

/// Gives a guest a name of their own; none if the account is no guest.
pub(super) async fn name(connection: &mut SqliteConnection, naming: &Naming) -> Result<Option<Account>> {
    let row: Option<Row> = sqlx::query_as(account!(
        "UPDATE accounts SET name = $2, name_folded = $3, name_likeness = $4, password_hash = $5
         WHERE account_id = $1 AND robot_level = 0 AND deleted_at IS NULL AND password_hash IS NULL
         RETURNING ",
        ""
    ))
    .bind(naming.account)
    .bind(&naming.name.shown)
    .bind(&naming.name.keys.folded)
    .bind(&naming.name.keys.likeness)
    .bind(&naming.password_hash)
    .fetch_optional(connection)
    .await?;
    row.map(Row::account).transpose()
}

pub(super) async fn is_taken(pool: &SqlitePool, keys: &NameKeys) -> Result<bool> {
    let taken = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM accounts WHERE name_folded = $1)
             OR EXISTS (SELECT 1 FROM accounts WHERE name_likeness = $2)",
    )
    .bind(&keys.folded)
    .bind(&keys.likeness)
    .fetch_one(pool)
    .await?;
    Ok(taken)
}

#[derive(sqlx::FromRow)]
struct Credentials {
    #[sqlx(flatten)]
    account: Row,
    password_hash: String,
}

pub(super) async fn credentials(pool: &SqlitePool, name_folded: &str) -> Result<Option<(Account, String)>> {
    let row: Option<Credentials> =
        sqlx::query_as(account!("SELECT ", ", password_hash FROM accounts WHERE name_folded = $1"))
            .bind(name_folded)
            .fetch_optional(pool)
            .await?;
    row.map(|row| Ok((row.account.account()?, row.password_hash))).transpose()
}

pub(super) async fn change_password(
    connection: &mut SqliteConnection,
    account: AccountId,
    before: &str,
    after: &str,
) -> Result<Option<Account>> {
    let row: Option<Row> = sqlx::query_as(account!(
        "UPDATE accounts SET password_hash = $3, session_epoch = session_epoch + 1
         WHERE account_id = $1 AND password_hash = $2 RETURNING ",
        ""
    ))
    .bind(account)
    .bind(before)
    .bind(after)
    .fetch_optional(connection)
    .await?;
    row.map(Row::account).transpose()
}

pub(super) async fn end_sessions(
    connection: &mut SqliteConnection,
    account: AccountId,
) -> Result<Option<Account>> {
    let row: Option<Row> = sqlx::query_as(account!(
        "UPDATE accounts SET session_epoch = session_epoch + 1
         WHERE account_id = $1 AND robot_level = 0 AND deleted_at IS NULL RETURNING ",
        ""
    ))
    .bind(account)
    .fetch_optional(connection)
    .await?;
    row.map(Row::account).transpose()
}

pub(super) async fn delete(
    connection: &mut SqliteConnection,
    account: AccountId,
    name: &str,
    at: Timestamp,
) -> Result<Option<Account>> {
    let row: Option<Row> = sqlx::query_as(account!(
        "UPDATE accounts SET name = $2, name_folded = NULL, name_likeness = NULL, password_hash = NULL,
                             session_epoch = session_epoch + 1, deleted_at = $3
         WHERE account_id = $1 AND robot_level = 0 AND deleted_at IS NULL RETURNING ",
        ""
    ))
    .bind(account)
    .bind(name)
    .bind(at.timestamp_micros())
    .fetch_optional(connection)
    .await?;
    row.map(Row::account).transpose()
}
