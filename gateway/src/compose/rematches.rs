//! How it stands with the rematch of a table that is over, as far as a viewer may know.

use astragal_proto::engine::v1::Ended;
use astragal_proto::rematch::v1::{GetOfferRequest, GetOfferResponse};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use chrono::TimeDelta;

use crate::roles::Roles;

/// For how long after the end of a game a rematch can be asked for, as the role rematch has it.
const OPEN_FOR: TimeDelta = TimeDelta::minutes(10);

/// Asks how rematches stand; cheap to clone.
#[derive(Clone)]
pub(crate) struct Rematches(Roles);

impl Rematches {
    pub(crate) const fn new(roles: Roles) -> Self {
        Self(roles)
    }

    /// How it stands; a table is shown without it rather than not at all.
    pub(crate) async fn of(&self, table: TableId, viewer: Option<AccountId>) -> GetOfferResponse {
        let Ok(mut rematch) = self.0.rematch() else { return GetOfferResponse::default() };
        let account_id = viewer.map(|account| account.to_string()).unwrap_or_default();
        let request = GetOfferRequest { game_id: table.to_string(), account_id };
        self.0.answer(rematch.get_offer(request)).await.unwrap_or_else(|problem| {
            tracing::warn!(%table, %problem, "a table is shown without its rematch");
            GetOfferResponse::default()
        })
    }

    /// Until when a game that ended so, and then, can be followed by a rematch: not if anybody has left, whoever
    /// ended it.
    pub(crate) fn until(&self, ended: &Ended, ended_at: Timestamp) -> Option<Timestamp> {
        let reason = &*ended.outcome.as_ref()?.reason;
        let may_follow = matches!(reason, "finished" | "time" | "resigned") && ended.left_seats.is_empty();
        (may_follow && self.0.rematch().is_ok()).then(|| ended_at + OPEN_FOR)
    }
}
