//! The game that follows a finished one: the same seats, options and clock, and nothing is drawn. Who
//! agreed to it, and which id it has, is the role rematch's business.

use std::collections::HashMap;
use std::sync::Arc;

use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::gather::{Gate, Gathering, gather};
use astragal_runtime::id::{AccountId, SeriesId, TableId};

use crate::error::LobbyError;
use crate::game::{Game, Status};
use crate::settler::Settler;
use crate::store::MatchmakingStore;

/// The longest series in text, far above what anybody plays.
const SERIES_BYTES_MAX: usize = 1 << 20;

/// Next games that may wait to be created.
const WAITING_MAX: usize = 8_192;

/// Next games of one statement.
const BATCH_MAX: usize = 64;

/// The most accounts that are asked about at once.
const PEOPLE_MAX: usize = 4;

/// A game that follows a finished one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextGame {
    /// Its id, the same for every repetition.
    pub id: TableId,
    /// The finished one.
    pub follows: TableId,
    /// Who moves first.
    pub first_seat: u8,
    /// The series that it goes on with, or begins.
    pub series_id: SeriesId,
    /// The games of the series so far: a JSON array.
    pub series: String,
}

/// What the engine is told of such a game besides its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Following {
    /// The finished game.
    pub follows: TableId,
    /// The games of the series so far.
    pub series: String,
    /// Whether everyone may find it to watch.
    pub listed: bool,
}

/// A game that was created just now, with what the engine is told of it.
type Created = (Game, Following);

/// Creates next games; cheap to clone.
#[derive(Clone)]
pub struct NextGames {
    store: Arc<dyn MatchmakingStore>,
    settler: Settler,
    creating: Gate<NextGame, Result<Option<Created>>>,
}

impl NextGames {
    /// Creates them as long as any clone is there. Must be called inside a runtime.
    pub(crate) fn open(store: Arc<dyn MatchmakingStore>, settler: Settler, clock: Arc<dyn Clock>) -> Self {
        let (creating, asked) = gather(WAITING_MAX, BATCH_MAX);
        tokio::spawn(create(store.clone(), clock, asked));
        Self { store, settler, creating }
    }

    /// Creates a next game, and has the engine open it. Safe to repeat, and to do at once.
    pub async fn create(&self, next: NextGame) -> Result<()> {
        if next.series.len() > SERIES_BYTES_MAX {
            return Err(Problem::failed_precondition("the series is too long; begin a new one"));
        }
        let id = next.id;
        let created = self.creating.ask(next, "too many next games are being created; try again");
        if let Some((game, following)) = created.await? {
            return self.settler.settle_next(&game, following).await;
        }
        let game = self.store.game(id).await?.ok_or(LobbyError::UnknownGame)?;
        if game.status == Status::Cancelled {
            return Err(LobbyError::Cancelled.into());
        }
        self.settler.settle(&game).await
    }

    /// Whether accounts have begun a game or a search since an instant.
    pub async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool> {
        if accounts.len() > PEOPLE_MAX {
            let message = format!("at most {PEOPLE_MAX} accounts can be asked about at once; ask again");
            return Err(Problem::invalid_argument(message));
        }
        Ok(self.store.have_begun(accounts, since).await?)
    }
}

/// Creates what has gathered while the last ones were being created.
async fn create(
    store: Arc<dyn MatchmakingStore>,
    clock: Arc<dyn Clock>,
    mut asked: Gathering<NextGame, Result<Option<Created>>>,
) {
    while let Some(jobs) = asked.next().await {
        let mut next: Vec<NextGame> = jobs.iter().map(|job| job.what.clone()).collect();
        next.sort_by_key(|next| next.id);
        next.dedup_by_key(|next| next.id);
        let created = store.create_next(&next, clock.now()).await.map_err(Problem::from);
        let mut created = created.map(|created| {
            created.into_iter().map(|created| (created.0.id, created)).collect::<HashMap<_, _>>()
        });
        for job in jobs {
            let id = job.what.id;
            job.answer(
                created.as_mut().map(|created| created.remove(&id)).map_err(|problem| problem.clone()),
            );
        }
    }
}
