//! Sessions that go on: a new token for one that still counts.

use astragal_proto::matchmaking::v1::RenewSessionRequest;
use astragal_proto::time::Timestamp;
use axum::Json;
use axum::extract::State;
use http::HeaderMap;
use serde::Serialize;

use super::bearer;
use super::refusal::Refusal;
use crate::gateway::Gateway;

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
    let account = bearer::account(&gateway, &headers)?;
    gateway.limits().session(account)?;
    let (roles, account_id) = (gateway.roles(), account.to_string());
    let request = RenewSessionRequest { account_id: account_id.clone(), session_epoch: 0 };
    let renewed = roles.answer(roles.accounts().renew_session(request)).await?;
    Ok(Json(Renewed { account_id, token: renewed.token, expires_at: renewed.expires_at }))
}
