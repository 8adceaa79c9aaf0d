//! Notes what the engine has confirmed, and then tells everyone whom it concerns.
//!
//! What is confirmed while others are being noted is noted with one write afterwards, however many
//! games it is. Nobody waits for company: alone, a game is noted at once.

use std::sync::{Arc, Mutex, PoisonError};

use astragal_runtime::bus::Bus;
use astragal_runtime::error::{Problem, Result};
use tokio::sync::oneshot;

use crate::game::Game;
use crate::news;
use crate::store::{Confirmation, MatchmakingStore};

pub(super) struct Teller {
    store: Arc<dyn MatchmakingStore>,
    bus: Bus,
    /// As many as there are calls under way.
    confirmed: Mutex<Vec<Confirmed>>,
    /// Held from the noting of a change to its telling, so that a game's news stay in order.
    telling: tokio::sync::Mutex<()>,
}

/// A game as the engine has confirmed it, and who waits for it to be told.
struct Confirmed {
    game: Game,
    told: oneshot::Sender<Result<()>>,
}

impl Teller {
    pub(super) fn new(store: Arc<dyn MatchmakingStore>, bus: Bus) -> Self {
        Self { store, bus, confirmed: Mutex::default(), telling: tokio::sync::Mutex::default() }
    }

    /// Notes a game and tells of it, unless somebody else was quicker.
    pub(super) async fn tell(&self, game: Game) -> Result<()> {
        let (told, answer) = oneshot::channel();
        self.add(Confirmed { game, told });
        {
            let _in_order = self.telling.lock().await;
            // None, if whoever went before has taken this game along.
            let confirmed = self.take();
            if !confirmed.is_empty() {
                self.tell_all(confirmed).await;
            }
        }
        answer.await.unwrap_or_else(|cause| Err(Problem::internal(&cause)))
    }

    async fn tell_all(&self, confirmed: Vec<Confirmed>) {
        let expected: Vec<_> = confirmed.iter().map(|one| confirmation(&one.game)).collect();
        match self.store.settle_expected(&expected).await.map_err(Problem::from) {
            Ok(mut noted) => {
                for Confirmed { game, told } in confirmed {
                    // A game may be there twice, and is noted for the one or for the other.
                    let is_noted = noted.remove(&(game.id, game.change));
                    let before = if is_noted { Ok(Some(game.settled)) } else { self.settle(&game).await };
                    let outcome =
                        before.map(|before| before.map(|before| news::tell(&self.bus, &game, before)));
                    // Whoever waits may have gone.
                    let _ = told.send(outcome.map(drop));
                }
            }
            Err(problem) => {
                for Confirmed { told, .. } in confirmed {
                    let _ = told.send(Err(problem.clone()));
                }
            }
        }
    }

    async fn settle(&self, game: &Game) -> Result<Option<u32>> {
        Ok(self.store.settle(game.id, game.change).await?)
    }

    fn add(&self, one: Confirmed) {
        self.confirmed.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    }

    fn take(&self) -> Vec<Confirmed> {
        std::mem::take(&mut *self.confirmed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn confirmation(game: &Game) -> Confirmation {
    Confirmation { game: game.id, before: game.settled, change: game.change }
}
