//! What callers without a good token are told, and what those hear who ask them.

use std::convert::Infallible;

use chrono::Duration;
use tower::ServiceExt;

use super::*;
use crate::auth::TokenKey;
use crate::clock::ManualClock;
use crate::entropy::ScriptedEntropy;
use crate::error::{self, Problem};
use crate::id::AccountId;
use crate::telemetry::log::tests::Page;

const LISTED: &str = "/astragal.seeding.v1.SeedingService/OpenDraw";
const UNLISTED: &str = "/astragal.engine.v1.EngineService/OpenTable";

struct Port {
    key: TokenKey,
    clock: Arc<ManualClock>,
    gate: Gate,
}

impl Port {
    fn open() -> Self {
        let key = TokenKey::generate(&ScriptedEntropy::expanded([1; 32])).expect("a key");
        let clock = Arc::new(ManualClock::default());
        let gate =
            Gate::with_tournaments(key.verifier(), clock.clone(), &["/astragal.seeding.v1.SeedingService/"]);
        Self { key, clock, gate }
    }

    fn token(&self, role: Role) -> String {
        let signer = self.key.signer().expect("a signer");
        signer.sign(AccountId::SYSTEM, role, self.clock.now(), Duration::hours(1)).expect("a token")
    }

    /// The refusal of a call with this header; none if it is let in.
    async fn refusal(&self, path: &str, authorization: Option<&str>) -> Option<Status> {
        let request = Request::builder().uri(path);
        let request = match authorization {
            Some(header) => request.header(http::header::AUTHORIZATION, header),
            None => request,
        };
        let inside =
            tower::service_fn(async |_: Request<()>| Ok::<_, Infallible>(Response::new(Body::empty())));
        let answer = self.gate.layer(inside).oneshot(request.body(()).expect("a request")).await;
        let Ok(answer) = answer;
        Status::from_header_map(answer.headers())
    }
}

/// O3: whoever runs a caller is told what is wrong with its token, and what would be let in.
#[tokio::test]
async fn o3_a_refusal_says_whose_tokens_do_and_how_one_is_made() {
    let port = Port::open();
    for (path, accepted) in [(LISTED, "roles tournament and service"), (UNLISTED, "of the role service,")] {
        let missing = port.refusal(path, None).await.expect("a refusal");
        assert_eq!(missing.code(), Code::Unauthenticated);
        assert!(missing.message().contains(accepted), "{missing}");
        let player = format!("Bearer {}", port.token(Role::Player));
        let player = port.refusal(path, Some(&player)).await.expect("a refusal");
        assert_eq!(player.code(), Code::PermissionDenied);
        let said = player.message();
        assert!(said.contains("role player does not do") && said.contains(accepted), "{said}");
    }
    let foreign = port.refusal(LISTED, Some("Bearer eyJ.e30.e30")).await.expect("a refusal");
    assert!(foreign.message().contains("not one of this installation"), "{foreign}");
    let old = format!("Bearer {}", port.token(Role::Service));
    port.clock.advance(Duration::hours(2));
    let expired = port.refusal(LISTED, Some(&old)).await.expect("a refusal");
    assert_eq!(expired.code(), Code::Unauthenticated);
    let said = expired.message();
    assert!(said.contains("expired") && said.contains("make a new one with `astragal token`"), "{said}");
    assert!(!said.contains("sign in"), "nobody signs in here: {said}");
}

/// O1: the name of the scheme is of any case, as in any header of HTTP.
#[tokio::test]
async fn o1_the_scheme_of_a_token_is_written_in_any_case() {
    let port = Port::open();
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let header = format!("{scheme} {}", port.token(Role::Tournament));
        assert!(port.refusal(LISTED, Some(&header)).await.is_none(), "{scheme}");
    }
    let other = format!("Basic {}", port.token(Role::Tournament));
    assert!(port.refusal(LISTED, Some(&other)).await.is_some());
}

/// G2, O3: a player whose gateway is refused hears nothing of a session; the log of the gateway says why, once.
#[tokio::test]
async fn g2_a_refused_caller_says_nothing_of_sessions_to_whoever_asked_it() {
    let port = Port::open();
    let old = format!("Bearer {}", port.token(Role::Service));
    port.clock.advance(Duration::hours(2));
    let expired = port.refusal(UNLISTED, Some(&old)).await.expect("a refusal");
    let denied = port.refusal(UNLISTED, Some(&format!("Bearer {}", port.token(Role::Player)))).await;

    let (page, refusals) = (Page::default(), [expired, denied.expect("a refusal")]);
    let writer = page.clone();
    let lines = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(lines, || {
        for refused in refusals.iter().cycle().take(20) {
            assert_eq!(error::Code::of_status(refused), error::Code::Unavailable);
            let problem = Problem::from(refused.clone());
            assert_eq!(problem.code, error::Code::Unavailable);
            assert!(!problem.message.contains("token"), "{problem}");
        }
    });
    let text = page.text();
    assert_eq!(text.matches("ERROR").count(), 1, "{text}");
    assert!(text.contains("the service token is refused: the token has expired"), "{text}");
}
