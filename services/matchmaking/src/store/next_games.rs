//! What is kept of games that follow a finished one.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;

use crate::error::Result;
use crate::game::Game;
use crate::next_games::{Following, NextGame};

/// Games that follow others, in the database of the role.
#[async_trait]
pub trait NextGameStore: Send + Sync {
    /// Creates next games, each once in the list and in the order of their ids, as copies of the finished ones. Gives
    /// those that this has created, in any order, with what the engine is told: not what is there already, nor what
    /// follows a game that is not known, or not full.
    async fn create_next(&self, next: &[NextGame], at: Timestamp) -> Result<Vec<(Game, Following)>>;

    /// What the engine is told of a game that follows another; none for other games.
    async fn following(&self, game: TableId) -> Result<Option<Following>>;

    /// Whether one of these accounts has opened, joined or been seated in a game since an instant, minutes ago: their
    /// 256 newest games are looked at.
    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool>;
}
