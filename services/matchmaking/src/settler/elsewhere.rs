//! Tells who offers rematches that somebody was seated by the draw of a tournament. Who searches says so through a
//! gateway; who is named by a friend has not turned to another game, as long as they don't play on there themselves.
//!
//! Nobody waits for it, and it may be missed or told again: what is missed is found when a rematch starts, since its players
//! may be in no other game then.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use astragal_proto::rematch::v1::SearchingRequest;
use astragal_proto::rematch::v1::rematch_service_client::RematchServiceClient;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::error::Problem;

use crate::game::{Game, Origin};

/// How long who offers rematches may take for one call.
const TELL_TIMEOUT: Duration = Duration::from_secs(5);

/// Whom it is told; said once the role runs, because that one calls the role itself.
#[derive(Debug, Default)]
pub(super) struct Elsewhere(Mutex<Option<RoleChannel>>);

impl Elsewhere {
    pub(super) fn set(&self, rematch: Option<RoleChannel>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = rematch;
    }

    /// Tells of those who were seated by a change after `before`.
    pub(super) fn tell(&self, game: &Game, before: u32) {
        if game.origin != Origin::Tournament {
            return;
        }
        let rematch = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(rematch) = rematch else { return };
        let seated: Vec<_> =
            game.taken_after(before).map(|(_, player)| player).filter(|player| !player.is_robot()).collect();
        // After a crash the game is settled again, and may have ended meanwhile.
        let (id, since) = (game.id, game.created_at.into());
        tokio::spawn(async move {
            for player in seated {
                let request = SearchingRequest {
                    account_id: player.account.to_string(),
                    since: Some(since),
                    game_id: id.to_string(),
                };
                let mut client = RematchServiceClient::new(rematch.clone());
                let problem = match tokio::time::timeout(TELL_TIMEOUT, client.searching(request)).await {
                    Ok(Ok(_)) => continue,
                    Ok(Err(status)) => Problem::from(status),
                    Err(_) => Problem::unavailable("rematch does not answer in time"),
                };
                tracing::warn!(%problem, "rematches don't know that somebody was seated elsewhere");
            }
        });
    }
}

#[cfg(test)]
#[path = "elsewhere_tests.rs"]
mod tests;
