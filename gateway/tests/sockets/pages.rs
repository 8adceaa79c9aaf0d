//! The pages of administrators: their cookie, and what is said where one can't be made.

use astragal_runtime::auth::Role;

use crate::answers::ask;
use crate::stage::{Stage, TABLE};

const FORM: &str = "content-type: application/x-www-form-urlencoded";

/// P3: the cookie of an administrator goes back by TLS alone, where that is how it came.
#[tokio::test]
async fn p3_behind_a_proxy_with_tls_the_cookie_is_secure() {
    let stage = Stage::set().await;
    let form = format!("token={}", stage.token("ada", Role::Admin));
    for (scheme, secure) in [("https", true), ("http", false)] {
        let headers = [FORM, &format!("x-forwarded-proto: {scheme}")];
        let entered = ask(stage.address, "POST /_gm/login", &headers, &form).await;
        assert_eq!(entered.status, 303, "{}", entered.body);
        assert!(entered.headers.contains("set-cookie: astragal_gm="), "{}", entered.headers);
        assert_eq!(entered.headers.contains("; secure"), secure, "{scheme}");
    }
}

/// P2: what is wrong with the address or the form of a page is said on a page.
#[tokio::test]
async fn p2_pages_of_administrators_answer_with_pages() {
    let stage = Stage::set().await;
    let slash = ask(stage.address, "GET /_gm/", &[], "").await;
    assert!(slash.status == 308 && slash.headers.contains("location: /_gm\r\n"), "{}", slash.headers);

    let cookie = format!("cookie: astragal_gm={}", stage.token("ada", Role::Admin));
    let game = format!("/_gm/games/{TABLE}");
    for (line, headers, body) in [
        (format!("GET {game}?step=abc"), vec![], ""),
        ("GET /_gm?q=a&q=b".to_owned(), vec![], ""),
        ("POST /_gm/login".to_owned(), vec![FORM], "word=x"),
        ("POST /_gm/login".to_owned(), vec!["content-type: application/json"], "{}"),
        ("POST /_gm/logout".to_owned(), vec![FORM], ""),
        (format!("POST {game}/verify"), vec![FORM], ""),
    ] {
        let headers: Vec<&str> = headers.into_iter().chain([&*cookie]).collect();
        let refused = ask(stage.address, &line, &headers, body).await;
        assert_eq!(refused.status, 400, "{line}: {}", refused.body);
        assert!(refused.body.contains("<h1>INVALID_ARGUMENT</h1>"), "{line}: {}", refused.body);
    }
    let steps = ask(stage.address, &format!("GET {game}/steps?from=x"), &[&*cookie], "").await;
    assert_eq!((steps.status, steps.problem().0.as_str()), (400, "INVALID_ARGUMENT"), "for the script");
}
