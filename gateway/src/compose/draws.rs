//! How it was drawn who goes first. A draw never changes once every seat is taken, and is kept from then on.

use std::sync::Arc;

use astragal_proto::gateway::v1::{Draw, DrawPick, DrawRound};
use astragal_proto::seeding::v1::{self as seeding, GetDrawRequest, GetDrawResponse};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use moka::future::Cache;

use crate::roles::Roles;

const DRAWS_MAX: u64 = 10_000;

/// The draw of one game, and whether a stranger may see it.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownDraw {
    pub(crate) draw: Option<Arc<Draw>>,
    /// Every seat is taken.
    pub(crate) full: bool,
}

/// The cache of draws; cheap to clone.
#[derive(Clone)]
pub(crate) struct Draws {
    roles: Roles,
    cache: Cache<TableId, KnownDraw>,
}

impl Draws {
    pub(crate) fn new(roles: Roles) -> Self {
        Self { roles, cache: Cache::new(DRAWS_MAX) }
    }

    /// The draw that a viewer sees on a table; a table is shown without it rather than not at all.
    pub(crate) async fn shown(&self, table: TableId, seated: bool) -> Option<Draw> {
        match self.get(table).await {
            Ok(known) if known.full || seated => known.draw.map(Arc::unwrap_or_clone),
            Ok(_) | Err(Problem { code: Code::NotFound, .. }) => None,
            Err(problem) => {
                tracing::warn!(%table, %problem, "a table is shown without its draw");
                None
            }
        }
    }

    /// The draw of a game.
    pub(crate) async fn get(&self, table: TableId) -> Result<KnownDraw> {
        if let Some(known) = self.cache.get(&table).await {
            return Ok(known);
        }
        let request = GetDrawRequest { game_id: table.to_string() };
        let GetDrawResponse { draw, full } =
            self.roles.answer(self.roles.seeding().get_draw(request)).await?;
        let known = KnownDraw { draw: draw.map(|draw| Arc::new(shape(draw))), full };
        if full {
            self.cache.insert(table, known.clone()).await;
        }
        Ok(known)
    }
}

fn shape(draw: seeding::Draw) -> Draw {
    Draw {
        rounds: draw.rounds.into_iter().map(round).collect(),
        winner: draw.winner,
        tile_set: draw.tile_set,
    }
}

fn round(round: seeding::Round) -> DrawRound {
    DrawRound { picks: round.picks.into_iter().map(pick).collect() }
}

fn pick(pick: seeding::Pick) -> DrawPick {
    DrawPick {
        participant: pick.participant,
        seat: pick.seat,
        letter: pick.letter,
        blank: pick.blank,
        rank: pick.rank,
        recorded: pick.recorded,
    }
}
