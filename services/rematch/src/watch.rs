//! What happens without anyone asking: deadlines, letters that were left behind, and people who go.

use crate::offers::Offers;
use astragal_runtime::presence::{PresenceChange, PresenceChanges};
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// How long nobody looks for deadlines, at least, and at most: whatever another replica notes is due after more than
/// this, or at the end of an entry, which is known.
const REST_MIN: Duration = Duration::from_millis(100);
const REST_MAX: Duration = Duration::from_secs(1);
/// The most games of one sweep; others come with the next.
const SWEEP_MAX: u32 = 256;
/// How often the outbox is looked through.
const OUTBOX_EVERY: Duration = Duration::from_secs(1);

/// Does what is due, again and again.
pub(crate) async fn deadlines(offers: &Offers) {
    loop {
        let rest = match offers.sweep(SWEEP_MAX).await {
            Ok(None) => REST_MAX,
            Ok(Some(next)) => (next - offers.clock.now()).to_std().unwrap_or_default(),
            Err(problem) => {
                tracing::warn!(%problem, "what is due of rematches waits for the next sweep");
                REST_MAX
            }
        };
        tokio::time::sleep(rest.clamp(REST_MIN, REST_MAX)).await;
    }
}

/// Empties the outbox, again and again.
pub(crate) async fn outbox(offers: &Offers) {
    let mut ticks = tokio::time::interval(OUTBOX_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(problem) = offers.teller.round().await {
            tracing::warn!(%problem, "the outbox of rematches can't be read now");
        }
    }
}

/// Ends what those who go have asked for, or are asked.
pub(crate) async fn presence(offers: &Offers, mut changes: PresenceChanges) {
    while let Some(change) = changes.recv().await {
        let done = match change {
            PresenceChange::Online(_) => Ok(()),
            PresenceChange::Offline(account) => offers.went_offline(account).await,
            PresenceChange::Anyone => offers.recheck().await,
        };
        if let Err(problem) = done {
            tracing::warn!(%problem, "a rematch does not know yet that somebody has gone");
        }
    }
    // Without news of presence everybody counts as they did; the other loops go on.
    std::future::pending::<()>().await;
}
