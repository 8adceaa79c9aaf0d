//! Filling gaps: what the bus lost is read back from the engine, once for each class of viewers.

use std::sync::Arc;
use std::time::Duration;

use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{ListEventsRequest, TableEvent};
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;

use chrono::DateTime;

use super::Hub;
use super::news::Heard;
use super::watched::{Filling, Gap};
use crate::compose::names::Profile;
use crate::heads;

impl Hub {
    /// Fills a gap, and those that open meanwhile, without holding up other tables.
    pub(super) fn fill(&self, table: TableId, gap: Gap) {
        let hub = self.clone();
        tokio::spawn(async move {
            let mut next = Some(gap);
            while let Some(gap) = next {
                next = match hub.load(table, &gap).await {
                    Ok(filled) => hub.tables.with(table, |watched| watched.fill(&gap, &filled)).flatten(),
                    Err(problem) => {
                        tracing::warn!(%table, %problem, "missed events can't be read now");
                        hub.tables.with(table, super::watched::Watched::give_up);
                        None
                    }
                };
            }
        });
    }

    async fn load(&self, table: TableId, gap: &Gap) -> Result<Vec<Filling>> {
        let mut filled = Vec::with_capacity(gap.classes.len());
        for class in &gap.classes {
            let request = ListEventsRequest {
                table_id: table.to_string(),
                account_id: class.account.map(|account| account.to_string()).unwrap_or_default(),
                since_revision: gap.since,
            };
            let missed = self.roles.answer(self.roles.engine_of(table).list_events(request)).await?;
            filled.push(if missed.resync {
                Filling::Resync
            } else {
                Filling::Events(self.heard(missed.events).await?)
            });
        }
        Ok(filled)
    }

    /// Adds the names that the events need.
    pub(crate) async fn heard(&self, events: Vec<TableEvent>) -> Result<Vec<Heard>> {
        let mut heard = Vec::with_capacity(events.len());
        for event in events {
            let taker = match taker(&event) {
                Some(account) => self.composer.names.get(&[account]).await?.remove(&account),
                None => None,
            };
            heard.push(self.heard_of(Arc::new(event), taker));
        }
        Ok(heard)
    }

    /// A journal entry with what else its frames need.
    pub(super) fn heard_of(&self, event: Arc<TableEvent>, taker: Option<Profile>) -> Heard {
        let rematch_until = event
            .ended
            .as_ref()
            .and_then(|ended| self.composer.rematches.until(ended, DateTime::try_from(event.at?).ok()?));
        Heard { event, taker, rematch_until }
    }

    /// Compares all watched tables with the engine, and fills those that are still behind a while later: news that
    /// are on their way aren't lost, and to read them back costs more than a move.
    pub(super) async fn compare_heads(&self, on_their_way_for: Duration) {
        let mut newest = Vec::new();
        for batch in self.tables.with_head().chunks(heads::BATCH_MAX) {
            match heads::newest(&self.roles, batch).await {
                Ok(revisions) => newest.extend(batch.iter().copied().zip(revisions)),
                Err(problem) => tracing::warn!(%problem, "the heads of watched tables can't be read now"),
            }
        }
        tokio::time::sleep(on_their_way_for).await;
        for (table, revision) in newest {
            self.miss(table, revision);
        }
    }

    pub(super) fn miss(&self, table: TableId, revision: u32) {
        if let Some(gap) = self.tables.with(table, |watched| watched.miss(revision)).flatten() {
            self.fill(table, gap);
        }
    }
}

/// Who took a seat by this event.
pub(super) fn taker(event: &TableEvent) -> Option<astragal_runtime::id::AccountId> {
    match &event.kind {
        Some(Kind::SeatTaken(taken)) => taken.account_id.parse().ok(),
        _ => None,
    }
}
