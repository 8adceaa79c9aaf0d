//! Who is an administrator: whoever has shown a token of that role, which is kept in a cookie that no
//! script and no other site can use; or whom a proxy that is trusted names in a header.

use std::net::SocketAddr;

use askama::Template;
use astragal_runtime::auth::{Claims, Role};
use astragal_runtime::error::{Problem, Result};
use axum::Form;
use axum::extract::{ConnectInfo, FromRequestParts, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{COOKIE, SET_COOKIE};
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::form;
use super::page::{Answer, Failure, page};
use crate::gateway::Gateway;

const COOKIE_NAME: &str = "astragal_gm";

/// Somebody who may see everything.
#[derive(Debug, Clone)]
pub(super) struct Admin {
    /// Who they are, as their looks are written down.
    pub(super) name: String,
    /// What forms of theirs carry.
    pub(super) form_key: String,
    by_proxy: bool,
}

impl Admin {
    /// Refuses a form that another site may have made this administrator send.
    pub(super) fn check(&self, headers: &HeaderMap, form_key: &str) -> Result<()> {
        if form_key == self.form_key && form::is_own(headers, !self.by_proxy) {
            return Ok(());
        }
        Err(Problem::permission_denied("this form is not from a page of yours; load the page again"))
    }
}

impl FromRequestParts<Gateway> for Admin {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> std::result::Result<Self, Response> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer);
        if let Some(name) = peer.and_then(|peer| named_by_proxy(gateway, peer, &parts.headers)) {
            let form_key = form_key(&name);
            return Ok(Self { name, form_key, by_proxy: true });
        }
        let token = cookie(&parts.headers).unwrap_or_default();
        match claims(gateway, token) {
            Ok(claims) => {
                Ok(Self { name: claims.account.to_string(), form_key: form_key(token), by_proxy: false })
            }
            Err(_) => Err(Redirect::to("/_gm/login").into_response()),
        }
    }
}

/// Whom the proxy in front has signed in, if there is one and it is the one that calls.
fn named_by_proxy(gateway: &Gateway, peer: SocketAddr, headers: &HeaderMap) -> Option<String> {
    let proxy = gateway.settings().admin_proxy.as_ref()?;
    let known = proxy.addresses.contains(&peer.ip().to_canonical());
    let name = headers.get(&proxy.header)?.to_str().ok()?;
    Some(name.to_owned()).filter(|name| known && !name.is_empty() && name.len() <= 200)
}

/// A word that only pages for this administrator know.
fn form_key(secret: &str) -> String {
    let digest = Sha256::new().chain_update("astragal form\n").chain_update(secret).finalize();
    hex::encode(digest)
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token)
}

/// What a token says, if it is an administrator's.
fn claims(gateway: &Gateway, token: &str) -> Result<Claims> {
    let claims = gateway.verify_any(token)?;
    if claims.role == Role::Admin {
        return Ok(claims);
    }
    Err(Problem::permission_denied(
        "this token is not an administrator's; astragal token --role admin signs one",
    ))
}

#[derive(Template)]
#[template(path = "gm/login.html")]
struct LoginPage {
    refused: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    refused: Option<String>,
}

/// `GET /_gm/login`.
pub(super) async fn ask(Query(asked): Query<Asked>) -> Answer {
    page(&LoginPage { refused: asked.refused.map(|_| "the token does not count".to_owned()) })
}

#[derive(Deserialize)]
pub(super) struct Entry {
    token: String,
}

/// `POST /_gm/login`: the token becomes a cookie.
pub(super) async fn enter(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    Form(entry): Form<Entry>,
) -> Answer {
    if !form::is_own(&headers, true) {
        return Err(Problem::permission_denied("this form is not from a page of ours").into());
    }
    let token = entry.token.trim();
    match claims(&gateway, token) {
        Ok(claims) => {
            let left = (claims.expires_at - gateway.now()).num_seconds().max(0);
            Ok(keeping(token, left, "/_gm"))
        }
        Err(problem) => {
            let mut response = page(&LoginPage { refused: Some(problem.message) })?;
            *response.status_mut() = StatusCode::FORBIDDEN;
            Ok(response)
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Leaving {
    form_key: String,
}

/// `POST /_gm/logout`.
pub(super) async fn leave(
    admin: Admin,
    headers: HeaderMap,
    Form(leaving): Form<Leaving>,
) -> std::result::Result<Response, Failure> {
    admin.check(&headers, &leaving.form_key)?;
    Ok(keeping("", 0, "/_gm/login"))
}

/// Sends a browser on, with a cookie for so many seconds.
fn keeping(token: &str, seconds: i64, to: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}={token}; Path=/_gm; Max-Age={seconds}; HttpOnly; SameSite=Strict");
    ([(SET_COOKIE, cookie)], Redirect::to(to)).into_response()
}
