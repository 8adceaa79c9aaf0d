//! Draws of games that this process has just opened: who opens or joins a game is shown its draw at once, so the picks
//! go with the answer. They never change but for the accounts of placeholders, which sit in the game.

use std::sync::Arc;

use astragal_runtime::id::TableId;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use crate::game::Game;
use crate::seating::DrawnPick;

/// Games whose picks are remembered; those of others are asked for.
const REMEMBERED_MAX: u64 = 2_000;

/// The picks by game; cheap to clone.
#[derive(Clone)]
pub(crate) struct FreshDraws(Cache<TableId, Arc<[DrawnPick]>>);

impl Default for FreshDraws {
    fn default() -> Self {
        let drawn = Cache::builder().max_capacity(REMEMBERED_MAX).eviction_policy(EvictionPolicy::lru());
        Self(drawn.build())
    }
}

impl FreshDraws {
    /// Remembers the picks that were written with a game.
    pub(crate) fn note(&self, game: TableId, picks: Vec<DrawnPick>) {
        self.0.insert(game, picks.into());
    }

    /// The picks of a game as they were written with it, if they are remembered.
    pub(crate) fn of(&self, game: TableId) -> Option<Arc<[DrawnPick]>> {
        self.0.get(&game)
    }
}

/// The picks with the players who sit in the game by now.
pub(crate) fn seated(picks: &[DrawnPick], game: &Game) -> Vec<DrawnPick> {
    let sitting = |seat: u8| game.seats.iter().find(|other| other.seat == seat)?.taken;
    let with_player =
        |pick: &DrawnPick| DrawnPick { player: sitting(pick.seat).map(|(player, _)| player), ..pick.clone() };
    picks.iter().map(with_player).collect()
}
