//! Tells everyone whom it concerns what the engine has confirmed, and remembers what was told.
//!
//! The database says the same a little later. Until then, and for whoever has read it before, what
//! is remembered here keeps a game from being settled, and told of, twice by this process. Another
//! process that takes over what this one has left may tell it again; nobody minds.

use std::sync::{Mutex, PoisonError};

use astragal_runtime::bus::Bus;
use astragal_runtime::id::TableId;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use crate::game::Game;
use crate::news;

/// Games whose last change is remembered.
const REMEMBERED_MAX: u64 = 10_000;

pub(super) struct Teller {
    bus: Bus,
    /// The last change of each game that was told of.
    told: Cache<TableId, u32>,
    /// Held from the look at what was told to the telling, so that a game's news stay in order.
    telling: Mutex<()>,
}

impl Teller {
    pub(super) fn new(bus: Bus) -> Self {
        let told = Cache::builder().max_capacity(REMEMBERED_MAX).eviction_policy(EvictionPolicy::lru());
        Self { bus, told: told.build(), telling: Mutex::default() }
    }

    /// The last change of a game that the engine has confirmed, as far as it is known.
    pub(super) fn confirmed(&self, game: &Game) -> u32 {
        self.told.get(&game.id).unwrap_or(0).max(game.settled)
    }

    /// Tells of everything up to the last change of a game, unless that was told already.
    pub(super) fn tell(&self, game: &Game) {
        let _in_order = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.confirmed(game);
        if before < game.change {
            self.told.insert(game.id, game.change);
            news::tell(&self.bus, game, before);
        }
    }
}
