//! How games ended: the engine knows, is asked when it matters, and what it says is noted.
//!
//! Matchmaking needs to know of few ends: whether a draw stands although its game was aborted, and which games began.

use std::sync::Arc;

use astragal_proto::engine::v1::{GetTableRequest, ListEventsRequest, TableView};
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;

use crate::engine::{answer, engine_of};
use crate::game::GameEnd;
use crate::store::draws::{DrawKey, DrawStore};

/// How the engine calls an end before the first move.
const ABORTED: &str = "aborted";

/// Asks the engine; cheap to clone.
#[derive(Clone)]
pub struct Ends {
    pub(crate) draws: Arc<dyn DrawStore>,
    pub(crate) engine: RoleChannel,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Ends {
    /// The table of a game as strangers see it.
    pub async fn table(&self, game: TableId) -> Result<TableView> {
        let request = GetTableRequest { table_id: game.to_string(), account_id: String::new() };
        let table = answer(engine_of(&self.engine, game).get_table(request)).await?.table;
        table.ok_or_else(|| Problem::new(Code::Internal, "the engine answered without a table"))
    }

    /// Asks whether a game has ended, and notes how. A table that the engine doesn't have yet, or that waits there for
    /// its last player, has not.
    pub async fn learn(&self, game: TableId) -> Result<()> {
        self.note_if(game, |_| true).await
    }

    /// Asks whether the newest game was aborted whose draw might stand then: see [`crate::standing`]. Another end is not
    /// noted, as the next opening of the account asks about another game.
    pub async fn learn_newest(&self, key: &DrawKey<'_>) -> Result<()> {
        match self.draws.newest_unended(key).await? {
            Some(game) => self.note_if(game, |reason| reason == ABORTED).await,
            None => Ok(()),
        }
    }

    async fn note_if(&self, game: TableId, counts: impl Fn(&str) -> bool) -> Result<()> {
        let table = match self.table(game).await {
            Err(Problem { code: Code::NotFound | Code::PermissionDenied, .. }) => return Ok(()),
            asked => asked?,
        };
        let Some(outcome) = table.outcome.filter(|outcome| counts(&outcome.reason)) else { return Ok(()) };
        let at = self.ended_at(game, table.revision).await?;
        Ok(self.draws.note_end(game, &GameEnd { reason: outcome.reason, at }).await?)
    }

    /// When a table had its last entry, which is its end.
    async fn ended_at(&self, game: TableId, revision: u32) -> Result<Timestamp> {
        let request = ListEventsRequest {
            table_id: game.to_string(),
            account_id: String::new(),
            since_revision: revision.saturating_sub(1),
        };
        let events = answer(engine_of(&self.engine, game).list_events(request)).await?.events;
        let at = events.into_iter().next_back().and_then(|event| event.at).and_then(|at| at.try_into().ok());
        Ok(at.unwrap_or_else(|| self.clock.now()))
    }
}
