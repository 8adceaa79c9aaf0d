//! What everyone gets who signs up or in, and the bodies in which they ask for it.

use astragal_proto::time::Timestamp;
use astragal_runtime::error::{Code, Problem};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use http::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A session that has begun. Only its owner gets it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignedIn {
    account_id: String,
    name: String,
    token: String,
    expires_at: Option<Timestamp>,
}

/// The answer with a new session.
pub(super) type Created = (StatusCode, Json<SignedIn>);

/// The answer with this session.
pub(super) fn created(
    account_id: String,
    name: String,
    token: String,
    expires_at: Option<Timestamp>,
) -> Created {
    (StatusCode::CREATED, Json(SignedIn { account_id, name, token, expires_at }))
}

/// A name and a password.
#[derive(Deserialize)]
pub(super) struct NameAndPassword {
    pub(super) name: String,
    pub(super) password: String,
}

impl NameAndPassword {
    pub(super) fn read(body: Result<Bytes, BytesRejection>) -> Result<Self, Problem> {
        read(body, "the body must be JSON like {\"name\":\"Ada\",\"password\":\"...\"}")
    }
}

/// A body that must be JSON; `form` says how it is to be, since what is in it is repeated nowhere.
pub(super) fn read<T: DeserializeOwned>(
    body: Result<Bytes, BytesRejection>,
    form: &str,
) -> Result<T, Problem> {
    let body = body.map_err(|rejection| unreadable(&rejection))?;
    serde_json::from_slice(&body).map_err(|_| Problem::invalid_argument(form))
}

pub(super) fn unreadable(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Problem::new(Code::TooLarge, "the body is too large; a name needs less")
    } else {
        Problem::invalid_argument("the body can't be read; send it again")
    }
}
