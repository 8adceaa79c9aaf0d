//! Who is an administrator: whoever has shown a token of that role, which is kept in a cookie that no
//! script and no other site can use; or whom a proxy that is trusted names in a header.

use std::convert::Infallible;
use std::net::SocketAddr;

use askama::Template;
use astragal_runtime::auth::{Claims, Role};
use astragal_runtime::error::{Problem, Result};
use axum::extract::{FromRequestParts, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{COOKIE, ORIGIN, SET_COOKIE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::form::{self, Filled, Parameters};
use super::page::{Answer, Failure, page};
use crate::gateway::Gateway;
use crate::http::caller::peer;

const COOKIE_NAME: &str = "astragal_gm";

/// What proxies write the scheme into by which they were called.
const FORWARDED_SCHEME: &str = "x-forwarded-proto";

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
        let named = peer(parts).map(|peer| named_by_proxy(gateway, peer, &parts.headers)).transpose();
        if let Some(name) = named.map_err(|problem| Failure::from(problem).into_response())?.flatten() {
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

fn is_admin_proxy(gateway: &Gateway, peer: SocketAddr) -> bool {
    let proxy = gateway.settings().admin_proxy.as_ref();
    proxy.is_some_and(|proxy| proxy.addresses.contains(&peer.ip().to_canonical()))
}

/// Whom the proxy in front has signed in, if there is one and it is the one that calls.
fn named_by_proxy(gateway: &Gateway, peer: SocketAddr, headers: &HeaderMap) -> Result<Option<String>> {
    let Some(proxy) = gateway.settings().admin_proxy.as_ref().filter(|_| is_admin_proxy(gateway, peer))
    else {
        return Ok(None);
    };
    let name = only(headers, &proxy.header)?;
    Ok(name.filter(|name| !name.is_empty() && name.len() <= 200).map(str::to_owned))
}

/// The one value of a header. A second one would be a client's, which the proxy should have dropped.
fn only<'h>(headers: &'h HeaderMap, name: &http::HeaderName) -> Result<Option<&'h str>> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        let message = format!("the proxy in front sends {name} twice; let it drop the one that clients send");
        return Err(Problem::permission_denied(message));
    }
    Ok(value.and_then(|value| value.to_str().ok()))
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
pub(super) async fn ask(Parameters(asked): Parameters<Asked>) -> Answer {
    page(&LoginPage { refused: asked.refused.map(|_| "the token does not count".to_owned()) })
}

#[derive(Deserialize)]
pub(super) struct Entry {
    token: String,
}

/// `POST /_gm/login`: the token becomes a cookie.
pub(super) async fn enter(
    State(gateway): State<Gateway>,
    way: Way,
    headers: HeaderMap,
    Filled(entry): Filled<Entry>,
) -> Answer {
    if !form::is_own(&headers, true) {
        return Err(Problem::permission_denied("this form is not from a page of ours").into());
    }
    let token = entry.token.trim();
    match claims(&gateway, token) {
        Ok(claims) => {
            let left = (claims.expires_at - gateway.now()).num_seconds().max(0);
            Ok(way.keeping(token, left, "/_gm"))
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
    way: Way,
    headers: HeaderMap,
    Filled(leaving): Filled<Leaving>,
) -> std::result::Result<Response, Failure> {
    admin.check(&headers, &leaving.form_key)?;
    Ok(way.keeping("", 0, "/_gm/login"))
}

/// How a browser has come here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By TLS, to us or to the proxy in front.
    Tls,
    /// As plain text, as far as we know.
    Plain,
}

impl FromRequestParts<Gateway> for Way {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        gateway: &Gateway,
    ) -> std::result::Result<Self, Infallible> {
        let signs_in = peer(parts).is_some_and(|peer| is_admin_proxy(gateway, peer));
        let is_believed = signs_in || gateway.settings().trusted_proxies > 0;
        Ok(Self::of(&parts.headers, is_believed))
    }
}

impl Way {
    /// A browser says from what page a form comes; a proxy says how it was called, if it `is_believed`.
    fn of(headers: &HeaderMap, is_believed: bool) -> Self {
        let text = |value: &HeaderValue| value.to_str().unwrap_or_default().trim().to_owned();
        let from_page = headers.get(ORIGIN).is_some_and(|origin| text(origin).starts_with("https://"));
        let first =
            |value: &HeaderValue| text(value).split(',').next().is_some_and(|scheme| scheme == "https");
        if from_page || (is_believed && headers.get(FORWARDED_SCHEME).is_some_and(first)) {
            Self::Tls
        } else {
            Self::Plain
        }
    }

    /// Sends a browser on, with a cookie for so many seconds. One that came by TLS goes back by nothing else.
    fn keeping(self, token: &str, seconds: i64, to: &str) -> Response {
        let secure = if self == Self::Tls { "; Secure" } else { "" };
        let cookie =
            format!("{COOKIE_NAME}={token}; Path=/_gm; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        ([(SET_COOKIE, cookie)], Redirect::to(to)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(name: http::HeaderName, value: &'static str, is_believed: bool) -> Way {
        Way::of(&HeaderMap::from_iter([(name, HeaderValue::from_static(value))]), is_believed)
    }

    #[test]
    fn p3_the_cookie_of_a_browser_that_came_by_tls_is_secure() {
        let scheme = http::HeaderName::from_static(FORWARDED_SCHEME);
        assert_eq!(way(scheme.clone(), "https", true), Way::Tls);
        assert_eq!(way(scheme.clone(), "https, http", true), Way::Tls);
        assert_eq!(way(scheme.clone(), "http", true), Way::Plain);
        assert_eq!(way(scheme, "https", false), Way::Plain, "hearsay");
        assert_eq!(way(ORIGIN, "https://play.example", false), Way::Tls);
        assert_eq!(way(ORIGIN, "http://play.example", true), Way::Plain);
        let cookie =
            |way: Way| way.keeping("t", 9, "/_gm").headers()[SET_COOKIE].to_str().unwrap().to_owned();
        assert_eq!(
            cookie(Way::Tls),
            "astragal_gm=t; Path=/_gm; Max-Age=9; HttpOnly; SameSite=Strict; Secure"
        );
        assert_eq!(cookie(Way::Plain), "astragal_gm=t; Path=/_gm; Max-Age=9; HttpOnly; SameSite=Strict");
    }

    #[test]
    fn p3_a_proxy_names_one_administrator() {
        let name = http::HeaderName::from_static("x-forwarded-email");
        let mut headers = HeaderMap::new();
        assert!(matches!(only(&headers, &name), Ok(None)));
        headers.append(name.clone(), HeaderValue::from_static("ada@example.org"));
        assert!(matches!(only(&headers, &name), Ok(Some("ada@example.org"))));
        headers.append(name.clone(), HeaderValue::from_static("eve@example.org"));
        assert!(only(&headers, &name).is_err());
    }
}
