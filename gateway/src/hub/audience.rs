//! How many watch without a seat: counted at each gateway, added up over all of them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use astragal_runtime::id::TableId;
use astragal_runtime::presence::audience::{Audience, Counts};

/// The numbers of viewers, as new as the last exchange with the other gateways.
#[derive(Debug)]
pub(crate) struct Spectators {
    audience: tokio::sync::Mutex<Audience>,
    sums: Mutex<Counts>,
}

impl Spectators {
    pub(crate) fn new(audience: Audience) -> Self {
        Self { audience: tokio::sync::Mutex::new(audience), sums: Mutex::default() }
    }

    /// How many watch a table, at all gateways.
    pub(crate) fn of(&self, table: TableId) -> u32 {
        self.sums().get(&table).copied().unwrap_or(0)
    }

    /// Posts what is counted here, and gives the tables whose number is another one now.
    pub(crate) async fn exchange(&self, here: Counts) -> Vec<(TableId, u32)> {
        let sums = match self.audience.lock().await.exchange(&here).await {
            Ok(sums) => sums,
            Err(problem) => {
                tracing::debug!(%problem, "viewers at other gateways are not counted now");
                here
            }
        };
        let mut known = self.sums();
        let gone = known.keys().filter(|table| !sums.contains_key(table)).map(|table| (*table, 0));
        let other = sums.iter().filter(|(table, count)| known.get(table) != Some(count));
        let changed = gone.chain(other.map(|(table, count)| (*table, *count))).collect();
        *known = sums;
        changed
    }

    fn sums(&self) -> MutexGuard<'_, Counts> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use astragal_runtime::presence::{Presence, PresenceTimes};

    use super::*;

    #[tokio::test]
    async fn g5_what_changes_is_told_once() {
        let presence = Presence::new(PresenceTimes::default());
        let (here, there) =
            (Spectators::new(presence.open_audience()), Spectators::new(presence.open_audience()));
        let (table, other) = (TableId::new(), TableId::new());
        let one = Counts::from([(table, 1)]);
        assert_eq!(here.exchange(one.clone()).await, [(table, 1)]);
        assert_eq!(here.exchange(one.clone()).await, []);
        there.exchange(Counts::from([(table, 2), (other, 1)])).await;
        assert_eq!(there.of(table), 3);
        let mut changed = here.exchange(one).await;
        changed.sort();
        assert_eq!(changed, [(table, 3), (other, 1)]);
        assert_eq!(there.exchange(Counts::new()).await.len(), 2);
        assert_eq!((there.of(table), there.of(other)), (1, 0));
    }
}
