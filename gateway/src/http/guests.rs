//! Signing up as a guest.

use astragal_proto::matchmaking::v1::CreateGuestRequest;
use astragal_proto::time::Timestamp;
use astragal_runtime::error::{Code, Problem};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use super::caller::Caller;
use super::refusal::Refusal;
use crate::gateway::Gateway;

#[derive(Deserialize, Default)]
struct Wanted {
    name: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Guest {
    account_id: String,
    name: String,
    token: String,
    expires_at: Option<Timestamp>,
}

/// `POST /v1/guests`; no body at all asks for a name to be made up.
pub(super) async fn create(
    State(gateway): State<Gateway>,
    Caller(address): Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Guest>), Refusal> {
    gateway.limits().guest(address)?;
    let body = body.map_err(|rejection| unreadable(&rejection))?;
    let wanted: Wanted = if body.is_empty() {
        Wanted::default()
    } else {
        serde_json::from_slice(&body)
            .map_err(|_| Problem::invalid_argument("the body must be JSON like {\"name\":\"Ada\"}"))?
    };
    let request = CreateGuestRequest { name: wanted.name.unwrap_or_default() };
    let roles = gateway.roles();
    let guest = roles.answer(roles.accounts().create_guest(request)).await?;
    let guest = Guest {
        account_id: guest.account_id,
        name: guest.name,
        token: guest.token,
        expires_at: guest.expires_at,
    };
    Ok((StatusCode::CREATED, Json(guest)))
}

fn unreadable(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Problem::new(Code::TooLarge, "the body is too large; a name needs less")
    } else {
        Problem::invalid_argument("the body can't be read; send it again")
    }
}
