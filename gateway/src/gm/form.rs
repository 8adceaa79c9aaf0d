//! Forms: only those of our own pages count.

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

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
