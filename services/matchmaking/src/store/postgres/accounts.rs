//! Rows of accounts.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::AccountId;
use sqlx::types::Uuid;

use super::rows::Query;
use crate::account::Account;
use crate::accounts::Naming;
use crate::name::keys::NameKeys;

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
    #[sqlx(try_from = "i32")]
    session_epoch: u32,
    deleted: bool,
}

impl From<Row> for Account {
    fn from(row: Row) -> Self {
        let Row { account_id: id, name, robot_level, created_at, session_epoch, deleted } = row;
        Self { id, name, robot_level, created_at, session_epoch, deleted }
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

pub(super) fn among(ids: &[AccountId]) -> Query<'_, Row> {
    sqlx::query_as(account!("SELECT ", " FROM accounts WHERE account_id = ANY($1)"))
        .bind(ids.iter().map(|id| id.0).collect::<Vec<Uuid>>())
}

pub(super) fn called(name: &str) -> Query<'_, Row> {
    let called = account!("SELECT ", " FROM accounts WHERE name = $1 ORDER BY created_at DESC LIMIT 50");
    sqlx::query_as(called).bind(name)
}

/// Gives a guest a name of their own; no row if the account is none.
pub(super) fn name(naming: &Naming) -> Query<'_, Row> {
    sqlx::query_as(account!(
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
}

pub(super) fn taken(keys: &NameKeys) -> Query<'_, (bool,)> {
    sqlx::query_as(
        "SELECT EXISTS (SELECT 1 FROM accounts WHERE name_folded = $1)
                        OR EXISTS (SELECT 1 FROM accounts WHERE name_likeness = $2)",
    )
    .bind(&keys.folded)
    .bind(&keys.likeness)
}

#[derive(sqlx::FromRow)]
pub(super) struct Credentials {
    #[sqlx(flatten)]
    account: Row,
    password_hash: String,
}

impl From<Credentials> for (Account, String) {
    fn from(row: Credentials) -> Self {
        (row.account.into(), row.password_hash)
    }
}

pub(super) fn credentials(name_folded: &str) -> Query<'_, Credentials> {
    sqlx::query_as(account!("SELECT ", ", password_hash FROM accounts WHERE name_folded = $1"))
        .bind(name_folded)
}

pub(super) fn change_password<'p>(account: AccountId, before: &'p str, after: &'p str) -> Query<'p, Row> {
    sqlx::query_as(account!(
        "UPDATE accounts SET password_hash = $3, session_epoch = session_epoch + 1
         WHERE account_id = $1 AND password_hash = $2 RETURNING ",
        ""
    ))
    .bind(account)
    .bind(before)
    .bind(after)
}

pub(super) fn end_sessions(account: AccountId) -> Query<'static, Row> {
    sqlx::query_as(account!(
        "UPDATE accounts SET session_epoch = session_epoch + 1
         WHERE account_id = $1 AND robot_level = 0 AND deleted_at IS NULL RETURNING ",
        ""
    ))
    .bind(account)
}

pub(super) fn delete(account: AccountId, name: &str, at: Timestamp) -> Query<'_, Row> {
    sqlx::query_as(account!(
        "UPDATE accounts SET name = $2, name_folded = NULL, name_likeness = NULL, password_hash = NULL,
                             session_epoch = session_epoch + 1, deleted_at = $3
         WHERE account_id = $1 AND robot_level = 0 AND deleted_at IS NULL RETURNING ",
        ""
    ))
    .bind(account)
    .bind(name)
    .bind(at)
}
