//! What comes with a request for a page: parameters of its address, and forms, of which only those of our own pages
//! count. What can't be read is answered with a page.

use astragal_runtime::error::{Code, Problem};
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use http::HeaderMap;
use http::header::{HOST, ORIGIN};
use http::request::Parts;
use serde::de::DeserializeOwned;

use super::page::Failure;
use crate::gateway::Gateway;

/// The parameters of an address.
pub(super) struct Parameters<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Gateway> for Parameters<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Failure> {
        let Query(parameters) = Query::try_from_uri(&parts.uri).map_err(|_| unreadable_address())?;
        Ok(Self(parameters))
    }
}

/// Why an address can't be read, for programs too.
pub(super) fn unreadable_address() -> Problem {
    Problem::invalid_argument(
        "a parameter of this address can't be read, or stands there twice; follow a link of the pages",
    )
}

/// What was filled in.
pub(super) struct Filled<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Filled<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Failure> {
        match Form::from_request(request, gateway).await {
            Ok(Form(filled)) => Ok(Self(filled)),
            Err(FormRejection::BytesRejection(_)) => {
                Err(Problem::new(Code::TooLarge, "the form is too large").into())
            }
            Err(_) => Err(Problem::invalid_argument(
                "the form can't be read; load its page again and send it from there",
            )
            .into()),
        }
    }
}

/// Whether a form came from a page of this host. Browsers say so of every form that is posted; `missing` is
/// the answer for one that doesn't.
pub(super) fn is_own(headers: &HeaderMap, missing: bool) -> bool {
    let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    let Some(origin) = text(ORIGIN) else { return missing };
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    host.is_some() && host == text(HOST)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn p3_a_form_of_another_page_is_not_ours() {
        let asked = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("play.example"))]);
            if let Some(origin) = origin {
                headers.insert(ORIGIN, HeaderValue::from_static(origin));
            }
            headers
        };
        assert!(is_own(&asked(Some("https://play.example")), false));
        assert!(!is_own(&asked(Some("https://other.example")), true));
        assert!(!is_own(&asked(Some("null")), true));
        assert!(is_own(&asked(None), true));
        assert!(!is_own(&asked(None), false));
    }
}
