//! Orders that are carried out alone, for the tests of the stores.

use std::sync::Arc;

use async_trait::async_trait;

use super::{MatchmakingStore, Result};
use crate::game::{Game, NewGame, Player};
use crate::order::{Batch, Confirmation, Order, Wanted};
use crate::request::Request;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;

/// One order at a time.
#[async_trait]
pub(super) trait Alone: MatchmakingStore {
    async fn order(&self, order: Order) -> Result<Game> {
        let batch = Batch { orders: vec![order], ..Batch::default() };
        self.change(Arc::new(batch)).await?.pop().expect("an outcome").map(|done| done.game)
    }

    async fn find_or_open(&self, request: &Request, proposal: &NewGame, searches_max: u32) -> Result<Game> {
        self.order(Order::Asked(*request, find(proposal, searches_max))).await
    }

    async fn create(&self, request: &Request, game: &NewGame, at_most: u32) -> Result<Game> {
        self.order(Order::Asked(*request, create(game, at_most))).await
    }

    async fn join(&self, request: &Request, game: TableId) -> Result<Game> {
        self.order(Order::Asked(*request, Wanted::Join(game))).await
    }

    async fn cancel(&self, request: &Request, game: TableId) -> Result<Game> {
        self.order(Order::Asked(*request, Wanted::Cancel(game))).await
    }

    async fn attach_robots(&self, game: TableId, robot: Player, at: Timestamp) -> Result<Game> {
        self.order(Order::Attach { game, robot, at }).await
    }

    /// Notes a confirmation; gives what is noted then.
    async fn confirm(&self, game: TableId, change: u32) -> u32 {
        let batch = Batch { confirmed: vec![Confirmation { game, change }], ..Batch::default() };
        assert!(self.change(Arc::new(batch)).await.expect("noted").is_empty());
        self.game(game).await.expect("an answer").expect("a game").settled
    }
}

impl<S: MatchmakingStore> Alone for S {}

pub(super) fn find(proposal: &NewGame, searches_max: u32) -> Wanted {
    Wanted::FindOrOpen { proposal: Box::new(proposal.clone()), searches_max }
}

pub(super) fn create(game: &NewGame, at_most: u32) -> Wanted {
    Wanted::Create { game: Box::new(game.clone()), at_most }
}
