//! Waiting for what must come, and no longer than a test may take.

use std::time::Duration;

/// A busy machine is slow.
const PATIENCE: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What comes, which must be soon.
pub(crate) async fn soon<T>(what: &str, coming: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, coming).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

/// Looks again and again until it is so.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    soon(what, async {
        while !is_so() {
            looks.tick().await;
        }
    })
    .await;
}
