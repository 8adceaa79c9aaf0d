//! How it was drawn who goes first. A draw never changes, and is kept; whether strangers may see it
//! changes once, and is asked for until they may.

use std::sync::Arc;

use astragal_proto::gateway::v1::{Draw, DrawPick, DrawRound};
use astragal_proto::seeding::v1::{self as seeding, GetDrawRequest, GetDrawResponse};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use moka::future::Cache;
use moka::policy::EvictionPolicy;

use crate::roles::Roles;

const DRAWS_MAX: u64 = 10_000;

/// The draw of one game, and whether a stranger may see it.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownDraw {
    pub(crate) draw: Option<Arc<Draw>>,
    /// Every seat is taken.
    pub(crate) full: bool,
}

impl KnownDraw {
    /// Whether asking anew would show this viewer nothing else.
    const fn is_enough(&self, seated: bool) -> bool {
        self.full || (seated && self.draw.is_some())
    }
}

/// The cache of draws; cheap to clone.
#[derive(Clone)]
pub(crate) struct Draws {
    roles: Roles,
    cache: Cache<TableId, KnownDraw>,
}

impl Draws {
    pub(crate) fn new(roles: Roles) -> Self {
        // Games that are new are looked at, whatever was looked at often before.
        let cache = Cache::builder().max_capacity(DRAWS_MAX).eviction_policy(EvictionPolicy::lru());
        Self { roles, cache: cache.build() }
    }

    /// The draw that a viewer sees on a table, without what proves it: that is asked for seldom. A table is shown
    /// without its draw rather than not at all.
    pub(crate) async fn shown(&self, table: TableId, seated: bool) -> Option<Draw> {
        let known = match self.cache.get(&table).await {
            Some(known) if known.is_enough(seated) => Ok(known),
            _ => self.ask(table).await,
        };
        match known {
            Ok(known) if known.full || seated => {
                known.draw.map(|draw| without_proof(Arc::unwrap_or_clone(draw)))
            }
            Ok(_) | Err(Problem { code: Code::NotFound, .. }) => None,
            Err(problem) => {
                tracing::warn!(%table, %problem, "a table is shown without its draw");
                None
            }
        }
    }

    /// The draw of a game, and whether a stranger may see it by now.
    pub(crate) async fn get(&self, table: TableId) -> Result<KnownDraw> {
        match self.cache.get(&table).await {
            Some(known) if known.full => Ok(known),
            _ => self.ask(table).await,
        }
    }

    async fn ask(&self, table: TableId) -> Result<KnownDraw> {
        let request = GetDrawRequest { game_id: table.to_string() };
        Ok(self.note(table, self.roles.answer(self.roles.seeding().get_draw(request)).await?).await)
    }

    /// Keeps what was just said about the draw of a game.
    pub(crate) async fn note(&self, table: TableId, said: GetDrawResponse) -> KnownDraw {
        let GetDrawResponse { draw, full } = said;
        let known = KnownDraw { draw: draw.map(|draw| Arc::new(shape(draw))), full };
        if full {
            self.cache.insert(table, known.clone()).await;
        } else {
            // An answer that comes late doesn't take back what an answer of later says.
            self.cache.entry(table).or_insert(known.clone()).await;
        }
        known
    }
}

fn shape(draw: seeding::Draw) -> Draw {
    Draw {
        rounds: draw.rounds.into_iter().map(round).collect(),
        // Only what is over comes here: no game is shown before it has seats.
        winner: draw.winner.unwrap_or_default(),
        tile_set: draw.tile_set,
        reused_from: draw.reused_from,
        balanced: draw.balanced.then_some(true),
    }
}

fn round(round: seeding::Round) -> DrawRound {
    DrawRound { picks: round.picks.into_iter().map(pick).collect() }
}

fn pick(pick: seeding::Pick) -> DrawPick {
    DrawPick {
        participant: pick.participant,
        seat: pick.seat.unwrap_or_default(),
        letter: pick.letter,
        blank: pick.blank,
        rank: pick.rank,
        recorded: pick.recorded,
        entropy_sha256: Some(pick.entropy_sha256).filter(|digest| !digest.is_empty()),
        entropy: Some(pick.entropy).filter(|entropy| !entropy.is_empty()),
    }
}

fn without_proof(mut draw: Draw) -> Draw {
    for pick in draw.rounds.iter_mut().flat_map(|round| &mut round.picks) {
        (pick.entropy_sha256, pick.entropy) = (None, None);
    }
    draw
}

#[cfg(test)]
mod tests;
