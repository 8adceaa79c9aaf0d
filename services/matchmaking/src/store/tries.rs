//! Attempts to sign in that are counted, refused and forgotten. Part of [`super::conformance`].

use std::time::Duration;

use astragal_runtime::clock::{Clock, Timestamp};

use super::MatchmakingStore;
use super::conformance::Bench;
use crate::attempts::Attempt;
use crate::settings::Pace;

const PACE: Pace = Pace { burst: 3, every: Duration::from_secs(30) };

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    g6_a_name_can_be_tried_so_often(bench).await;
    g6_of_many_attempts_at_once_no_more_count(bench).await;
    g6_slots_that_are_free_again_are_forgotten(bench).await;
}

async fn attempt<S: MatchmakingStore>(bench: &Bench<S>, name: &str, at: Timestamp) -> bool {
    bench.store.attempt(&Attempt::under(name, PACE, at)).await.expect("an answer").is_none()
}

async fn g6_a_name_can_be_tried_so_often<S: MatchmakingStore>(bench: &Bench<S>) {
    let now = bench.clock.now();
    let after = |seconds| now + chrono::Duration::seconds(seconds);
    for (at, counts) in [
        (0, true),
        (0, true),
        (0, true),
        (0, false),
        (29, false),
        (30, true),
        (30, false),
        (240, true),
        (240, true),
    ] {
        assert_eq!(attempt(bench, "ada", after(at)).await, counts, "{at} s");
    }
    assert!(attempt(bench, "bob", now).await, "another name");
    let always = Pace { burst: 0, ..PACE };
    let once = Attempt::under("eve", always, now);
    assert_eq!(bench.store.attempt(&once).await.expect("an answer"), None, "none at once is one");
    assert_eq!(bench.store.attempt(&once).await.expect("an answer"), Some(after(30)), "told until when");
}

async fn g6_of_many_attempts_at_once_no_more_count<S: MatchmakingStore>(bench: &Bench<S>) {
    let now = bench.clock.now();
    let attempts = (0..20).map(|_| attempt(bench, "crowded", now));
    let counted = futures::future::join_all(attempts).await.into_iter().filter(|counts| *counts);
    assert_eq!(counted.count(), 3);
}

async fn g6_slots_that_are_free_again_are_forgotten<S: MatchmakingStore>(bench: &Bench<S>) {
    let now = bench.clock.now() + chrono::Duration::hours(1);
    bench.store.forget_attempts(now).await.expect("a count");
    assert!(attempt(bench, "soon", now).await && attempt(bench, "late", now).await);
    assert!(attempt(bench, "late", now).await);
    let then = now + chrono::Duration::seconds(30);
    assert_eq!(bench.store.forget_attempts(then).await.expect("a count"), 1);
    assert_eq!(bench.store.forget_attempts(then).await.expect("a count"), 0);
    assert!(attempt(bench, "late", now).await && !attempt(bench, "late", now).await, "what counts is kept");
}
