//! The game that follows a finished one: the same seats, options and clock, and nothing is drawn. Who
//! agreed to it, and which id it has, is the role rematch's business.

use std::sync::Arc;

use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, SeriesId, TableId};

use crate::error::LobbyError;
use crate::game::Status;
use crate::settler::Settler;
use crate::store::MatchmakingStore;

/// The longest series in text, far above what anybody plays.
const SERIES_BYTES_MAX: usize = 1 << 20;

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

/// Creates next games; cheap to clone.
#[derive(Clone)]
pub struct NextGames {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) settler: Settler,
    pub(crate) clock: Arc<dyn Clock>,
}

impl NextGames {
    /// Creates a next game, and has the engine open it. Safe to repeat, and to do at once.
    pub async fn create(&self, next: NextGame) -> Result<()> {
        if next.series.len() > SERIES_BYTES_MAX {
            return Err(Problem::failed_precondition("the series is too long; begin a new one"));
        }
        if let Some((game, following)) = self.store.create_next(&next, self.clock.now()).await? {
            return self.settler.settle_next(&game, following).await;
        }
        let game = self.store.game(next.id).await?.ok_or(LobbyError::UnknownGame)?;
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
