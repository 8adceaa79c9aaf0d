//! How many clients come and go at once. When a crowd is cut off and comes back, those who stayed play on: the
//! crowd waits here, and not before every step of everybody's moves.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Whoever has stayed for so long is none of those who come.
const STAYED_AFTER: Duration = Duration::from_secs(10);

/// Who takes longer waits for another role and not for this machine, and no longer keeps others out.
const HELD_MAX: Duration = Duration::from_millis(100);

/// The doors of a gateway.
#[derive(Debug)]
pub(crate) struct Doors(Semaphore);

impl Doors {
    /// Doors that let so many in at the same time.
    pub(crate) fn new(at_once_max: usize) -> Self {
        Self(Semaphore::new(at_once_max.max(1)))
    }

    /// Does something that is a crowd's when many do it, in the order in which they came.
    pub(crate) async fn pass<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        if let Ok(_turn) = self.0.acquire().await
            && let Ok(done) = tokio::time::timeout(HELD_MAX, work.as_mut()).await
        {
            return done;
        }
        work.await
    }

    /// The same for somebody who came at an instant: those who stayed, and whose next game begins, don't wait behind
    /// the crowd.
    pub(crate) async fn pass_if_new<T>(&self, came: Instant, work: impl Future<Output = T>) -> T {
        if came.elapsed() < STAYED_AFTER { self.pass(work).await } else { work.await }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::future::join_all;
    use tokio::sync::oneshot;

    const AT_ONCE: usize = 8;

    #[tokio::test(start_paused = true)]
    async fn a_crowd_passes_in_turn_and_few_at_once() {
        let (doors, inside) = (Doors::new(AT_ONCE), AtomicUsize::new(0));
        let most = AtomicUsize::new(0);
        let work = || async {
            most.fetch_max(inside.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            tokio::time::sleep(HELD_MAX / 2).await;
            inside.fetch_sub(1, Ordering::Relaxed);
        };
        join_all((0..100).map(|_| doors.pass(work()))).await;
        assert_eq!(most.into_inner(), AT_ONCE);
    }

    /// A role that hangs: those who wait for it don't keep out who needs another one.
    #[tokio::test(start_paused = true)]
    async fn who_waits_for_long_lets_others_in() {
        let doors = Arc::new(Doors::new(AT_ONCE));
        let (release, released) = oneshot::channel::<()>();
        let stuck = doors.pass(released);
        let others = (1..AT_ONCE).map(|_| doors.pass(std::future::pending::<()>()));
        let stuck_ones = async { tokio::join!(stuck, join_all(others)) };
        tokio::select! {
            _ = stuck_ones => panic!("they wait for ever"),
            came = doors.pass(std::future::ready(7)) => assert_eq!(came, 7),
        }
        drop(release);
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_stayed_does_not_wait_behind_those_who_come() {
        let (doors, came) = (Doors::new(1), Instant::now());
        let mut crowd = Box::pin(doors.pass(std::future::pending::<()>()));
        assert!(futures::poll!(&mut crowd).is_pending());
        let mut new = Box::pin(doors.pass_if_new(came, std::future::ready(1)));
        assert!(futures::poll!(&mut new).is_pending());
        tokio::time::advance(STAYED_AFTER).await;
        let mut stayed = Box::pin(doors.pass_if_new(came, std::future::ready(2)));
        assert!(futures::poll!(&mut stayed).is_ready());
    }
}
