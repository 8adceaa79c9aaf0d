//! Who sends a request: the account of its bearer token.

use astragal_runtime::auth::Claims;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::AccountId;
use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::gateway::Gateway;

/// The account that signed in, which the request can't do without.
pub(super) async fn account(gateway: &Gateway, headers: &HeaderMap) -> Result<AccountId> {
    let claims = claims(gateway, headers)?;
    gateway.sessions().of(claims).await.map(|claims| claims.account)
}

/// The account that signed in, or nothing for a stranger; a token that doesn't count is refused, not ignored.
pub(super) async fn account_if_any(gateway: &Gateway, headers: &HeaderMap) -> Result<Option<AccountId>> {
    match claims_if_any(gateway, headers)? {
        Some(claims) => gateway.sessions().of(claims).await.map(|claims| Some(claims.account)),
        None => Ok(None),
    }
}

/// What the token says, whether or not its session was ended since.
pub(super) fn claims(gateway: &Gateway, headers: &HeaderMap) -> Result<Claims> {
    claims_if_any(gateway, headers)?
        .ok_or_else(|| Problem::unauthenticated("send the header Authorization: Bearer TOKEN"))
}

fn claims_if_any(gateway: &Gateway, headers: &HeaderMap) -> Result<Option<Claims>> {
    let Some(header) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let token = header.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
    let token = token.ok_or_else(|| Problem::unauthenticated("write Authorization as Bearer TOKEN"))?;
    gateway.verify(token.trim()).map(Some)
}
