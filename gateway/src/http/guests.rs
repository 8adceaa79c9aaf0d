//! Signing up as a guest.

use astragal_proto::matchmaking::v1::CreateGuestRequest;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use serde::Deserialize;

use super::caller::Caller;
use super::refusal::Refusal;
use super::signed_in::{Created, created, read};
use crate::gateway::Gateway;

#[derive(Deserialize, Default)]
struct Wanted {
    name: Option<String>,
}

/// `POST /v1/guests`; no body at all asks for a name to be made up.
pub(super) async fn create(
    State(gateway): State<Gateway>,
    Caller(address): Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Created, Refusal> {
    gateway.limits().guest(address)?;
    let wanted = match &body {
        Ok(body) if body.is_empty() => Wanted::default(),
        _ => read(body, "the body must be JSON like {\"name\":\"Ada\"}")?,
    };
    let request = CreateGuestRequest { name: wanted.name.unwrap_or_default() };
    let roles = gateway.roles();
    let guest = roles.answer(roles.accounts().create_guest(request)).await?;
    Ok(created(guest.account_id, guest.name, guest.token, guest.expires_at))
}
