//! The web client: files that were built from `gateway/web` and are part of this program. It doesn't know what is in
//! them. In a debug build they are read from the folder, so that a new client needs no new gateway.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::page;
use super::refusal::Refusal;
use astragal_runtime::error::Problem;

#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Files;

/// Scripts, styles and pictures of the client's own, and nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types svelte-trusted-html";

/// Names of built files hold a hash of what is in them, so they never change.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";

/// `GET /` and `GET /game/{id}`: one page, which looks at its address by itself.
pub(super) async fn client(headers: HeaderMap) -> Response {
    match served("index.html", &headers, ASK_AGAIN) {
        Some(response) => response,
        None => page::index(),
    }
}

/// `GET /assets/{file}`.
pub(super) async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, Refusal> {
    served(&format!("assets/{file}"), &headers, FOR_EVER)
        .ok_or_else(|| Problem::not_found("the page has changed; load it again").into())
}

/// `GET /icon.svg`.
pub(super) async fn icon(headers: HeaderMap) -> Result<Response, Refusal> {
    served("icon.svg", &headers, ASK_AGAIN)
        .ok_or_else(|| Problem::not_found("the client is not built").into())
}

/// A file in the smallest form that was built and that the client takes.
fn served(path: &str, headers: &HeaderMap, caching: &'static str) -> Option<Response> {
    let plain = Files::get(path)?;
    let packed = [("br", ".br"), ("gzip", ".gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(headers, encoding))
        .find_map(|(encoding, suffix)| Some((encoding, Files::get(&format!("{path}{suffix}"))?)));
    let (encoding, EmbeddedFile { data, .. }) =
        packed.map_or((None, plain), |(name, file)| (Some(name), file));
    let mut response = axum::body::Bytes::from(data.into_owned()).into_response();
    let answered = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, kind(path)),
        (CACHE_CONTROL, caching),
        (VARY, "accept-encoding"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        answered.insert(name, HeaderValue::from_static(value));
    }
    if let Some(encoding) = encoding {
        answered.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// Whether the client takes an encoding; one that it lists with `q=0` it does not.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let listed = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|offer| {
        let (name, quality) = offer.split_once(';').unwrap_or((offer, ""));
        let quality = quality.trim().strip_prefix("q=").and_then(|quality| quality.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(encoding) && quality != Some(0.0)
    })
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn an_encoding_is_taken_if_the_client_lists_it() {
        assert!(accepts(&asking("gzip, deflate, br"), "br"));
        assert!(accepts(&asking("GZIP;q=0.5"), "gzip"));
        assert!(!accepts(&asking("gzip, br;q=0"), "br"));
        assert!(!accepts(&asking("gzip, brotli"), "br"));
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn every_file_says_what_it_is() {
        assert_eq!(kind("assets/index-abc.js"), "text/javascript; charset=utf-8");
        assert_eq!(kind("icon.svg"), "image/svg+xml");
        assert_eq!(kind("strange"), "application/octet-stream");
    }

    #[tokio::test]
    async fn without_a_client_or_with_one_there_is_a_page() {
        let response = client(HeaderMap::new()).await;
        assert_eq!(response.status(), http::StatusCode::OK);
        assert!(response.headers().contains_key(CONTENT_SECURITY_POLICY));
        assert_eq!(response.headers()[X_CONTENT_TYPE_OPTIONS], "nosniff");
    }
}
