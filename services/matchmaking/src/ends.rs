//! How games ended: the engine knows, is asked when it matters, and what it says is noted.
//!
//! Matchmaking needs to know of few ends: whether a draw stands although its game was aborted, and which games began.

use std::sync::Arc;

use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{GetEndsRequest, GetTableRequest, TableEnd, TableView};
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;

use crate::engine::{answer, engine_of};
use crate::game::GameEnd;
use crate::order::Order;
use crate::store::draws::DrawStore;
use crate::store::standing_rows::keys;

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

    /// Asks whether games have ended, and notes how.
    pub async fn learn(&self, games: &[TableId]) -> Result<()> {
        let ends = self.ask(games).await?;
        self.note(ends).await
    }

    /// Asks whether the newest games were aborted whose draws might stand then for those who may open one: see
    /// [`crate::standing`]. Another end is not noted, as the next opening of the account asks about another game.
    pub async fn learn_newest(&self, orders: &[Order]) -> Result<()> {
        let keys = keys(orders);
        if keys.is_empty() {
            return Ok(());
        }
        let games = self.draws.newest_unended(&keys).await?;
        let mut ends = self.ask(&games).await?;
        ends.retain(|(_, end)| end.is_abort());
        self.note(ends).await
    }

    async fn ask(&self, games: &[TableId]) -> Result<Vec<(TableId, GameEnd)>> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let request = GetEndsRequest { table_ids: games.iter().map(ToString::to_string).collect() };
        let mut engine = EngineServiceClient::new(self.engine.clone());
        let end = |TableEnd { table_id, reason, at }| {
            let at = at.and_then(|at| at.try_into().ok()).unwrap_or_else(|| self.clock.now());
            Ok((TableId::parse("table_id", &table_id)?, GameEnd { reason, at }))
        };
        answer(engine.get_ends(request)).await?.ends.into_iter().map(end).collect()
    }

    async fn note(&self, ends: Vec<(TableId, GameEnd)>) -> Result<()> {
        for (game, end) in ends {
            self.draws.note_end(game, &end).await?;
        }
        Ok(())
    }
}
