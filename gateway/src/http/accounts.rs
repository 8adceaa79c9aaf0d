//! A guest who takes a name of their own, a password that is changed, and an account that is deleted.

use std::net::IpAddr;

use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{LeaveAction, ListTablesRequest, PlayRequest};
use astragal_proto::matchmaking::v1::{ChangePasswordRequest, DeleteAccountRequest, NameAccountRequest};
use astragal_runtime::error::{Code, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;

use super::bearer;
use super::caller::Caller;
use super::refusal::Refusal;
use super::signed_in::{Created, NameAndPassword, created, read};
use crate::gateway::Gateway;

/// Tables that are asked for at once.
const PAGE_MAX: u32 = 100;

/// `POST /v1/accounts`.
pub(super) async fn create(
    State(gateway): State<Gateway>,
    Caller(address): Caller,
    headers: HeaderMap,
    body: std::result::Result<Bytes, BytesRejection>,
) -> std::result::Result<Created, Refusal> {
    let account = who_types_a_password(&gateway, address, &headers).await?;
    let NameAndPassword { name, password } = NameAndPassword::read(body)?;
    let (roles, account_id) = (gateway.roles(), account.to_string());
    let request = NameAccountRequest { account_id: account_id.clone(), name, password };
    let named = roles.answer(roles.accounts().name_account(request)).await?;
    gateway.composer().names.note(account, &named.name).await;
    Ok(created(account_id, named.name, named.token, named.expires_at))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Passwords {
    old_password: String,
    new_password: String,
}

/// `POST /v1/me/password`: the session that it answers with is the only one that counts from then on.
pub(super) async fn change_password(
    State(gateway): State<Gateway>,
    Caller(address): Caller,
    headers: HeaderMap,
    body: std::result::Result<Bytes, BytesRejection>,
) -> std::result::Result<Created, Refusal> {
    let account = who_types_a_password(&gateway, address, &headers).await?;
    let form = "the body must be JSON like {\"oldPassword\":\"...\",\"newPassword\":\"...\"}";
    let Passwords { old_password, new_password } = read(body, form)?;
    let (roles, account_id) = (gateway.roles(), account.to_string());
    let request = ChangePasswordRequest { account_id: account_id.clone(), old_password, new_password };
    let changed = roles.answer(roles.accounts().change_password(request)).await?;
    Ok(created(account_id, changed.name, changed.token, changed.expires_at))
}

/// The account that is signed in, if a password may be tried from there and a session begin.
async fn who_types_a_password(
    gateway: &Gateway,
    address: Option<IpAddr>,
    headers: &HeaderMap,
) -> Result<AccountId> {
    gateway.limits().password(address)?;
    let account = bearer::account(gateway, headers).await?;
    gateway.limits().session(account)?;
    Ok(account)
}

/// `DELETE /v1/me`. Whoever is still being played against wins; what is over stays, without the name.
pub(super) async fn delete(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
) -> std::result::Result<StatusCode, Refusal> {
    let account = bearer::account(&gateway, &headers).await?;
    gateway.limits().session(account)?;
    leave_tables(&gateway, account).await?;
    let roles = gateway.roles();
    let request = DeleteAccountRequest { account_id: account.to_string() };
    roles.answer(roles.accounts().delete_account(request)).await?;
    gateway.composer().names.forget(account).await;
    Ok(StatusCode::NO_CONTENT)
}

async fn leave_tables(gateway: &Gateway, account: AccountId) -> Result<()> {
    let roles = gateway.roles();
    let mut after_table_id = String::new();
    loop {
        let request = ListTablesRequest {
            account_id: account.to_string(),
            in_progress: true,
            limit: PAGE_MAX,
            after_table_id: after_table_id.clone(),
        };
        let tables = roles.answer(roles.engine().list_tables(request)).await?.tables;
        for table in &tables {
            leave(gateway, account, &table.table_id).await?;
        }
        match tables.last() {
            Some(last) if tables.len() >= PAGE_MAX as usize => after_table_id.clone_from(&last.table_id),
            _ => return Ok(()),
        }
    }
}

/// One that still waits for players is cancelled with the account, whoever opened it; one that has just ended is over.
async fn leave(gateway: &Gateway, account: AccountId, table: &str) -> Result<()> {
    let roles = gateway.roles();
    let request = PlayRequest {
        table_id: table.to_owned(),
        account_id: account.to_string(),
        request_id: RequestId::new().to_string(),
        action: Some(Action::Leave(LeaveAction {})),
        ..PlayRequest::default()
    };
    match roles.answer(roles.engine_of(TableId::parse("gameId", table)?).play(request)).await {
        Err(problem) if matches!(problem.code, Code::FailedPrecondition | Code::GameOver) => Ok(()),
        left => left.map(drop),
    }
}
