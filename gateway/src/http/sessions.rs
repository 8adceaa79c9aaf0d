//! Sessions: begun with name and password, renewed by a token that still counts, and ended everywhere.

use astragal_proto::matchmaking::v1::{EndSessionsRequest, OpenSessionRequest, RenewSessionRequest};
use astragal_proto::time::Timestamp;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use http::{HeaderMap, StatusCode};
use serde::Serialize;

use super::bearer;
use super::caller::Caller;
use super::refusal::Refusal;
use super::signed_in::{Created, NameAndPassword, created};
use crate::gateway::Gateway;

/// `POST /v1/sessions`.
pub(super) async fn create(
    State(gateway): State<Gateway>,
    Caller(address): Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Created, Refusal> {
    gateway.limits().password(address)?;
    let NameAndPassword { name, password } = NameAndPassword::read(body)?;
    let roles = gateway.roles();
    let address = address.map(|address| address.to_string()).unwrap_or_default();
    let request = OpenSessionRequest { name, password, address };
    let opened = roles.answer(roles.accounts().open_session(request)).await?;
    Ok(created(opened.account_id, opened.name, opened.token, opened.expires_at))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Renewed {
    account_id: String,
    token: String,
    expires_at: Option<Timestamp>,
}

/// `POST /v1/sessions/refresh`; a connection of the old token goes on until that runs out.
pub(super) async fn refresh(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
) -> Result<Json<Renewed>, Refusal> {
    // Whether the session still counts, whoever renews it looks.
    let claims = bearer::claims(&gateway, &headers)?;
    gateway.limits().session(claims.account)?;
    let (roles, account_id) = (gateway.roles(), claims.account.to_string());
    let request = RenewSessionRequest { account_id: account_id.clone(), session_epoch: claims.epoch };
    let renewed = roles.answer(roles.accounts().renew_session(request)).await?;
    Ok(Json(Renewed { account_id, token: renewed.token, expires_at: renewed.expires_at }))
}

/// `DELETE /v1/sessions`: signs out everywhere, here too.
pub(super) async fn end_all(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let account = bearer::account(&gateway, &headers).await?;
    gateway.limits().session(account)?;
    let (roles, account_id) = (gateway.roles(), account.to_string());
    roles.answer(roles.accounts().end_sessions(EndSessionsRequest { account_id })).await?;
    Ok(StatusCode::NO_CONTENT)
}
